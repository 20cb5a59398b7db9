//go:build linux

package runtime

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// onHost plans a job that uses the user's own Python behind the server.
func onHost(t *testing.T, s *sshtest.Server, program, target string) Plan {
	t.Helper()
	job, root := load(t, files{"train.py": program, "data.txt": "data", "a folder/it's.txt": "deep", "outputs/old.txt": "old", ".amlignore": "secret.txt\n", "secret.txt": "x",
		"aml_config/vm.compute":   "type: remote\naddress: " + s.Address() + "\nusername: worker\n" + target,
		"aml_config/vm.runconfig": "Target: vm\nFramework: Python\nArgumentVector: [$file, --epochs, 3]\nEnvironmentVariables:\n  MODE: fast lane\n  STORAGE_KEY: hunter2-key\n"}, "vm", schema.Options{})
	return newPlan(t, job, Options{Project: root, Script: "train.py", Args: []string{"two words", "it's"}})
}

// emptyThere fails the test if a run has left its folder on the host.
func emptyThere(t *testing.T, s *sshtest.Server) {
	t.Helper()
	if left, _ := os.ReadDir(filepath.Join(s.HomeOf(sshtest.Worker), ".amlfix", "runs")); len(left) > 0 {
		t.Errorf("folders were left behind: %v", left)
	}
}

const hostJob = `
import os, sys
from azureml.logging import get_azureml_logger
get_azureml_logger().log("accuracy", 0.5)
print(sys.argv[1:], os.environ["MODE"], os.environ["STORAGE_KEY"][:7], open("a folder/it's.txt").read(), os.path.exists("secret.txt"), os.listdir("outputs"))
open(os.environ["AZUREML_NATIVE_SHARE_DIRECTORY"] + "model.bin", "w").write("kept")
open("outputs/model.bin", "w").write("weights")
open("outputs/closed", "w").write("shut")
os.chmod("outputs/closed", 0)
sys.exit(3)
`

func TestRunRemote(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	plan := onHost(t, s, hostJob, "pythonLocation: python3\nnativeSharedDirectory: ~/my share\n")
	var shown, out, errs bytes.Buffer
	_, _ = plan.WriteTo(&shown)
	for _, want := range []string{"runs         remote  (aml_config/vm.compute:1)\n", "host         " + s.Address() + "  (aml_config/vm.compute:2)\n",
		"program      python3  (aml_config/vm.compute:4)\n", "STORAGE_KEY=***", "share        \"~/my share/digits\"  (aml_config/vm.compute:5)\n"} {
		testkit.Has(t, shown.String(), want)
	}
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
	testkit.OK(t, err)
	testkit.Same(t, "['--epochs', '3', 'two words', \"it's\"] fast lane hunter2 deep False []\n", out.String(), errs.String())
	testkit.Same(t, map[string]string{"old.txt": "old", "model.bin": "weights", "closed": "shut"}, read(t, plan))
	if res.Outcome != Failed || res.Code != 3 || res.Outputs.Files != 2 || res.Folder != "" {
		t.Errorf("%+v", res)
	}
	if d := res.Duration(); d <= 0 || d >= time.Minute || res.Started.Nanosecond() == 0 && res.Ended.Nanosecond() == 0 {
		t.Errorf("it took %v", d)
	}
	if b, err := os.ReadFile(filepath.Join(s.HomeOf(sshtest.Worker), "my share", "digits", "model.bin")); string(b) != "kept" {
		t.Errorf("%q, %v", b, err)
	}
	metrics, err := os.ReadFile(filepath.Join(res.Record, "metrics.jsonl"))
	if err != nil || !bytes.Contains(metrics, []byte("accuracy")) {
		t.Errorf("%s, %v", metrics, err)
	}
	emptyThere(t, s)
	holdsNot(t, res.Record, "hunter2-key")
}

