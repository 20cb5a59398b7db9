//go:build unix

package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// shellJobs is a project whose interpreter is the shell, which is available everywhere.
const shellJobs = `
-- aml_config/local.compute --
type: local
pythonLocation: /bin/sh
-- aml_config/local.runconfig --
ArgumentVector: [$file]
Target: local
Framework: Python
EnvironmentVariables:
  WHO: world
-- job.sh --
echo "hello $WHO: $*"
echo "to stderr" >&2
mkdir -p outputs && echo "$1" > outputs/model.txt
exit ${CODE:-0}
-- fail.sh --
exit 42
-- gpu.sh --
echo 'I tensorflow/core/common_runtime/gpu/gpu_device.cc:1030] Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 0000:86:00.0)'
-- slow.sh --
echo started
sleep 60
-- stubborn.sh --
trap '' INT TERM
echo started
while :; do sleep 1; done
`

// lastLine returns the last line of text.
func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

func TestRun(t *testing.T) {
	dir := testkit.Folder(t, shellJobs)
	testkit.Write(t, dir, "tool.yml", "key: value\n")
	tests := []struct {
		args string
		code int
		out  string // all of it
		err  string // part of it
		last string // beginning of the last line
	}{
		{"run job.sh --epochs 3 -c x --gpu", 0, "hello world: --epochs 3 -c x --gpu\n", "to stderr\n", "amlfix: run 2"},
		{"run -c local job.sh", 0, "hello world: \n", "succeeded", "amlfix: run 2"},
		{"run --run-configuration=local -t local -- job.sh -x", 0, "hello world: -x\n", "succeeded", "amlfix: run 2"},
		{"run -c aml_config/local.runconfig job.sh", 0, "hello world: \n", "succeeded", "amlfix: run 2"},
		{"run fail.sh", 42, "", "failed with exit code 42", "amlfix: run 2"},
		{"run --require-gpu job.sh", console.NoGPU, "hello world: \n", "--require-gpu: nothing", "amlfix: no evidence"},
		{"run --require-gpu fail.sh", 42, "", "failed with exit code 42", "amlfix: no evidence"},
		{"run --timeout 300ms slow.sh", console.TimedOut, "started\n", "timed out", "amlfix: run 2"},
		{"run nothere.sh", console.NotStarted, "", "there is no script nothere.sh", "amlfix: not started: "},
		{"run aml_config", console.NotStarted, "", "aml_config is a folder, not a script: give the path of a file in it", "amlfix: not started: "},
		{"run .", console.NotStarted, "", ". is a folder, not a script", "amlfix: not started: "},
		{"run aml_config/local.runconfig", console.BadUsage, "", "aml_config/local.runconfig is a run configuration, not a script: write -c aml_config/local.runconfig", "See: amlfix run --help"},
		{"run --plan tool", console.Failure, "", "tool: no such file or folder; did you mean tool.yml?", "amlfix: tool: "},
		{"run -c local tool", console.NotStarted, "", "there is no script tool in ", "amlfix: not started: "},
		{"run ../job.sh", console.NotStarted, "", "the script ../job.sh is outside the project folder ", "amlfix: not started: "},
		{"run jbo.sh", console.NotStarted, "", "; did you mean job.sh?", "amlfix: not started: "},
		{"run sub/job.sh", console.NotStarted, "", "; did you mean job.sh?", "amlfix: not started: "},
		{"run", console.BadUsage, "", "has no script", "See: amlfix run --help"},
		{"run -c lokal job.sh", console.BadUsage, "", "did you mean local?", "See: amlfix run --help"},
		{"run -t vm job.sh", console.BadUsage, "", "no run configuration runs on this target", "See: amlfix run --help"},
		{"run -c nothere.runconfig job.sh", console.BadUsage, "", "no such file", "See: amlfix run --help"},
		{"run --timeout 5 job.sh", console.BadUsage, "", "90s, 30m or 2h", "See: amlfix run --help"},
		{"run --timeout -5s job.sh", console.BadUsage, "", "90s, 30m or 2h", "See: amlfix run --help"},
		{"run --require-gpus job.sh", console.BadUsage, "", "did you mean --require-gpu?", "See: amlfix run --help"},
		{"run --require-gpu --gpus none job.sh", console.BadUsage, "", "exclude each other", "See: amlfix run --help"},
		{"run --gpu vm job.sh", console.BadUsage, "", "There are: local", "See: amlfix run --help"},
		{"run -c", console.BadUsage, "", "-c needs a value: -c NAME", "See: amlfix run --help"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			r := amlfix(t, dir, strings.Fields(tt.args)...)
			if r.code != tt.code || r.out != tt.out || !strings.Contains(r.err, tt.err) || !strings.HasPrefix(lastLine(r.err), tt.last) {
				t.Errorf("got exit %d\nstdout: %q\nstderr: %s\nwant exit %d, %q, %q, last %q", r.code, r.out, r.err, tt.code, tt.out, tt.err, tt.last)
			}
		})
	}
	amlfix(t, dir, "run", "nothere.sh")
	if r := amlfix(t, dir, "runs", "logs"); r.code != 0 || r.out != "" || !strings.Contains(r.err, " has printed nothing: not started: ") {
		t.Errorf("the log of a run that was not started: %+v", r)
	}
	if got := testkit.Read(t, dir, "outputs/model.txt"); got != "\n" && got != "-x\n" {
		t.Errorf("outputs/model.txt is %q", got)
	}
}

