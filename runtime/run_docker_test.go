//go:build linux

package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) {
	if local.Supervising() {
		return
	}
	if os.Getenv(asChild) != "" {
		os.Exit(child())
	}
	if os.Getenv(asPipe) != "" {
		os.Exit(m.Run())
	}
	os.Exit(testkit.Shared(func() int { return withTemp(func() int { return enginetest.Main(m) }) }))
}

// withTemp calls run with a private folder for temporary files, which must be empty at the end, and without the user's
// registry logins.
func withTemp(run func() int) int {
	dir, err := os.MkdirTemp("", "amlfix-runtime-")
	if err == nil {
		err = os.Chmod(dir, 0o777|os.ModeSticky) // like /tmp: jobs run as other users
	}
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, value := range map[string]string{"TMPDIR": dir, "DOCKER_CONFIG": filepath.Join(dir, "none")} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	code := run()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		fmt.Fprintln(os.Stderr, "temporary files were left behind:", left, err)
		code = max(code, 1)
	}
	return code
}

// engineHere returns the engine of the package's tests, which DOCKER_HOST names.
func engineHere(t *testing.T) *enginetest.Engine {
	t.Helper()
	e := enginetest.Start(t)
	if err := os.Setenv("DOCKER_HOST", e.Host); err != nil { //nolint:usetesting // the same for all tests of the package, which run in parallel
		t.Fatal(err)
	}
	return e
}

// onEngine connects to an engine that DOCKER_HOST does not name.
func onEngine(t *testing.T, e *enginetest.Engine) docker.Engine {
	t.Helper()
	eng, err := docker.ConnectTo(e.Host)
	testkit.OK(t, err)
	t.Cleanup(func() { _ = eng.Close() })
	return eng
}

// inContainer plans a job for a docker target whose file has these lines.
func inContainer(t *testing.T, _ *enginetest.Engine, program, image, target string, opts Options) Plan {
	t.Helper()
	job, root := load(t, files{"train.py": program, "data.txt": "data", "outputs/old.txt": "old",
		"aml_config/docker.compute":   "type: localdocker\nbaseDockerImage: " + image + "\n" + target,
		"aml_config/docker.runconfig": "Target: docker\nFramework: Python\nArgumentVector: [$file, one]\nEnvironmentVariables: {MODE: fast}\n"}, "docker", schema.Options{})
	opts.Project, opts.Script = root, "train.py"
	return newPlan(t, job, opts)
}

const pythonJob = `
import os, sys
print(sys.argv[1:], open("data.txt").read(), os.environ["MODE"], os.getcwd(), os.listdir("outputs"))
open("data.txt", "w").write("spoilt")
open("outputs/model.bin", "w").write("weights")
sys.exit(3)
`

// TestRunDocker runs a real Python script in a container of a real engine, with the project copied in and mounted.
func TestRunDocker(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, target string }{{"copied", ""}, {"mounted", "sharedVolumes: true\n"}} {
		t.Run(tt.name, func(t *testing.T) {
			e := engineHere(t)
			image := e.Python(t)
			plan := inContainer(t, e, pythonJob, image, tt.target, Options{Args: []string{"two"}})
			var out, errs bytes.Buffer
			res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs})
			testkit.OK(t, err)
			testkit.Same(t, "['one', 'two'] data fast /azureml-run []\n", out.String(), errs.String())
			testkit.Same(t, map[string]string{"old.txt": "old", "model.bin": "weights"}, read(t, plan))
			if b, _ := os.ReadFile(filepath.Join(plan.Project, "data.txt")); string(b) != "data" {
				t.Errorf("the job changed the project itself: %q", b)
			}
			if res.Outcome != Failed || res.Code != 3 || res.Outputs.Files != 1 || res.Evidence.Level != evidence.None {
				t.Errorf("%+v", res)
			}
			e.NothingLeft(t, plan.RunID.String())
		})
	}
}

// TestDeepOutputs makes folders whose paths grow longer than a program can name, and checks that what the engine leaves
// out is reported.
func TestDeepOutputs(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	for _, tt := range []struct {
		depth, files int
		want         string // empty: no warning
	}{
		{depth: 15, files: 15},
		{depth: 17, files: 16, want: "amlfix: outputs/d" + strings.Repeat("0", 51) + "…: left out: the Docker engine does not copy what has a path of more than 4095 bytes; there may be such files below this folder\n"},
	} {
		plan := inContainer(t, e, fmt.Sprintf("import os\nos.chdir('outputs')\nfor i in range(%d):\n  os.mkdir('d' + '0' * 239)\n  os.chdir('d' + '0' * 239)\n  open('f', 'w').close()\n", tt.depth), e.Python(t), "", Options{})
		var said bytes.Buffer
		res, err := Run(t.Context(), plan, RunOptions{Progress: progress.Lines(&said)})
		if err != nil || res.Outcome != Succeeded || res.Outputs.Files != tt.files {
			t.Errorf("%+v, %v", res, err)
		}
		if got := said.String(); tt.want == "" && strings.Contains(got, "left out") || !strings.Contains(got, tt.want) {
			t.Error(got)
		}
		e.NothingLeft(t, plan.RunID.String())
	}
}

