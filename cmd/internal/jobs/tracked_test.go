//go:build linux

package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/runtime/mlflow/mlflowtest"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/schema/testkit"
)

// mlflowTests is where the tests of the MLflow client keep what they need.
const mlflowTests = "../../../runtime/mlflow/testdata"

// mlflowServer starts a real MLflow server, and returns its address and the Python that has the client.
func mlflowServer(t *testing.T) (address, python string) {
	t.Helper()
	return mlflowtest.Start(t), filepath.Join(mlflowtest.Bin(t), "python")
}

// logged is the content of a run: values in the order in which they were logged.
type logged struct {
	Metrics map[string][]float64
	// Texts are parameters and tags; Files are the files stored with the run.
	Texts map[string]string
	Files []string
}

// withShim runs a script as "amlfix run" does, with the stand-in for azureml that records what is logged.
func withShim(t *testing.T, script []byte, arguments ...string) (got logged) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range shim.Files() {
		testkit.Write(t, dir, f.Path, f.Content)
	}
	metrics := filepath.Join(dir, filepath.FromSlash(shim.MetricsFile))
	env := shim.AppendPath(append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", shim.MetricsVariable+"="+metrics), "PYTHONPATH", filepath.Join(dir, filepath.FromSlash(shim.PythonDir)), os.PathListSeparator)
	runScript(t, dir, testkit.Program(t, "python3"), script, env, arguments)
	got = logged{Metrics: map[string][]float64{}, Texts: map[string]string{}}
	f, err := os.Open(metrics)
	testkit.OK(t, err)
	defer f.Close()
	_, err = shim.ReadMetrics(f, func(m shim.Metric) { got.add(strings.ReplaceAll(m.Name, "/", "."), m.Value) })
	testkit.OK(t, err)
	_ = filepath.WalkDir(filepath.Join(dir, "outputs"), func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			got.Files = append(got.Files, filepath.Base(name))
		}
		return nil
	})
	slices.Sort(got.Files)
	return got
}

// add adds a value, or each value of a list.
func (g *logged) add(name string, value any) {
	switch v := value.(type) {
	case float64:
		g.Metrics[name] = append(g.Metrics[name], v)
	case []any:
		for _, one := range v {
			g.add(name, one)
		}
	default:
		g.Texts[name] = fmt.Sprint(v)
	}
}

func runScript(t *testing.T, dir, python string, script []byte, env, arguments []string) {
	t.Helper()
	testkit.Write(t, dir, "train.py", script)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, append([]string{"train.py"}, arguments...)...)
	cmd.Dir, cmd.Env = dir, env
	testkit.Output(t, cmd)
}

// TestRewrittenScriptsLog runs each script in its original form, with the stand-in for azureml that records what is
// logged (without any Azure service), and in its rewritten form, in an existing run of a real MLflow server, as in
// Azure ML: both log the same. One more script, whose datasets and models the stand-in does not support, runs only in
// its rewritten form.
func TestRewrittenScriptsLog(t *testing.T) {
	testkit.Set(t, testkit.Channels)
	address, python := mlflowServer(t)
	client := newMLflowClient(t, address, python)
	t.Run("datasets and models", func(t *testing.T) { datasetsAndModels(t, client, address, python) })
	for name, arguments := range map[string][]string{"workbench": {"0.02"}, "sdk": {"--alpha", "0.25", "--steps", "4"}, "function": nil, "values": nil} {
		t.Run(name, func(t *testing.T) {
			script := []byte(testkit.Read(t, "testdata", "tracked", name+".py"))
			want := withShim(t, script, arguments...)
			r := tracking.Rewrite(script, tracking.Options{})
			if len(r.Skipped) > 0 || strings.Contains(string(r.Text), "azureml") {
				t.Fatalf("something is left: %v\n%s", r.Skipped, r.Text)
			}
			run := client.newRun(t, "")
			runScript(t, t.TempDir(), python, r.Text, append(os.Environ(), "MLFLOW_TRACKING_URI="+address, "MLFLOW_RUN_ID="+run), arguments)
			if diff := cmp.Diff(want, client.readBack(t, run)); diff != "" {
				t.Errorf("logged (-with SDK v1 +with MLflow):\n%s\n%s", diff, r.Text)
			}
		})
	}
}

// mlflowClient is MLflow's own client in a process that answers one request after the other.
type mlflowClient struct {
	questions *json.Encoder
	answers   *json.Decoder
}