// TestOutputsThereAreFetched checks that outputs that cannot be written here are kept on the other machine, and fetched
// once the obstacle is gone.
func TestOutputsThereAreFetched(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	plan := onHost(t, s, "import os\nfor name in 'model.bin', 'fine': open('outputs/' + name, 'w').write(name)\n", "pythonLocation: python3\n")
	inWay := filepath.Join(plan.Project, "outputs", "model.bin")
	testkit.OK(t, os.MkdirAll(inWay, 0o755))
	opts := RunOptions{SSH: ssh.Options{Home: s.Home}}
	res, err := Run(t.Context(), plan, opts)
	if err != nil || res.Outcome != Succeeded || res.Code != 125 || !strings.Contains(res.Sentence(), "they are kept in worker@"+s.Address()+":") {
		t.Fatalf("%+v, %v", res, err)
	}
	fetched(t, res, inWay, opts)
	testkit.Same(t, map[string]string{"old.txt": "old", "model.bin": "model.bin", "fine": "fine"}, read(t, plan))
	emptyThere(t, s)
}

// TestRemoteProjectNames checks that a project may have the same name as a file that a run keeps on another machine.
func TestRemoteProjectNames(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	for _, name := range []string{"out", "exit", "-n", "it's mine"} {
		plan := onHost(t, s, "open('outputs/model.bin', 'w').write('weights')\nprint('done')\n", "pythonLocation: python3\n")
		called := filepath.Join(filepath.Dir(plan.Project), name)
		testkit.OK(t, os.Rename(plan.Project, called))
		plan.Project = called
		var out bytes.Buffer
		res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, SSH: ssh.Options{Home: s.Home}})
		if err != nil || res.Outcome != Succeeded || out.String() != "done\n" || read(t, plan)["model.bin"] != "weights" {
			t.Errorf("%s: %+v, %v, %q", name, res, err, out.String())
		}
		emptyThere(t, s)
	}
}

func TestRunRemoteEnds(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	plan := onHost(t, s, "import time\nopen('outputs/part', 'w').close()\nprint('up', flush=True)\ntime.sleep(600)\n", "pythonLocation: python3\n")
	res, err := Run(ctx, plan, RunOptions{SSH: ssh.Options{Home: s.Home}, Stdout: &cancelAt{text: "up", cancel: func() { cancel(&process.Signalled{Signal: os.Interrupt}) }}})
	if err != nil || res.Outcome != Cancelled || res.Code != 130 || res.Outputs.Files != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	plan = onHost(t, s, "", "pythonLocation: nosuchpython\n")
	res, err = Run(t.Context(), plan, RunOptions{SSH: ssh.Options{Home: s.Home}})
	if want := "aml_config/vm.compute:4: worker@" + s.Address() + ": there is no program nosuchpython"; res.Outcome != NotStarted || res.Code != 127 || !strings.HasPrefix(Explain(err), want) {
		t.Errorf("%+v, %v", res, err)
	}
	emptyThere(t, s)
}

// TestAttachRemote loses a job because its machine comes back with another host key, and resumes it from its record
// once the key is accepted: every byte is shown once, and the outputs are copied back.
func TestAttachRemote(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	const program = "import os, time\nfor i in range(20):\n  print('tick', i, flush=True)\n" +
		"  while i == 5 and not os.path.exists(os.path.expanduser('~/cut')): time.sleep(.02)\nopen('outputs/model.bin', 'w').write('weights')\n"
	plan := onHost(t, s, program, "pythonLocation: python3\n")
	var out bytes.Buffer
	cut := &cancelAt{text: "tick 5", cancel: func() {
		s.NewHostKeys(t)
		go s.Cut()
	}}
	res, err := Run(t.Context(), plan, RunOptions{Stdout: io.MultiWriter(&out, cut), SSH: ssh.Options{Home: s.Home}})
	if !strings.Contains(fmt.Sprint(err), "presents a different host key than before") || res.Outcome != Lost || res.Code != CodeNotStarted || !strings.Contains(res.Sentence(), "amlfix runs attach "+plan.RunID.String()) {
		t.Fatalf("%+v, %v", res, err)
	}
	testkit.OK(t, os.WriteFile(filepath.Join(s.HomeOf(sshtest.Worker), "cut"), nil, 0o644))
	s.Know(t, s.HostKey(t, "ed25519"))
	res, err = Attach(t.Context(), res.Record, RunOptions{Stdout: &out, SSH: ssh.Options{Home: s.Home}})
	if err != nil || res.Outcome != Succeeded || res.Outputs.Files != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	var want strings.Builder
	for i := range 20 {
		fmt.Fprintln(&want, "tick", i)
	}
	testkit.Same(t, want.String(), out.String())
	emptyThere(t, s)
}