// TestOldScriptRunsInContainer sets PYTHONPATH in the image, which the run must preserve.
func TestOldScriptRunsInContainer(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := "amlfix-test/pythonpath:1"
	e.Derive(t, image, e.Python(t), nil, "ENV PYTHONPATH=/azureml-run/own")
	plan := inContainer(t, e, oldScript, image, "", Options{})
	testkit.Write(t, plan.Project, "own/mine.py", "")
	var out bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &out})
	if err != nil || res.Outcome != Succeeded || !strings.Contains(out.String(), `"name": "loss", "value": 0.5}`) {
		t.Errorf("%+v, %v, %s", res, err, out.String())
	}
	e.NothingLeft(t, plan.RunID.String())
}

// TestEnvironmentIsPrepared checks that the job runs in the environment of its conda file, which is made once.
func TestEnvironmentIsPrepared(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Conda(t)
	job, root := load(t, files{"train.py": "import sys; print(sys.executable)\n", "aml_config/conda_dependencies.yml": "dependencies: [python=3.5, numpy] # runtime\n",
		"aml_config/docker.compute":      "type: localdocker\nbaseDockerImage: microsoft/gone:1\n",
		"aml_config/docker.runconfig":    "Target: docker\nFramework: Python\nArgumentVector: [train.py]\n",
		"aml_config/noprepare.runconfig": "Target: docker\nFramework: Python\nArgumentVector: [train.py]\nPrepareEnvironment: false\n"}, "docker", schema.Options{})
	other := jobOf(t, root, "noprepare", schema.Options{})
	opts := Options{Project: root, Images: map[string]string{"docker.io/microsoft/gone:1": image}, ImagesFrom: ".amlfix.yaml"}
	run := func(job *schema.Job) (res Result, stdout, stderr string, err error) {
		plan := newPlan(t, job, opts)
		var out, errs bytes.Buffer
		res, err = Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs})
		e.NothingLeft(t, plan.RunID.String())
		return res, out.String(), errs.String(), err
	}
	_, _, _, err := run(other)
	want := "aml_config/noprepare.runconfig:4: PrepareEnvironment is false, and the environment of aml_config/conda_dependencies.yml on image " + image +
		" has not been prepared yet: run `amlfix prepare -c noprepare` once"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	const program = "/opt/amlfix/env/bin/python\n"
	for i, j := range []*schema.Job{job, job, other} {
		res, out, errs, err := run(j)
		if err != nil || out != program || res.Environment.Made != (i == 0) || (strings.Contains(errs, enginetest.StandInMark+" conda env create")) != (i == 0) {
			t.Errorf("%d: %+v, %v, %q, %q", i, res, err, out, errs)
		}
		entry, err := record.ReadDir(res.Record)
		testkit.OK(t, err)
		rec := entry.Record
		if rec.Image == nil || rec.Image.Name != res.Environment.Image || rec.Environment == nil || rec.Environment.Base.Name != image || rec.Environment.Way != "conda" {
			t.Errorf("recorded %+v, %+v", rec.Image, rec.Environment)
		}
	}
}

// steps makes a plan run testjob in the small image instead of Python.
func steps(plan Plan, steps ...string) Plan {
	plan.Interpreter.Value, plan.Argv = "/testjob", nil
	for _, s := range steps {
		plan.Argv = append(plan.Argv, item{Value: s})
	}
	return plan
}