// TestRunScriptOfRoot checks that a script of the project's root is found from a folder below it that has a job file of
// a similar name, and by a path that leads back into the project.
func TestRunScriptOfRoot(t *testing.T) {
	dir := testkit.Folder(t, shellJobs+"-- sub/job.yml --\n")
	for args, in := range map[string]string{"run --plan job.sh": filepath.Join(dir, "sub"), "run --plan -- -job": filepath.Join(dir, "sub"), "run ../" + filepath.Base(dir) + "/job.sh": dir} {
		if r := amlfix(t, in, strings.Fields(args)...); r.code != 0 {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := amlfix(t, filepath.Join(dir, "sub"), "run", "--plan", "--format", "json", "job.yl"); r.code != console.Failure || !strings.Contains(r.out, `"errors":["job.yl: no such file or folder; did you mean job.yml?"]`) {
		t.Errorf("a job file with a slip: %+v", r)
	}
}

// TestRunChoosesItsOwn checks that a copy of the run configuration in outputs/, which a job may have left, does not
// count as a second one, unless its own script is to run; any other one does.
func TestRunChoosesItsOwn(t *testing.T) {
	dir := testkit.Folder(t, shellJobs+"-- outputs/old/local.runconfig --\nTarget: local\nFramework: Python\n-- outputs/old/job.sh --\n-- src/x --\n")
	for _, in := range []string{dir, filepath.Join(dir, "src")} {
		for _, args := range []string{"run --plan job.sh", "run -c local --plan job.sh", "run -t local --plan job.sh"} {
			if r := amlfix(t, in, strings.Fields(args)...); r.code != 0 || !strings.Contains(r.out, "WHO=world") {
				t.Errorf("%s: %+v", args, r)
			}
		}
	}
	asks := func(args ...string) {
		t.Helper()
		if r := amlfix(t, dir, append([]string{"run", "--plan"}, args...)...); r.code != console.BadUsage || !strings.Contains(r.err, "choose one with -c") {
			t.Errorf("%+v", r)
		}
	}
	asks("outputs/old/job.sh")
	testkit.Write(t, dir, "outputs/old/train.runconfig", "Target: local\n")
	asks("job.sh")
	testkit.OK(t, os.RemoveAll(filepath.Join(dir, "outputs")))
	testkit.Write(t, dir, "exp/aml_config/local.runconfig", testkit.Read(t, dir, "aml_config/local.runconfig"))
	asks("job.sh")
}

// TestRunCheck checks that --check reports what it found and starts nothing. The interpreter of these jobs is not
// Python.
func TestRunCheck(t *testing.T) {
	dir := testkit.Folder(t, shellJobs)
	r := amlfix(t, dir, "run", "--check", "job.sh")
	want := "ok        project      "
	if r.code != console.NotStarted || !strings.HasPrefix(r.out, want) ||
		!strings.Contains(r.out, "\nfailed    program      aml_config/local.compute:2: /bin/sh does not work as a Python interpreter: it cannot run a small Python script\n                       -> set a working one in pythonLocation\n") ||
		r.err != "amlfix: run configuration local cannot be started on target local: 1 obstacle\n" {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "run", "--check"); r.code != console.NotStarted || !strings.Contains(r.err, "cannot be started on target local: 1 obstacle\n") {
		t.Errorf("a check without a script: %+v", r)
	}
	if r := amlfix(t, dir, "run", "--check", "nothere.sh"); r.code != console.NotStarted || !strings.Contains(r.out, "there is no script nothere.sh") {
		t.Errorf("a check of a script that is not there: %+v", r)
	}
	r = amlfix(t, dir, "run", "--check", "--format", "json", "nothere.sh")
	var report struct {
		Jobs []struct {
			Target string
			Checks []struct {
				Topic, Status, Path string
				Line                int
				Stops               bool
			}
		}
	}
	testkit.OK(t, json.Unmarshal([]byte(r.out), &report))
	if c := report.Jobs[0].Checks[0]; r.code != console.NotStarted || report.Jobs[0].Target != "local" || c.Topic != "project" || c.Status != "failed" || !c.Stops || c.Path != "aml_config/local.runconfig" || c.Line == 0 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(dir, ".amlfix")); err == nil {
		t.Error("a check has left a record")
	}
	python := testkit.Program(t, "python3")
	dir = testkit.Folder(t, strings.Replace(shellJobs, "/bin/sh", python, 1))
	if r := amlfix(t, dir, "run", "--check", "job.sh"); r.code != 0 || !strings.Contains(r.out, "\nok        program      "+python+" is Python 3.") || !strings.HasPrefix(r.err, "amlfix: run configuration local can be started on target local") {
		t.Errorf("%+v", r)
	}
}

// TestRunSaysWhichGPU has a script print what TensorFlow prints when it uses a GPU, which is believed only if there is
// a driver.
func TestRunSaysWhichGPU(t *testing.T) {
	want, short, code := "GPU used: Tesla K80 (TensorFlow, log line 1: ", "Tesla K80", 0
	if exec.Command("sh", "-c", "[ -e /proc/driver/nvidia/version ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ] || nvidia-smi -L").Run() != nil {
		want, short, code = "CPU only: the machine where the job ran has no NVIDIA driver, so a line in the log that mentions a GPU proves nothing (TensorFlow, log line 1: ", "CPU only", console.NoGPU
	}
	dir := testkit.Folder(t, shellJobs)
	r := amlfix(t, dir, "run", "--require-gpu", "gpu.sh")
	if r.code != code || !strings.HasPrefix(lastLine(r.err), "amlfix: "+want) {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "list"); !strings.Contains(r.out, "  "+short+"  ") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "show"); !strings.Contains(r.out, want) {
		t.Errorf("%+v", r)
	}
}

