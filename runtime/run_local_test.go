//go:build unix

package runtime

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// planned plans the job local of a project whose train.py is program.
func planned(t *testing.T, program string, change func(files), opts Options) Plan {
	t.Helper()
	if _, err := local.FindProgram("python", ""); err != nil && os.Getenv("CI") == "true" {
		t.Fatalf("not tested, and this is CI: there is no Python: %v", err)
	} else if err != nil {
		t.Skipf("SKIPPED: there is no Python: %v", err)
	}
	content := files{"train.py": program, "data.txt": "data", ".amlignore": "*.tmp\n", "big.tmp": "x", "outputs/old.txt": "old",
		"aml_config/local.compute": "type: local\n", "aml_config/local.runconfig": "Target: local\nFramework: Python\nArgumentVector: [$file, one]\nEnvironmentVariables:\n  MODE: fast\n"}
	if change != nil {
		change(content)
	}
	job, root := load(t, content, "local", schema.Options{})
	opts.Project = root
	if opts.Script == "" {
		opts.Script = "train.py"
	}
	return newPlan(t, job, opts)
}

// read returns the files below the project's outputs, by name.
func read(t *testing.T, plan Plan) map[string]string {
	t.Helper()
	got := map[string]string{}
	dir := filepath.Join(plan.Project, "outputs")
	list, err := os.ReadDir(dir)
	testkit.OK(t, err)
	for _, e := range list {
		b := testkit.Read(t, dir, e.Name())
		got[e.Name()] = b
	}
	return got
}

func TestRunLocal(t *testing.T) {
	t.Parallel()
	plan := planned(t, `
import os, sys
print(sys.argv[1:], open("data.txt").read(), os.environ["MODE"], sorted(os.listdir(".")), os.listdir("outputs"))
open("data.txt", "w").write("spoilt")
open("outputs/model.bin", "w").write("weights")
sys.stderr.write("Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 06c3:00:00.0)\n")
sys.exit(3)
`, nil, Options{Args: []string{"two"}})
	var out, errs bytes.Buffer
	var states []progress.State
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, Progress: func(e progress.Event) {
		if e.State != "" {
			states = append(states, e.State)
		}
	}})
	testkit.OK(t, err)
	testkit.Same(t, "['one', 'two'] data fast ['.amlfix', '.amlignore', 'aml_config', 'data.txt', 'outputs', 'train.py'] []\n", out.String())
	testkit.Same(t, map[string]string{"old.txt": "old", "model.bin": "weights"}, read(t, plan))
	if b, _ := os.ReadFile(filepath.Join(plan.Project, "data.txt")); string(b) != "data" {
		t.Errorf("the job changed the project itself: %q", b)
	}
	type end struct {
		Outcome       Outcome
		Code, JobCode int
		Files         int
		Level         evidence.Level
	}
	level := evidence.Used
	if driverlessHere(t) { // what the job prints cannot be true
		level = evidence.CPU
	}
	testkit.Same(t, end{Failed, 3, 3, 1, level}, end{res.Outcome, res.Code, res.JobCode, res.Outputs.Files, res.Evidence.Level})
	if s := res.Sentence(); !strings.HasPrefix(s, "run "+plan.RunID.String()+" failed with exit code 3 after ") || !strings.HasSuffix(s, "; 1 file (7 B) in outputs/") {
		t.Error(s)
	}
	want := []progress.State{progress.Checking, progress.Creating, progress.Uploading, progress.Starting, progress.Running, progress.Collecting, progress.Done}
	testkit.Same(t, want, states)
}

// TestOldScriptRuns runs a script of Azure ML Workbench, which finds its logger next to the user's own modules.
func TestOldScriptRuns(t *testing.T) {
	own := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(own, "mine.py"), nil, 0o600))
	t.Setenv("PYTHONPATH", own)
	plan := planned(t, oldScript, nil, Options{})
	var out bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &out})
	if err != nil || res.Outcome != Succeeded || !strings.Contains(out.String(), `"name": "loss", "value": 0.5}`) {
		t.Errorf("%+v, %v, %s", res, err, out.String())
	}
}

const oldScript = `
import os, mine
from azureml.logging import get_azureml_logger
from azureml.core import Run
get_azureml_logger().log("loss", 0.5)
assert Run.get_context().id, os.environ
print(open(os.environ["AMLFIX_METRICS"]).read())
`