func TestRunDockerEnds(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Job(t)
	tests := []struct {
		name          string
		steps         []string
		opts          Options
		cancel        error
		outcome       Outcome
		code, jobCode int
		reason        string
	}{
		{name: "succeeds", steps: []string{"write:outputs/partial=x"}, outcome: Succeeded},
		{name: "memory", steps: []string{"write:outputs/partial=x", "alloc:200"}, opts: Options{Memory: 64 << 20}, outcome: OOMKilled, code: 137, jobCode: 137, reason: "the memory limit was 67.1 MB"},
		{name: "memory of a child", steps: []string{"write:outputs/partial=x", "try:alloc:200", "exit:3"}, opts: Options{Memory: 64 << 20}, outcome: OOMKilled, code: 3, jobCode: 3,
			reason: "the kernel ended a process that the job had started, because memory ran out; the memory limit was 67.1 MB"},
		{name: "time limit", steps: []string{"write:outputs/partial=x", "sleep:600s"}, opts: Options{Timeout: testkit.Limit}, outcome: TimedOut, code: 124, jobCode: 143, reason: "the time limit was " + testkit.Limit.String()},
		{name: "Ctrl-C, ends well", steps: []string{"write:outputs/partial=x", "graceful:bye", "out:up", "sleep:600s"}, cancel: &process.Signalled{Signal: os.Interrupt}, outcome: Cancelled, code: 130},
		{name: "program missing", steps: []string{"write:outputs/partial=x", "exit:127"}, outcome: Failed, code: 127, jobCode: 127, reason: "a program was not found in the image, perhaps /testjob itself"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			var plan Plan
			var res Result
			for n := 0; n == 0 || tt.outcome == OOMKilled && res.Outcome != OOMKilled && n < 8; n++ { // a busy engine can lose the kernel's event
				plan = steps(inContainer(t, e, "", image, "", tt.opts), tt.steps...)
				var err error
				res, err = Run(ctx, plan, RunOptions{Stdout: &cancelAt{text: "up", cancel: func() { cancel(tt.cancel) }}})
				testkit.OK(t, err)
			}
			testkit.Same(t, []any{tt.outcome, tt.code, tt.jobCode, tt.reason}, []any{res.Outcome, res.Code, res.JobCode, res.Reason})
			testkit.Same(t, map[string]string{"old.txt": "old", "partial": "x"}, read(t, plan))
			e.NothingLeft(t, plan.RunID.String())
		})
	}
}

// TestOutputsOfAContainerAreKept checks that outputs that cannot be written here stay where they are, and that their
// location is reported.
func TestOutputsOfAContainerAreKept(t *testing.T) {
	t.Parallel()
	for name, more := range map[string][]string{"outputs alone": nil, "together with another file": {"write:model.pt=y"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keptOutputs(t, append(more, "write:outputs/model.bin=weights", "write:outputs/fine=y"))
		})
	}
}

func keptOutputs(t *testing.T, program []string) {
	t.Helper()
	e := engineHere(t)
	plan := steps(inContainer(t, e, "", e.Job(t), "", Options{}), program...)
	testkit.OK(t, os.MkdirAll(filepath.Join(plan.Project, "outputs", "model.bin"), 0o755))
	res, err := Run(t.Context(), plan, RunOptions{})
	name := docker.ContainerName(plan.RunID.String())
	if err != nil || res.Outcome != Succeeded || res.Code != 125 || res.OutputsErr == nil || !strings.Contains(res.Sentence(), "they are kept in the container "+name) {
		t.Errorf("%+v, %v", res, err)
	}
	eng, err := docker.ConnectTo(e.Host)
	testkit.OK(t, err)
	defer func() { _ = eng.Close() }()
	if _, err := eng.Stat(t.Context(), name, docker.WorkDir+"/outputs/model.bin"); err != nil {
		t.Errorf("the only copy is gone: %v", err)
	}
	if rec, err := record.ReadDir(res.Record); err != nil || !strings.Contains(rec.Outputs.Error, "model.bin") || rec.Outputs.At != res.KeptAt {
		t.Errorf("%+v, %v", rec.Outputs, err)
	}
	fetched(t, res, filepath.Join(plan.Project, "outputs", "model.bin"), RunOptions{})
	testkit.Same(t, map[string]string{"model.bin": "weights", "fine": "y", "old.txt": "old"}, testkit.Contents(t, filepath.Join(plan.Project, "outputs")))
	e.NothingLeft(t, plan.RunID.String())
}

// TestOutputsOfARemovedContainer checks that outputs are reported as lost, not as kept, if the container is removed
// while the job runs.
func TestOutputsOfARemovedContainer(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	plan := steps(inContainer(t, e, "", e.Job(t), "", Options{}), "write:outputs/model.bin=weights", "out:up", "sleep:600s")
	name := docker.ContainerName(plan.RunID.String())
	remove := func() { e.Do(t, "DELETE", "/containers/"+name+"?force=1") }
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &cancelAt{text: "up", cancel: remove}})
	want := ": the container is gone: it was removed while the job was running; outputs are missing: its container " + name + " no longer exists, and the outputs are lost with it"
	if err != nil || res.Outcome != Failed || res.Code != 137 || !strings.HasSuffix(res.Sentence(), want) {
		t.Errorf("%s, %v", res.Sentence(), err)
	}
	if rec, err := record.ReadDir(res.Record); err != nil || !rec.OutputsLost() {
		t.Errorf("%+v, %v", rec.Outputs, err)
	}
}