func TestRunFindsTheProjectAbove(t *testing.T) {
	dir := testkit.Folder(t, shellJobs+"-- src/deep/x --\n")
	if r := amlfix(t, filepath.Join(dir, "src", "deep"), "run", "job.sh"); r.code != 0 || r.out != "hello world: \n" {
		t.Errorf("%+v", r)
	}
}

func TestHelpOfHelp(t *testing.T) {
	want := amlfix(t, t.TempDir(), "--help")
	for _, args := range [][]string{{"help", "help"}, {"help", "--help"}, {"help"}} {
		if d := cmp.Diff(want, amlfix(t, t.TempDir(), args...), cmp.AllowUnexported(result{})); d != "" {
			t.Errorf("%q:\n%s", args, d)
		}
	}
}

// TestRunTakesTheScriptThatIsNamed checks that a script is looked up relative to the working directory before the
// project's root is searched.
func TestRunTakesTheScriptThatIsNamed(t *testing.T) {
	dir := testkit.Folder(t, shellJobs+"-- src/job.sh --\necho from src\n-- src/deep/x --\n-- job2.sh --\necho from the root\n")
	for _, tt := range []struct{ at, script, out, said string }{
		{".", "./job.sh", "hello world: \n", ""},
		{"src", "./job.sh", "from src\n", ""},
		{"src", "job.sh", "from src\n", "using job.sh in this folder"},
		{"src", "../job.sh", "hello world: \n", ""},
		{"src", "job2.sh", "from the root\n", ""},
		{"src", "src/job.sh", "from src\n", ""},
		{"src/deep", "../job.sh", "from src\n", ""},
		{"src", "./job2.sh", "", "no script src/job2.sh"},
		{"src/deep", "./job.sh", "", "no script src/deep/job.sh"},
		{"aml_config", "job.sh", "hello world: \n", ""},
	} {
		r := amlfix(t, filepath.Join(dir, filepath.FromSlash(tt.at)), "run", tt.script)
		if r.out != tt.out || (r.code == 0) != (tt.out != "") || !strings.Contains(r.err, tt.said) || tt.said == "" && strings.Contains(r.err, "one in this") {
			t.Errorf("%s in %s: %+v", tt.script, tt.at, r)
		}
	}
}

