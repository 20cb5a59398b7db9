//go:build linux

package runtime

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// onEngineThere plans a job in a container of the engine behind the server.
func onEngineThere(t *testing.T, s *sshtest.Server, user, program, image, target string) Plan {
	t.Helper()
	job, root := load(t, files{"train.py": program, "data.txt": "data", "a folder/it's.txt": "deep", "outputs/old.txt": "old",
		"aml_config/vm.compute":    "type: remotedocker\naddress: " + s.Address() + "\nusername: " + user + "\nbaseDockerImage: " + image + "\n" + target,
		"aml_config/vm.runconfig":  "Target: vm\nFramework: Python\nArgumentVector: [$file]\n",
		"aml_config/vm2.runconfig": "Target: vm\nFramework: Python\nArgumentVector: [$file]\n"}, "vm", schema.Options{})
	return newPlan(t, job, Options{Project: root, Script: "train.py", Args: []string{"two words", "it's"}})
}

const thereJob = `
import os, sys
print(sys.argv[1:], open("data.txt").read(), open("a folder/it's.txt").read())
share = os.environ["AZUREML_NATIVE_SHARE_DIRECTORY"]
open(os.path.join(share, "model.bin"), "w").write("kept")
os.mkdir("outputs/a b")
open("outputs/a b/c'd.txt", "w").write("new")
sys.exit(3)
`

// TestRunRemoteDocker runs a real Python script in a container of a real engine behind a real sshd; the job fails, and
// its outputs are still copied back.
func TestRunRemoteDocker(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Python(t)
	s := sshtest.Start(t, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host}})
	plan := onEngineThere(t, s, sshtest.Root, thereJob, image, "sharedVolumes: true\nnativeSharedDirectory: ~/my share\n")
	var out, errs bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
	testkit.OK(t, err)
	testkit.Same(t, "['two words', \"it's\"] data deep\n", out.String(), errs.String())
	if res.Outcome != Failed || res.Code != 3 || res.Outputs.Files != 1 {
		t.Errorf("%+v", res)
	}
	if b, err := os.ReadFile(filepath.Join(plan.Project, "outputs", "a b", "c'd.txt")); string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := os.ReadFile(filepath.Join(s.HomeOf(sshtest.Root), "my share", "digits", "model.bin")); string(b) != "kept" {
		t.Errorf("%q, %v", b, err)
	}
	e.NothingLeft(t, plan.RunID.String())
}

func TestRunRemoteDockerCancelled(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	s := sshtest.Start(t, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host}})
	plan := steps(onEngineThere(t, s, sshtest.Root, "", e.Job(t), ""), "write:outputs/partial=x", "graceful:bye", "out:up", "sleep:600s")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	res, err := Run(ctx, plan, RunOptions{SSH: ssh.Options{Home: s.Home}, Stdout: &cancelAt{text: "up", cancel: func() { cancel(&process.Signalled{Signal: os.Interrupt}) }}})
	if err != nil || res.Outcome != Cancelled || res.Code != 130 || res.Outputs.Files != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	e.NothingLeft(t, plan.RunID.String())
}

// TestNoWayToTheHost checks that each failure names the responsible line of the file and what to do.
func TestNoWayToTheHost(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{Config: []string{"PubkeyAuthentication no"}})
	stranger := t.TempDir()
	const stored = "password: AzureMlSecret=vm#worker#00000000\n"
	for _, tt := range []struct {
		name, target string
		opts         ssh.Options
		change       func(*Plan)
		want         []string
	}{
		{name: "unknown host key", opts: ssh.Options{Home: stranger}, want: []string{"aml_config/vm.compute:2: worker@" + s.Address() + ": this machine's host key is not known here: it presents "}},
		{name: "refused", opts: ssh.Options{Home: s.Home, Password: "hunter2"}, want: []string{"aml_config/vm.compute:3: worker@", "does not let this user in (refused: password)"}},
		{name: "stored password", target: stored, opts: ssh.Options{Home: s.Home}, want: []string{"aml_config/vm.compute:5: password is a reference into the credential store of Azure ML Workbench, which is gone, and cannot be used"}},
		{name: "password in the file", target: "password: hunter2\n", opts: ssh.Options{Home: s.Home}, want: []string{"aml_config/vm.compute:5: password is not used, because many people can read the file"}},
		{name: "no socket", opts: ssh.Options{Home: s.Home, Password: sshtest.Password}, want: []string{"aml_config/vm.compute:2: worker@", "Docker", "sudo "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := onEngineThere(t, s, sshtest.Worker, "", "a:1", tt.target)
			res, err := Run(t.Context(), plan, RunOptions{SSH: tt.opts})
			if err == nil || res.Outcome != NotStarted || res.Code != CodeNotStarted {
				t.Fatalf("%+v, %v", res, err)
			}
			testkit.Has(t, Explain(err), tt.want...)
			if strings.Contains(Explain(err), "hunter2") {
				t.Error("the password is shown")
			}
		})
	}
}

// TestPasswordStaysInMemory logs in with a password and searches for it everywhere else: in the output, in the
// arguments and environments of the other machine's processes, in the project, and in everything that a run leaves
// there.
func TestPasswordStaysInMemory(t *testing.T) {
	e := engineHere(t)
	image := e.Python(t)
	s := sshtest.Start(t, sshtest.Options{Config: []string{"PubkeyAuthentication no"}, Env: map[string]string{"DOCKER_HOST": e.Host}})
	t.Setenv(PasswordVariable, sshtest.Password)
	plan := onEngineThere(t, s, sshtest.Root, "import os\nprint(dict(os.environ))\n", image, "")
	var shown bytes.Buffer
	_, _ = plan.WriteTo(&shown)
	said := func(e progress.Event) { fmt.Fprintln(&shown, e.Text) }
	// a single writer, so that writes are never concurrent
	watch := &cancelAt{text: "\x00"}
	res, err := Run(t.Context(), plan, RunOptions{Stdout: watch, Stderr: watch, Progress: said, SSH: ssh.Options{Home: s.Home, Password: os.Getenv(PasswordVariable)}})
	if err != nil || res.Outcome != Succeeded {
		t.Fatalf("%+v, %v", res, err)
	}
	fmt.Fprintf(&shown, "%+v %s %s", res, res.Sentence(), s.Log())
	if strings.Contains(shown.String(), sshtest.Password) {
		t.Errorf("the password is shown:\n%s", shown.String())
	}
	for _, dir := range []string{plan.Project, s.Dir} {
		holdsNot(t, dir, sshtest.Password)
	}
}

// holdsNot fails the test if a file below dir contains text.
func holdsNot(t *testing.T, dir, text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(text)) {
			t.Errorf("%s holds %q", path, text)
		}
		return err
	})
	testkit.OK(t, err)
}

// TestLocalJobsDoNotGetThePassword checks that jobs do not inherit the variable, which is only for amlfix.
func TestLocalJobsDoNotGetThePassword(t *testing.T) {
	t.Setenv(PasswordVariable, "hunter2")
	plan := planned(t, "import os\nprint(os.environ.get('"+PasswordVariable+"'))\n", nil, Options{})
	var out bytes.Buffer
	if res, err := Run(t.Context(), plan, RunOptions{Stdout: &out}); err != nil || res.Outcome != Succeeded || out.String() != "None\n" {
		t.Errorf("%+v, %v, %q", res, err, out.String())
	}
}