func TestSharedFolder(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image, share := e.Job(t), t.TempDir()
	plan := steps(inContainer(t, e, "", image, "sharedVolumes: true\nnativeSharedDirectory: "+share+"\n", Options{}), "env:AZUREML_NATIVE_SHARE_DIRECTORY", "write:/azureml-share/cache=kept")
	var out bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out})
	if err != nil || res.Outcome != Succeeded || out.String() != "AZUREML_NATIVE_SHARE_DIRECTORY=\"/azureml-share/\" true\n" {
		t.Fatalf("%+v, %v, %q", res, err, out.String())
	}
	if b, err := os.ReadFile(filepath.Join(share, "digits", "cache")); err != nil || string(b) != "kept" {
		t.Errorf("%q, %v", b, err)
	}
	e.NothingLeft(t, plan.RunID.String())
}

// TestRemoteEngine reaches the engine over TCP, as on another machine: no folder on this machine can be mounted there,
// so the shared folder is a volume, which the next run finds again.
func TestRemoteEngine(t *testing.T) {
	e := engineHere(t)
	image, share := e.Job(t), t.TempDir()
	target := "sharedVolumes: true\nnativeSharedDirectory: " + share + "\n"
	for _, tt := range []struct{ step, want string }{{"write:/azureml-share/cache=kept", ""}, {"cat:/azureml-share/cache", "kept"}} {
		plan := steps(inContainer(t, e, "", image, target, Options{}), "cat:data.txt", "env:AZUREML_NATIVE_SHARE_DIRECTORY", "write:outputs/new=x", tt.step)
		t.Setenv("DOCKER_HOST", e.OverTCP(t))
		var out, said bytes.Buffer
		moved := int64(0)
		lines := progress.Lines(&said)
		res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Progress: func(v progress.Event) {
			if v.Transfer() && v.Text == "copying outputs back," {
				moved = v.Moved
			}
			lines(v)
		}})
		if err != nil || res.Outcome != Succeeded || out.String() != "dataAZUREML_NATIVE_SHARE_DIRECTORY=\"/azureml-share/\" true\n"+tt.want {
			t.Errorf("%+v, %v, %q", res, err, out.String())
		}
		if want := "the shared folder is its volume amlfix-share-digits (aml_config/docker.compute:4)\n"; !strings.Contains(said.String(), want) {
			t.Errorf("said %s", said.String())
		}
		if moved == 0 {
			t.Error("nothing was said of the outputs on their way")
		}
		testkit.Same(t, map[string]string{"old.txt": "old", "new": "x"}, read(t, plan))
		e.NothingLeft(t, plan.RunID.String())
	}
}

func TestRunDockerIsNotStarted(t *testing.T) {
	e := engineHere(t)
	image := e.Job(t)
	const closed = "127.0.0.1:1" // nothing listens there
	for _, tt := range []struct {
		name, image, target, host, want string
		problem                         docker.Problem
	}{
		{name: "no GPU", image: image, target: "nvidiaDocker: true\n", problem: docker.GPUUnsupported, want: "aml_config/docker.compute:3: this Docker engine cannot provide GPUs: install NVIDIA Container Toolkit"},
		{name: "no registry", image: closed + "/a:1", problem: docker.RegistryAway, want: "aml_config/docker.compute:2: image " + closed + "/a:1: the engine cannot reach"},
		{name: "no engine", image: image, host: "unix:///nonexistent/docker.sock", problem: docker.NoEngine, want: "no Docker engine answers at unix:///nonexistent/docker.sock: start it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := steps(inContainer(t, e, "", tt.image, tt.target, Options{}), "out:ran")
			if tt.host != "" {
				t.Setenv("DOCKER_HOST", tt.host)
			}
			var out bytes.Buffer
			res, err := Run(t.Context(), plan, RunOptions{Stdout: &out})
			if !docker.Is(err, tt.problem) || res.Outcome != NotStarted || res.Code != 125 || !strings.HasPrefix(Explain(err), tt.want) || out.Len() > 0 {
				t.Errorf("%+v, %v", res, err)
			}
			e.NothingLeft(t, plan.RunID.String())
		})
	}
}