// TestRunSaysWhatGoesToTheScript checks that no flag of amlfix is silently passed to the script.
func TestRunSaysWhatGoesToTheScript(t *testing.T) {
	dir := testkit.Folder(t, shellJobs)
	const said = "after the script is passed to the script"
	for line, want := range map[string]string{
		"run job.sh --plan":                       "--plan " + said,
		"run job.sh --epochs 3 -c x --gpu=a":      "-c, --gpu " + said,
		"run job.sh --epochs 3 --verbose --plane": "",
		"run -- job.sh --plan":                    "",
		"run --plan job.sh":                       "",
	} {
		if r := amlfix(t, dir, strings.Fields(line)...); r.code != 0 || (want == "") == strings.Contains(r.err, said) || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", line, r)
		}
	}
}

// TestRunNamesAllObstacles checks that a run that is not started reports everything else that prevents it, once each.
func TestRunNamesAllObstacles(t *testing.T) {
	dir := testkit.Folder(t, strings.Replace(shellJobs, "/bin/sh", "/nowhere/python", 1))
	r := amlfix(t, dir, "run", "nothere.sh")
	if r.code != console.NotStarted || strings.Count(r.err, "there is no script nothere.sh") != 1 || !strings.Contains(r.err, "amlfix: also: aml_config/local.compute:2: /nowhere/python: no such program") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "run", "job.sh"); strings.Contains(r.err, "also: ") {
		t.Errorf("%+v", r)
	}
}

func TestRunWithoutItsProgram(t *testing.T) {
	dir := testkit.Folder(t, strings.Replace(shellJobs, "/bin/sh", "/nowhere/python", 1))
	if r := amlfix(t, dir, "run", "job.sh"); r.code != 127 || !strings.Contains(r.err, "aml_config/local.compute:2") {
		t.Errorf("%+v", r)
	}
	dir = testkit.Folder(t, strings.Replace(shellJobs, "/bin/sh", "./tool", 1)+"-- tool --\nnot a program\n")
	if r := amlfix(t, dir, "run", "job.sh"); r.code != 126 {
		t.Errorf("%+v", r)
	}
}

