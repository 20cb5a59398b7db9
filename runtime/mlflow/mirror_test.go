//go:build linux

package mlflow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/mlflow/mlflowtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// readBack is what MLflow's own client finds about a run.
type readBack struct {
	Experiment, Name, Status string
	Start, End               int64
	Params, Tags             map[string]string
	Metrics                  map[string][][3]any
	Artifacts                map[string]int64
}

func read(t *testing.T, address, run string) (got readBack) {
	t.Helper()
	out, err := exec.Command(filepath.Join(mlflowtest.Bin(t), "python"), "testdata/readback.py", address, run).Output()
	if err != nil {
		var failed *exec.ExitError
		_ = errors.As(err, &failed)
		t.Fatalf("%v: %s", err, failed.Stderr)
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return got
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func client(t *testing.T, pairs ...string) *Client {
	t.Helper()
	c, err := New(env(pairs...))
	testkit.OK(t, err)
	return c
}

// started returns the record of a run in progress.
func started(t *testing.T) *record.Run {
	t.Helper()
	project := filepath.Join(t.TempDir(), "digits")
	testkit.OK(t, os.MkdirAll(filepath.Join(project, "outputs", "deep"), 0o755))
	run, err := record.Create(record.Record{ID: runid.MustParse("20260102-030405-abcdef"), Program: "1.2.3", Project: project, Name: "gpuvm", Target: "gpuvm", Kind: "docker", Tracked: true,
		Script: "train.py", Arguments: []string{"train.py", "--epochs", "3", "--lr=0.1", "--verbose", "-o", "sgd", "data set", "--api-key=***"},
		Git: &record.Commit{ID: "0123456789abcdef0123456789abcdef01234567", Branch: "main"}, Image: &record.Image{Name: "a/b:1", Digest: "a/b@sha256:00"}})
	testkit.OK(t, err)
	t.Cleanup(run.Close)
	early := mirror(client(t, "MLFLOW_TRACKING_URI", "http://127.0.0.1:1"), run) // no server is contacted before the job starts
	testkit.OK(t, early.Send(t.Context(), run.Record()))
	testkit.OK(t, run.Enter(progress.Starting))
	return run
}

func mirror(c *Client, run *record.Run) *Mirror {
	return NewMirror(c, run.Dir(), run.Record().MLflow, func(m record.MLflow) {
		_ = run.Update(func(r *record.Record) { r.MLflow = &m })
	})
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	testkit.OK(t, errors.Join(errs...))
}

// TestServer starts one real server for all of its parts: most of the time goes into the start.
func TestServer(t *testing.T) {
	t.Parallel()
	address := mlflowtest.Start(t, "--artifacts-destination", t.TempDir())
	t.Run("mirror", func(t *testing.T) { sendInTurn(t, address) })
	t.Run("answer lost", func(t *testing.T) { loseAnswer(t, address) })
}

// patient returns a client that waits for a server for as long as a busy machine may need.
func patient(t *testing.T, pairs ...string) *Client {
	c := client(t, pairs...)
	c.http.Transport.(*http.Transport).ResponseHeaderTimeout = testkit.Patience
	return c
}

// sendInTurn sends a run while it proceeds, from three programs in turn, and reads it back with MLflow's own client.
func sendInTurn(t *testing.T, address string) {
	run := started(t)
	c := patient(t, "MLFLOW_TRACKING_URI", address+"/")
	line := func(format string, args ...any) error { return run.AddMetrics(fmt.Appendf(nil, format+"\n", args...)) }

	first := mirror(c, run)
	must(t, first.Send(t.Context(), run.Record()))
	id := run.Record().MLflow.Run
	if got := read(t, address, id); got.Status != "RUNNING" || got.Params["epochs"] != "3" {
		t.Errorf("%+v", got)
	}
	must(t, line(`{"t":1.5,"name":"loss","value":0.5}`), first.Send(t.Context(), run.Record()), line(`{"t":2.5,"name":"loss","value":"NaN"}`))

	second := mirror(c, run) // another amlfix: it counts the steps again, from the record
	must(t, line(`{"t":3,"name":"curve","value":[1,2.25,"-Infinity"]}`), line(`{"t":3,"name":"model","value":"resnet"}`), line(`{"t":4,"name":"per cent (%%)","value":7}`), second.Send(t.Context(), run.Record()))
	for i := range 2500 { // more than the server accepts in one request
		must(t, line(`{"t":%d,"name":"many","value":%d}`, 10+i, i))
	}
	must(t, os.WriteFile(filepath.Join(run.Record().Project, "outputs", "deep", "model ä.bin"), []byte("weights"), 0o600), run.KeepOutput(run.Record().Project, "deep/model ä.bin"))
	_, _ = run.Log().Tee(process.Streams{}.Shared()).Stdout.Write([]byte("hello\n"))
	must(t, run.Update(func(r *record.Record) {
		r.State, r.Outcome, r.Exit = progress.Done, "succeeded", &process.Exit{Ended: time.Now()}
		r.Outputs = &record.Outputs{Files: []project.File{{Path: "deep/model ä.bin", Bytes: 7}, {Path: "gone", Bytes: 1}}}
		r.GPU = &record.GPU{Sentence: "GPU used"}
	}))
	third := mirror(c, run)
	must(t, third.Send(t.Context(), run.Record()))
	if m := run.Record().MLflow; !m.Complete || m.Error != "" || m.Run != id || m.Metrics == 0 {
		t.Errorf("%+v", m)
	}

	got := read(t, address, id)
	if got.Start != run.Record().Entered(progress.Starting).UnixMilli() || got.End < got.Start {
		t.Errorf("start %d, end %d", got.Start, got.End)
	}
	many := got.Metrics["many"]
	if len(many) != 2500 || many[2499][0] != "2499.0" {
		t.Errorf("%d values", len(many))
	}
	delete(got.Metrics, "many")
	if got.Artifacts["record.json"] == 0 {
		t.Error("no record.json")
	}
	delete(got.Artifacts, "record.json")
	got.Start, got.End = 0, 0
	want := readBack{Experiment: "digits", Name: "20260102-030405-abcdef", Status: "FINISHED",
		Params: map[string]string{"epochs": "3", "lr": "0.1", "verbose": "true", "o": "sgd", "argument 7": "data set", "api-key": "***",
			"run configuration": "gpuvm", "target": "gpuvm", "image": "a/b:1"},
		Tags: map[string]string{"amlfix.run": "20260102-030405-abcdef", "amlfix.version": "1.2.3", "amlfix.outcome": "succeeded", "amlfix.gpu": "GPU used", "amlfix.image.digest": "a/b@sha256:00",
			"mlflow.source.git.commit": "0123456789abcdef0123456789abcdef01234567", "mlflow.source.git.branch": "main", "mlflow.runName": "20260102-030405-abcdef",
			"mlflow.source.name": "train.py", "mlflow.source.type": "LOCAL", "model": "resnet"},
		Metrics: map[string][][3]any{
			"loss":         {{"0.5", 0.0, 1500.0}, {"nan", 1.0, 2500.0}},
			"curve":        {{"1.0", 0.0, 3000.0}, {"2.25", 1.0, 3000.0}, {"-1.7976931348623157e+308", 2.0, 3000.0}},
			"per cent ___": {{"7.0", 0.0, 4000.0}},
		},
		Artifacts: map[string]int64{"outputs/deep/model ä.bin": 7, "log.txt": 6}}
	testkit.Same(t, want, got)
}

// loseAnswer loses the answer of the server that has created a run: the next attempt finds the run, also by another
// program, and creates no second one.
func loseAnswer(t *testing.T, address string) {
	to, err := url.Parse(address)
	testkit.OK(t, err)
	proxy, created := httputil.NewSingleHostReverseProxy(to), 0
	proxy.ModifyResponse = func(r *http.Response) error {
		if strings.HasSuffix(r.Request.URL.Path, "/runs/create") {
			if created++; created == 1 {
				return errors.New("lost")
			}
		}
		return nil
	}
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	s := httptest.NewServer(proxy)
	defer s.Close()
	c, run := patient(t, "MLFLOW_TRACKING_URI", s.URL, "MLFLOW_EXPERIMENT_NAME", "lost"), started(t)
	first := mirror(c, run)
	if err := first.Send(t.Context(), run.Record()); err == nil {
		t.Fatal("the answer has arrived")
	}
	later := NewMirror(c, run.Dir(), &record.MLflow{Server: c.Name()}, func(record.MLflow) {})
	must(t, first.Send(t.Context(), run.Record()), later.Send(t.Context(), run.Record()))
	if created != 1 || first.state.Run == "" || later.state.Run != first.state.Run {
		t.Errorf("%d runs were created: %q, %q", created, first.state.Run, later.state.Run)
	}
	testkit.Same(t, "RUNNING", read(t, address, first.state.Run).Status)
}

// TestAuthentication checks the credentials that are sent, and that a server that requires a login is reported in plain
// words.
func TestAuthentication(t *testing.T) {
	var got string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer s.Close()
	withUser := strings.Replace(s.URL, "http://", "http://bob:hunter2@", 1)
	for _, tt := range []struct {
		name, want string
		env        []string
	}{
		{"nothing", "", nil},
		{"token", "Bearer abc", []string{"MLFLOW_TRACKING_TOKEN", "abc"}},
		{"password", "Basic Ym9iOmh1bnRlcjI=", []string{"MLFLOW_TRACKING_USERNAME", "bob", "MLFLOW_TRACKING_PASSWORD", "hunter2"}},
		{"in the address", "Basic Ym9iOmh1bnRlcjI=", []string{"MLFLOW_TRACKING_URI", withUser}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := client(t, append(tt.env, "MLFLOW_TRACKING_URI", s.URL)...)
			err := mirror(c, started(t)).Send(t.Context(), record.Record{Project: "/x"})
			if got != tt.want || err == nil || !strings.Contains(err.Error(), "denies access") || strings.Contains(err.Error()+c.Name(), "hunter2") {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestUnusableAddresses(t *testing.T) {
	for uri, want := range map[string]string{
		"azureml://westus2.api.azureml.ms/mlflow/v1.0/subscriptions/x": "write https:// instead of azureml://",
		"file:///tmp/mlruns": "start `mlflow server`", "./mlruns": "start `mlflow server`", "sqlite:///m.db": "start `mlflow server`",
		"databricks":     "http:// and https:// addresses",
		"databricks://x": "supports MLflow servers at http://", "http://": "supports MLflow servers", "http://[": "is not a valid address",
	} {
		if _, err := New(env("MLFLOW_TRACKING_URI", uri)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if c, err := New(env()); c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
}

func TestServerThatIsNone(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }))
	defer pages.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close() // it accepts connections and never answers
	silent := "http://" + l.Addr().String()
	for address, want := range map[string]string{
		other.URL: "no MLflow server answers there", pages.URL: "no MLflow server answers there",
		silent: "cannot be reached: no answer in time", "http://127.0.0.1:1": "cannot be reached",
	} {
		patience := testkit.Patience
		if address == silent {
			patience = 500 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		run := started(t)
		err := mirror(client(t, "MLFLOW_TRACKING_URI", address), run).Send(ctx, run.Record())
		if err == nil || !strings.Contains(err.Error(), want) || run.Record().MLflow != nil {
			t.Errorf("%s: %v, %+v", address, err, run.Record().MLflow)
		}
		cancel()
	}
}

// TestArtifactsElsewhere checks that a server that does not accept artifacts gets everything else; see Mirror.Send.
func TestArtifactsElsewhere(t *testing.T) {
	c := client(t, "MLFLOW_TRACKING_URI", "http://127.0.0.1:1")
	for _, uri := range []string{"s3://bucket/1/artifacts", "file:///tmp/1", "/tmp/1", "azureml://x/y"} {
		if err := c.upload(t.Context(), uri, "log.txt", 0, strings.NewReader("")); !errors.Is(err, errElsewhere) {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

func FuzzKey(f *testing.F) {
	f.Add("loss/train ../x")
	f.Add(" ../b")
	f.Add(strings.Repeat("a", 300) + "é")
	f.Fuzz(func(t *testing.T, name string) {
		key := keyOf(name)
		if len(key) > keyLimit || strings.Contains(key, "..") && strings.Contains("/"+key+"/", "/../") || keyOf(key) != key {
			t.Errorf("%q", key)
		}
	})
}