func TestRunLocalSucceeds(t *testing.T) {
	t.Parallel()
	share := t.TempDir()
	plan := planned(t, "import os; open(os.environ['AZUREML_NATIVE_SHARE_DIRECTORY'] + '/cache', 'w').write('kept')\n", func(f files) {
		f["aml_config/local.compute"] += "nativeSharedDirectory: " + share + "\n"
	}, Options{})
	res, err := Run(t.Context(), plan, RunOptions{})
	if err != nil || res.Outcome != Succeeded || res.Code != 0 || res.Reason != "" {
		t.Errorf("%+v, %v", res, err)
	}
	if b, err := os.ReadFile(filepath.Join(share, "digits", "cache")); err != nil || string(b) != "kept" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestRunLocalEnds(t *testing.T) {
	t.Parallel()
	wait := "import time; open('outputs/partial', 'w').write('x'); print('up', flush=True); time.sleep(600)\n"
	polite := "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *a: sys.exit(0))\nopen('outputs/partial', 'w').write('x'); print('up', flush=True); time.sleep(600)\n"
	tests := []struct {
		name, program string
		timeout       time.Duration
		cancel        error
		outcome       Outcome
		code, jobCode int
		reason        string
	}{
		{name: "Ctrl-C", program: wait, cancel: &process.Signalled{Signal: os.Interrupt}, outcome: Cancelled, code: 130, jobCode: 130},
		{name: "cancelled, succeeds", program: polite, cancel: context.Canceled, outcome: Cancelled, code: 143, jobCode: 0},
		{name: "time limit", program: wait, timeout: testkit.Limit, outcome: TimedOut, code: 124, jobCode: 143, reason: "the time limit was " + testkit.Limit.String()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plan := planned(t, tt.program, nil, Options{Timeout: tt.timeout})
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			out := cancelAt{text: "up", cancel: func() {
				if tt.cancel != nil {
					cancel(tt.cancel)
				}
			}}
			res, err := Run(ctx, plan, RunOptions{Stdout: &out})
			testkit.OK(t, err)
			testkit.Same(t, []any{tt.outcome, tt.code, tt.jobCode, tt.reason}, []any{res.Outcome, res.Code, res.JobCode, res.Reason})
			testkit.Same(t, map[string]string{"old.txt": "old", "partial": "x"}, read(t, plan))
		})
	}
}

// cancelAt calls cancel when text is written to it.
type cancelAt struct {
	text   string
	cancel func()
	seen   []byte
	done   bool
}

func (c *cancelAt) Write(p []byte) (int, error) {
	c.seen = append(c.seen, p...) // the text may arrive in pieces
	if !c.done && strings.Contains(string(c.seen), c.text) {
		c.done = true
		c.cancel()
	}
	return len(p), nil
}