// brokenJob has a problem that --apply repairs.
const brokenJob = `
-- aml_config/job.compute --
type: local
pythonLocation: /bin/sh
-- aml_config/job.runconfig --
ArgumentVector: [$file]
Target: job
Framework: python
-- aml_config/other.compute --
type: loal
-- job.sh --
echo it ran
`

func TestRunRefusesFaultyFiles(t *testing.T) {
	dir := testkit.Folder(t, brokenJob)
	r := amlfix(t, dir, "run", "job.sh")
	if r.code != console.NotStarted || r.out != "" || !strings.Contains(r.err, "aml_config/job.runconfig:3:12: error:") {
		t.Errorf("%+v", r)
	}
	if strings.Contains(r.err, "other.compute") {
		t.Errorf("a fault in a file of another job is shown: %s", r.err)
	}
	before := testkit.Read(t, dir, "aml_config/job.runconfig")
	r = amlfix(t, dir, "run", "--plan", "--apply", "job.sh")
	if r.code != 0 || !strings.Contains(r.out, "program      /bin/sh") || !strings.Contains(r.err, "to be repaired") {
		t.Errorf("%+v", r)
	}
	if got := testkit.Read(t, dir, "aml_config/job.runconfig"); got != before {
		t.Errorf("--plan has written %q", got)
	}
	r = amlfix(t, dir, "run", "--apply", "job.sh")
	if r.code != 0 || r.out != "it ran\n" || !strings.Contains(r.err, "job.runconfig:3: repaired:") {
		t.Errorf("%+v", r)
	}
	if got, want := testkit.Read(t, dir, "aml_config/job.runconfig"), strings.Replace(before, "python", "Python", 1); got != want {
		t.Errorf("repaired to %q, want %q", got, want)
	}
	testkit.Same(t, "type: loal\n", testkit.Read(t, dir, "aml_config/other.compute"), "a file of another job was changed")
}

// TestRunOnRemoteTargets goes as far as possible without another machine, whose name cannot be resolved.
func TestRunOnRemoteTargets(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/conda_dependencies.yml --\ndependencies: [python=3.5.2]\n-- aml_config/spark_dependencies.yml --\nconfiguration: {}\n-- job.sh --\n")
	for _, kind := range []string{"remotedocker", "cluster", "remote"} {
		if r := amlfix(t, dir, "attach", kind, "-n", kind, "-a", "a-ssh.azurehdinsight.invalid", "-u", "me"); r.code != 0 {
			t.Fatalf("%+v", r)
		}
		r := amlfix(t, dir, "run", "-c", kind, "job.sh")
		if r.code != console.NotStarted || !strings.Contains(r.err, "me@a-ssh.azurehdinsight.invalid:22: ") || !strings.Contains(r.err, kind+".compute:") {
			t.Errorf("%s: %+v", kind, r)
		}
	}
}

func TestRunCancelled(t *testing.T) {
	for name, tt := range map[string]struct {
		cause error
		code  int
	}{
		"by Ctrl-C":        {&process.Signalled{Signal: os.Interrupt}, 130},
		"by SIGTERM":       {&process.Signalled{Signal: syscall.SIGTERM}, 143},
		"by the program":   {context.Canceled, 143},
		"before the start": {&process.Signalled{Signal: os.Interrupt}, 130},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := testkit.Folder(t, shellJobs)
			ctx, cancel := context.WithCancelCause(t.Context())
			if name == "before the start" {
				cancel(tt.cause)
			} else {
				time.AfterFunc(300*time.Millisecond, func() { cancel(tt.cause) })
			}
			r := amlfixWith(ctx, dir, nil, "run", "slow.sh")
			if r.code != tt.code {
				t.Errorf("%+v, want exit %d", r, tt.code)
			}
		})
	}
}