func newMLflowClient(t *testing.T, address, python string) mlflowClient {
	t.Helper()
	cmd := exec.Command(python, filepath.Join("testdata", "client.py"), address, mlflowTests)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	in, err := cmd.StdinPipe()
	testkit.OK(t, err)
	out, err := cmd.StdoutPipe()
	testkit.OK(t, err)
	cmd.Stderr = os.Stderr
	testkit.OK(t, cmd.Start())
	t.Cleanup(func() {
		_ = in.Close()
		testkit.OK(t, cmd.Wait())
	})
	return mlflowClient{json.NewEncoder(in), json.NewDecoder(out)}
}

// ask calls a function in testdata/client.py.
func (c mlflowClient) ask(t *testing.T, answer any, question ...string) {
	t.Helper()
	testkit.OK(t, c.questions.Encode(question))
	if err := c.answers.Decode(answer); err != nil {
		t.Fatalf("%q: %v", question, err)
	}
}

// newRun creates a run on the server, as Azure ML does for a job; parent is the run of the pipeline to which it
// belongs.
func (c mlflowClient) newRun(t *testing.T, parent string) (id string) {
	t.Helper()
	c.ask(t, &id, "new", parent)
	return id
}

// datasetsAndModels runs a rewritten script with the command line of a migrated job: it reads its input, writes its
// output and logs to its parent, and its model is in the server's registry and makes predictions.
func datasetsAndModels(t *testing.T, client mlflowClient, address, python string) {
	t.Helper()
	script := []byte(testkit.Read(t, "testdata", "tracked", "datasets.py"))
	r := tracking.Rewrite(script, tracking.Options{})
	if len(r.Skipped) > 0 || strings.Contains(string(r.Text), "azureml") {
		t.Fatalf("something is left: %v\n%s", r.Skipped, r.Text)
	}
	data, out := t.TempDir(), t.TempDir()
	testkit.Write(t, data, "a.txt", "1.5")
	testkit.Write(t, data, "b.txt", "2")
	arguments := []string{"--factor", "3"}
	for _, in := range tracking.Inputs(r.Text) {
		arguments = append(arguments, in.Option, map[bool]string{false: data, true: out}[in.Output])
	}
	parent := client.newRun(t, "")
	run := client.newRun(t, parent)
	runScript(t, t.TempDir(), python, r.Text, append(os.Environ(), "MLFLOW_TRACKING_URI="+address, "MLFLOW_RUN_ID="+run), arguments)
	testkit.Same(t, "10.5", testkit.Read(t, out, "total.txt"))
	if got := client.readBack(t, run).Metrics["total"]; !slices.Equal(got, []float64{3.5}) {
		t.Errorf("total is %v", got)
	}
	want := logged{Metrics: map[string][]float64{"files": {2}, "first": {0.5}, "list": {1, 2}}, Texts: map[string]string{"word": "text", "child": run}}
	testkit.Same(t, want, client.readBack(t, parent), "logged to the parent")
	var versions, predicted json.RawMessage
	client.ask(t, &[]any{&versions, &predicted}, "registered")
	testkit.Same(t, fmt.Sprintf("[[\"1\", %q, {\"stage\": \"test\"}]]\n[4.5]", run), string(versions)+"\n"+string(predicted))
}

// readBack returns what MLflow's own client finds about a run. Documents are in the form in which the stand-in records
// them: the columns of a table, or JSON text.
func (c mlflowClient) readBack(t *testing.T, run string) logged {
	t.Helper()
	var found struct {
		Params, Tags map[string]string
		Metrics      map[string][][3]any
		Artifacts    map[string]int64
	}
	c.ask(t, &found, "found", run)
	got := logged{Metrics: map[string][]float64{}, Texts: found.Params}
	for name, text := range found.Tags {
		if !strings.HasPrefix(name, "mlflow.") {
			got.Texts[name] = text
		}
	}
	for name, values := range found.Metrics {
		for _, v := range values {
			var number float64
			_, err := fmt.Sscan(fmt.Sprint(v[0]), &number)
			testkit.OK(t, err)
			got.Metrics[name] = append(got.Metrics[name], number)
		}
	}
	for path := range found.Artifacts {
		if !strings.HasSuffix(path, ".json") {
			got.Files = append(got.Files, filepath.Base(path))
			continue
		}
		var text json.RawMessage
		c.ask(t, &text, "document", run, path)
		var columns map[string]any
		testkit.OK(t, json.Unmarshal(text, &columns))
		name := strings.TrimSuffix(path, ".json")
		if _, chart := columns["schema_type"]; chart {
			got.add(name, strings.TrimSpace(string(text)))
			continue
		}
		for column, values := range columns {
			got.add(name+"."+column, values)
		}
	}
	slices.Sort(got.Files)
	return got
}