func TestRunLocalIsNotStarted(t *testing.T) {
	t.Parallel()
	locked := filepath.Join(t.TempDir(), "locked")
	testkit.OK(t, os.WriteFile(locked, nil, 0o644))
	tests := []struct {
		name   string
		change func(files)
		plan   func(*Plan)
		code   int
		want   string
	}{
		{name: "script left out", change: func(f files) { f[".amlignore"] = "*.py\n" }, code: 125,
			want: "aml_config/local.runconfig:3, $file is the script of the command line: the script train.py is not sent with the job: .amlignore:1 excludes it"},
		{name: "no script", change: func(f files) { delete(f, "train.py") }, code: 125, want: "there is no script train.py in the project folder"},
		{name: "no interpreter", change: func(f files) { f["aml_config/local.compute"] += "pythonLocation: no-such-python\n" }, code: 127,
			want: "aml_config/local.compute:2: no-such-python: no such program: install it, or give the path of another one"},
		{name: "no interpreter named", plan: func(p *Plan) { p.Interpreter = from("no-such-python", Origin{Note: "default"}) }, code: 127,
			want: "aml_config/local.compute:1: no-such-python: no such program: install it, or give the path of another one"},
		{name: "no permission", change: func(f files) { f["aml_config/local.compute"] += "pythonLocation: " + locked + "\n" }, code: 126, want: "cannot be run by this user"},
		{name: "project gone", plan: func(p *Plan) { p.Project += "-gone" }, code: 125, want: "the project folder cannot be read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan := planned(t, "", tt.change, Options{})
			if tt.plan != nil {
				tt.plan(&plan)
			}
			res, err := Run(t.Context(), plan, RunOptions{})
			if err == nil || res.Outcome != NotStarted || res.Code != tt.code || !strings.Contains(Explain(err), tt.want) || res.Reason != Explain(err) {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(&process.Signalled{Signal: os.Interrupt})
		res, err := Run(ctx, planned(t, "", nil, Options{}), RunOptions{})
		if err == nil || res.Outcome != Cancelled || res.Code != 130 || res.Reason != "before the job was started" {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

func TestOutputsThatCannotComeBackAreKept(t *testing.T) {
	t.Parallel()
	plan := planned(t, "import os; os.mkdir('outputs/old.txt'); open('outputs/old.txt/x', 'w').write('new'); open('outputs/fine', 'w').write('y')\n", nil, Options{})
	res, err := Run(t.Context(), plan, RunOptions{})
	if err != nil || res.Outcome != Succeeded || res.Code != 125 || res.OutputsErr == nil {
		t.Fatalf("%+v, %v", res, err)
	}
	if b, err := os.ReadFile(filepath.Join(res.KeptAt, "old.txt", "x")); err != nil || string(b) != "new" || !strings.HasPrefix(res.KeptAt, tempOf(plan)) {
		t.Errorf("%q, %v", b, err)
	}
	if s := res.Sentence(); !strings.Contains(s, "outputs are missing: outputs/old.txt") || !strings.HasSuffix(s, "they are kept in "+res.KeptAt+": `amlfix runs fetch "+res.RunID.String()+"` tries again") {
		t.Error(s)
	}
	testkit.Same(t, map[string]string{"old.txt": "old", "fine": "y"}, read(t, plan))
	fetched(t, res, filepath.Join(plan.Project, "outputs", "old.txt"), RunOptions{})
	testkit.Same(t, map[string]string{"old.txt/x": "new", "fine": "y"}, testkit.Contents(t, filepath.Join(plan.Project, "outputs")))
	if _, err := os.Stat(tempOf(plan)); err == nil {
		t.Error("the working folder was left")
	}
}

// fetched retrieves the outputs of a run after they could not be copied: it fails while inWay exists, and succeeds
// afterwards.
func fetched(t *testing.T, res Result, inWay string, opts RunOptions) {
	t.Helper()
	state := func() record.Entry {
		e, err := record.ReadDir(res.Record)
		testkit.OK(t, err)
		return e
	}
	if again, err := Fetch(t.Context(), res.Record, opts); err == nil || again.Code != 125 || again.KeptAt != res.KeptAt || !state().OutputsMissing() {
		t.Errorf("with %s in the way: %+v, %v", inWay, again, err)
	}
	testkit.OK(t, os.RemoveAll(inWay))
	for range 2 { // the second time there is nothing left to do
		if again, err := Fetch(t.Context(), res.Record, opts); err != nil || again.Code != 0 || again.Outcome != Succeeded || again.OutputsErr != nil || again.KeptAt != "" || again.Outputs.Files != 2 || state().OutputsMissing() {
			t.Errorf("%+v, %v", again, err)
		}
	}
}

func TestWorkingFolderIsRemovedInAnyCase(t *testing.T) {
	t.Parallel()
	plan := planned(t, "import os; os.mkdir('a'); open('a/b', 'w'); os.chmod('a', 0)\n", nil, Options{})
	if res, err := Run(t.Context(), plan, RunOptions{}); err != nil || res.Outcome != Succeeded {
		t.Errorf("%+v, %v", res, err)
	}
}

// asPipe makes this test program run the job of TestReaderThatLeaves and write how it ended to the file that asPipe
// names.
const asPipe = "AMLFIX_TEST_PIPE"

// TestRelativeTemp checks that processes with other working folders find the job's.
func TestRelativeTemp(t *testing.T) {
	plan := planned(t, "", nil, Options{})
	t.Chdir(t.TempDir())
	testkit.OK(t, os.Mkdir("temp", 0o700))
	t.Setenv("TMPDIR", "temp")
	if res, err := Run(t.Context(), plan, RunOptions{}); err != nil || res.Outcome != Succeeded {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestReaderThatLeaves runs this program with its standard output closed early, as in `amlfix run … | head -1`.
func TestReaderThatLeaves(t *testing.T) {
	t.Parallel()
	testkit.Program(t, "python3")
	if os.Getenv(asPipe) != "" {
		ctx, kill, catch := process.Signals(context.Background())
		catch()
		plan := planned(t, "import time\nfor i in range(100): print('line', i, flush=True); time.sleep(0.005)\nopen('outputs/done', 'w').write('x')\n", nil, Options{})
		res, err := Run(ctx, plan, RunOptions{Stdout: os.Stdout, Stderr: os.Stderr, Kill: kill})
		got := read(t, plan)
		_ = os.WriteFile(os.Getenv(asPipe), []byte(res.Sentence()+" "+got["done"]), 0o644)
		if err != nil {
			t.Error(err)
		}
		return
	}
	report := filepath.Join(t.TempDir(), "report")
	cmd := exec.Command(os.Args[0], "-test.run=^TestReaderThatLeaves$")
	cmd.Env = append(os.Environ(), asPipe+"="+report)
	out, err := cmd.StdoutPipe()
	testkit.OK(t, err)
	testkit.OK(t, cmd.Start())
	first := make([]byte, 4)
	_, _ = out.Read(first)
	_ = out.Close()
	_ = cmd.Wait() // the test program itself fails to print its verdict
	b, err := os.ReadFile(report)
	if err != nil || !strings.Contains(string(b), " succeeded after ") || !strings.HasSuffix(string(b), "in outputs/ x") {
		t.Errorf("%q, %v", b, err)
	}
}

func TestErrorsKeepTheirKind(t *testing.T) {
	inner := &local.StartError{Program: "p", Code: 127}
	var se *local.StartError
	if err := error(&plan.PlacedError{Origin: Origin{Path: "a", Line: 1}, Err: inner}); !errors.As(err, &se) || Explain(err) != "a:1: p: no such program: install it, or give the path of another one" {
		t.Error(err)
	}
}

// driverlessHere reports whether this machine has no usable GPU.
func driverlessHere(t *testing.T) bool {
	t.Helper()
	return exec.CommandContext(t.Context(), "sh", "-c", "[ -e /proc/driver/nvidia/version ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ] || nvidia-smi -L").Run() != nil
}