// TestAttachRemoteThatIsGone removes the folder of a job that amlfix has lost.
func TestAttachRemoteThatIsGone(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	plan := onHost(t, s, "import time\nprint('up', flush=True)\ntime.sleep(600)\n", "pythonLocation: python3\n")
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &cancelAt{text: "up", cancel: func() {
		s.NewHostKeys(t)
		go s.Cut()
	}}, SSH: ssh.Options{Home: s.Home}})
	if res.Outcome != Lost {
		t.Fatalf("%+v, %v", res, err)
	}
	s.Know(t, s.HostKey(t, "ed25519"))
	line, err := ssh.Dial(t.Context(), ssh.Host{Address: s.Address(), User: sshtest.Worker}, ssh.Options{Home: s.Home})
	testkit.OK(t, err)
	defer func() { _ = line.Close() }()
	job, err := remote.Open(t.Context(), line, plan.RunID, "digits")
	if err == nil {
		err = job.Remove(t.Context())
	}
	testkit.OK(t, err)
	res, err = Attach(t.Context(), res.Record, RunOptions{SSH: ssh.Options{Home: s.Home}})
	if err == nil || res.Outcome != Lost || !strings.Contains(res.Reason, "it was removed") {
		t.Errorf("%+v, %v", res, err)
	}
	if rec, err := record.ReadDir(res.Record); err != nil || rec.State != progress.Done {
		t.Errorf("%+v, %v", rec, err)
	}
}

// TestRemoteKilledAtEveryState kills amlfix in each state of a run on another machine, and resumes the run: either the
// job was never started and nothing is left of it, or its output is complete, with every byte exactly once.
func TestRemoteKilledAtEveryState(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	const program = "import time\nfor i in range(5):\n  print('tick', i, flush=True); time.sleep(.05)\nopen('outputs/model.bin', 'w').write('weights')\nraise SystemExit(3)\n"
	const ticks = "tick 0\ntick 1\ntick 2\ntick 3\ntick 4\n"
	for _, tt := range []struct {
		at      progress.State
		started bool
	}{{progress.Checking, false}, {progress.Uploading, false}, {progress.Starting, false}, {progress.Running, true}, {progress.Collecting, true}, {progress.Removing, true}} {
		t.Run(string(tt.at), func(t *testing.T) {
			plan := onHost(t, s, program, "pythonLocation: python3\n")
			cmd := spawn(t, plan, tt.at)
			cmd.Env = append(cmd.Env, "HOME="+s.Home)
			if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("it was not killed: %v", err)
			}
			dir := filepath.Join(plan.Project, ".amlfix", "runs", plan.RunID.String())
			res, err := Attach(t.Context(), dir, RunOptions{SSH: ssh.Options{Home: s.Home}})
			out, _ := logOf(t, dir)
			if !tt.started {
				if err == nil || res.Outcome != NotStarted || out != "" {
					t.Errorf("%+v, %v, %q", res, err, out)
				}
			} else {
				if err != nil || res.Outcome != Failed || res.Code != 3 || out != ticks {
					t.Errorf("%+v, %v, %q", res, err, out)
				}
				testkit.Same(t, map[string]string{"old.txt": "old", "model.bin": "weights"}, read(t, plan))
			}
			emptyThere(t, s)
		})
	}
}