// TestImageWithoutPython checks that an image whose Python is called python3 runs the job with it, and that a check
// finds this; the check refuses an image without any Python.
func TestImageWithoutPython(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	const only3, none = "amlfix-test/python3:1", "amlfix-test/nopython:1"
	e.Derive(t, only3, e.Python(t), map[string]string{"/opt/bin/python3": "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n"}, "ENV PATH=/usr/sbin:/opt/bin:/bin")
	e.Derive(t, none, e.Python(t), nil, "ENV PATH=/usr/sbin:/bin")
	for _, tt := range []struct {
		image, check, said string
		code               int
	}{
		{e.Python(t), "", "", 0},
		{only3, "ok program image " + only3 + " has no python; python3 is started instead", "image " + only3 + " has no python: python3 is started instead", 0},
		{none, "failed program image " + none + " has no program python, and none that could replace it", "", 127},
	} {
		t.Run(tt.image, func(t *testing.T) {
			plan := inContainer(t, e, "print('ran')\n", tt.image, "", Options{})
			checks, err := CheckRun(t.Context(), plan, RunOptions{Engine: onEngine(t, e)})
			testkit.OK(t, err)
			check := ""
			for _, c := range checks {
				if c.Topic == preflight.Program {
					check = string(c.Status) + " program " + c.Text
				}
			}
			e.NothingLeft(t, plan.RunID.String())
			var out, said bytes.Buffer
			res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Engine: onEngine(t, e), Progress: progress.Lines(&said)})
			if check != tt.check || err != nil || res.Code != tt.code || (out.String() == "ran\n") != (tt.code == 0) || !strings.Contains(said.String(), tt.said) || tt.said == "" && strings.Contains(said.String(), "instead") {
				t.Errorf("check %q, run %+v, %v, %q\n%s", check, res, err, out.String(), said.String())
			}
			e.NothingLeft(t, plan.RunID.String())
		})
	}
}

// TestEvidenceOfAStandIn checks that a job on stand-in GPUs is not reported as using real ones. See enginetest.GPU.
func TestEvidenceOfAStandIn(t *testing.T) {
	t.Parallel()
	e := enginetest.StartRuntimeGPU(t)
	image := e.Job(t)
	plan := steps(inContainer(t, e.Engine, "", image, "nvidiaDocker: true\n", Options{}), "env:AMLFIX_GPU",
		"err:Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 06c3:00:00.0)\n")
	var out bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &out, Engine: onEngine(t, e.Engine)})
	if err != nil || res.Outcome != Succeeded || res.GPUWay != docker.ByRuntime {
		t.Fatalf("%+v, %v", res, err)
	}
	if s := res.Evidence.Sentence(); !strings.HasPrefix(s, "STAND-IN, not a real GPU: GPU used: Tesla K80") || res.Evidence.Proven() {
		t.Errorf("%s\n%s", s, out.String())
	}
	e.NothingLeft(t, plan.RunID.String())
}

// TestLostEngine removes the engine for good, as far as the run can tell.
func TestLostEngine(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	plan := steps(inContainer(t, e, "", e.Job(t), "", Options{}), "out:up", "sleep:600s")
	eng, err := docker.Connect()
	testkit.OK(t, err)
	defer func() { _ = eng.Close() }()
	lost := &lostEngine{Engine: eng, gone: make(chan struct{})}
	res, err := Run(t.Context(), plan, RunOptions{Engine: lost, Stdout: &cancelAt{text: "up", cancel: func() { close(lost.gone) }}})
	if err == nil || res.Outcome != Lost || res.Code != 125 || res.Container != docker.ContainerName(plan.RunID.String()) {
		t.Errorf("%+v, %v", res, err)
	}
	testkit.Same(t, []string{res.Container}, e.Containers(t, plan.RunID.String()), "a lost container was touched")
	if err := eng.Remove(t.Context(), res.Container); err != nil {
		t.Error(err)
	}
}

// lostEngine is the real engine until gone is closed; from then on it behaves as if its machine were destroyed.
type lostEngine struct {
	docker.Engine
	gone chan struct{}
}

var errBurnt = &docker.Error{Problem: docker.ContainerGone, Err: errors.New("burnt down")}

func (l *lostEngine) Wait(ctx context.Context, id string, next bool) <-chan docker.Waited {
	real, out := l.Engine.Wait(ctx, id, next), make(chan docker.Waited, 1)
	go func() {
		select {
		case w := <-real:
			out <- w
		case <-l.gone:
			out <- docker.Waited{Err: errBurnt}
		}
	}()
	return out
}

func (l *lostEngine) State(ctx context.Context, id string) (docker.State, error) {
	select {
	case <-l.gone:
		return docker.State{}, errBurnt
	default:
		return l.Engine.State(ctx, id)
	}
}