// TestCtrlC sends real signals to a real process.
func TestCtrlC(t *testing.T) {
	for name, tt := range map[string]struct {
		script  string
		signals int
	}{
		"once, to a job that listens": {"slow.sh", 1},
		"twice, to one that does not": {"stubborn.sh", 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir := testkit.Folder(t, shellJobs)
			cmd := spawn(t, dir, "run", tt.script)
			var out, stderr testkit.Buffer
			cmd.Stdout, cmd.Stderr = &out, &stderr
			testkit.OK(t, cmd.Start())
			out.Await(t, "started")
			testkit.OK(t, cmd.Process.Signal(os.Interrupt))
			if tt.signals == 2 {
				stderr.Await(t, "stopping the job")
				began := time.Now()
				time.Sleep(200 * time.Millisecond) // two that arrive together, or nearly so, count as one
				testkit.OK(t, cmd.Process.Signal(os.Interrupt))
				stderr.Await(t, "killing the job")
				if took := time.Since(began); took > process.DefaultGrace-time.Second {
					t.Errorf("the second signal killed nobody: the grace did it, after %v", took)
				}
			}
			_ = cmd.Wait()
			want := []string{"", "cancelled: stopping the job, which has 10s to end; Ctrl-C again kills it at once", "cancelled: killing the job"}[:1+tt.signals]
			said := strings.Replace("\n"+stderr.String(), "\namlfix: running /bin/sh\n", "\n", 1) // the job may print first
			if !strings.Contains(said, strings.Join(want, "\namlfix: ")+"\n") || strings.Count(said, "killing") != tt.signals-1 {
				t.Errorf("want %q in:\n%s", want, said)
			}
			rec, err := record.ReadDir(record.Dir(dir, runid.MustParse(runIDs(t, dir)[0])))
			if err != nil || cmd.ProcessState.ExitCode() != 130 {
				t.Errorf("exit %d, %v, %+v\n%s", cmd.ProcessState.ExitCode(), err, rec.Record, stderr.String())
			}
		})
	}
}

func TestRunPlan(t *testing.T) {
	dir := testkit.Folder(t, shellJobs)
	r := amlfix(t, dir, "run", "--plan", "--timeout", "90s", "job.sh", "--epochs", "3")
	want := `target       local  (aml_config/local.runconfig:2)
runs         local  (aml_config/local.compute:1)
program      /bin/sh  (aml_config/local.compute:2)
argument     job.sh  (aml_config/local.runconfig:1, $file is the script of the command line)
argument     --epochs  (command line)
argument     3  (command line)
variable     WHO=world  (aml_config/local.runconfig:5)
variable     PYTHONUNBUFFERED=1  (default: output is not buffered)
project      DIR  (a copy of it is the working folder)
outputs      outputs/  (what the job writes there is copied back)
time limit   1m30s  (command line)
`
	got := regexp.MustCompile(regexp.QuoteMeta(dir)).ReplaceAllString(r.out, "DIR")
	if d := cmp.Diff(want, got); d != "" || r.code != 0 {
		t.Errorf("exit %d, %s\n%s", r.code, r.err, d)
	}
	if _, err := os.Stat(filepath.Join(dir, "outputs")); err == nil {
		t.Error("--plan has run the job")
	}
}

// TestCheckCommand checks that --check does not find that a job can be started that a run refuses.
func TestCheckCommand(t *testing.T) {
	dir := testkit.Folder(t, `
-- .azureml/train.runconfig --
command: echo a && python train.py
target: local
framework: Python
environment: {python: {userManagedDependencies: true, interpreterPath: python3}}
-- train.py --
`)
	for _, tt := range []struct {
		args, err string
		code      int
	}{
		{"run", "runs a command only in an Azure ML v2 job", console.NotStarted},
		{"run --check", "runs a command only in an Azure ML v2 job", console.NotStarted},
		{"run --check train.py", "can be started on target local", console.OK},
		{"prepare", "nothing to prepare", console.OK},
	} {
		if r := amlfix(t, dir, strings.Fields(tt.args)...); r.code != tt.code || !strings.Contains(r.err, tt.err) {
			t.Errorf("%s: %+v", tt.args, r)
		}
	}
}
