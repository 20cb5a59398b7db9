//go:build linux

package runtime

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCheckRunThere checks jobs on another machine, behind a real SSH server.
func TestCheckRunThere(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	s := sshtest.Start(t, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host}})
	image := e.Job(t)
	opts := RunOptions{SSH: ssh.Options{Home: s.Home}}
	check := func(plan Plan) []Check {
		t.Helper()
		checks, err := CheckRun(t.Context(), plan, opts)
		testkit.OK(t, err)
		return checks
	}
	const compute = " aml_config/vm.compute"

	plan := onHost(t, s, "print(1)\n", "pythonLocation: python3\n")
	got := noted(check(plan))
	testkit.Same(t, []string{"project ok", "connection ok" + compute, "program ok" + compute}, got[:3])
	emptyThere(t, s)
	plan = onHost(t, s, "print(1)\n", "pythonLocation: nosuchpython\n")
	checks := check(plan)
	if c := checks[2]; !strings.Contains(c.Text, "there is no program nosuchpython") || c.Origin.Line != 4 || checks[3].Topic != preflight.Disk {
		t.Errorf("%+v", checks)
	}

	home := s.HomeOf(sshtest.Worker)
	testkit.OK(t, os.Chmod(home, 0o555))
	checks = check(plan)
	if c := checks[3]; c.Topic != preflight.Disk || c.Status != preflight.Failed || !strings.HasPrefix(c.Text, "this user may not create a folder for the run") {
		t.Errorf("a home folder that cannot be written to: %+v", checks)
	}
	testkit.OK(t, os.Chmod(home, 0o755))

	there := onEngineThere(t, s, sshtest.Root, "print(1)\n", image, "")
	got = noted(check(there))
	if d := cmp.Diff([]string{"project ok", "connection ok" + compute, "engine ok", "image ok" + compute}, got[:4]); d != "" || len(got) != 6 || !strings.HasPrefix(got[4], "disk ") || got[4] == "disk unknown" || got[5] != "program failed"+compute { // the image has no Python
		t.Errorf("%q %s", got, d)
	}
	e.NothingLeft(t, there.RunID.String())

	testkit.OK(t, os.WriteFile(filepath.Join(home, ".bashrc"), []byte("exit\n"), 0o644))
	if checks = check(plan); len(checks) != 2 || checks[1].Topic != preflight.Connection || checks[1].Status != preflight.Failed || checks[1].Origin.Line != 2 || !strings.Contains(checks[1].Text, "runs no commands") {
		t.Errorf("a shell that ends at once: %+v", checks)
	}
	if res, err := Run(t.Context(), plan, opts); res.Outcome != NotStarted || !ssh.Is(err, ssh.NoShell) {
		t.Errorf("%+v, %v", res, err)
	}
	testkit.OK(t, os.Remove(filepath.Join(home, ".bashrc")))

	s.NewHostKeys(t)
	checks = check(plan)
	if c := checks[1]; c.Topic != "connection" || c.Origin.Path == "" || !strings.Contains(c.Text, "key") {
		t.Errorf("%+v", c)
	}
	if d := cmp.Diff([]string{"program unknown" + compute, "disk unknown"}, noted(checks)[2:]); d != "" || !strings.HasSuffix(checks[2].Text, " was not checked: there is no connection to "+s.Address()) {
		t.Errorf("%s %+v", d, checks[2])
	}
	got = noted(check(there))
	testkit.Same(t, []string{"project ok", "connection failed" + compute, "image unknown" + compute, "disk unknown"}, got)
}

// TestRemoteWithoutGPU checks that a run that must use a GPU is not started on a machine without one.
func TestRemoteWithoutGPU(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/driver/nvidia/version"); err == nil {
		t.Skip("SKIPPED: this machine has an NVIDIA driver")
	}
	s := sshtest.Start(t, sshtest.Options{})
	plan := onHost(t, s, "print(1)\n", "pythonLocation: python3\n")
	var out bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, RequireGPU: true, SSH: ssh.Options{Home: s.Home}})
	if err == nil || res.Outcome != NotStarted || res.Code != 125 || out.Len() > 0 || !strings.Contains(err.Error(), "there is no NVIDIA driver, so a job runs on the CPU: install NVIDIA's driver") {
		t.Errorf("%+v, %v, %s", res, err, out.String())
	}
	emptyThere(t, s)
}

// TestRemotePythonIsBroken checks that a CPU run is not started with a Python that does not work on the other machine,
// and that nothing is copied. A program that does not claim to be Python is started.
func TestRemotePythonIsBroken(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	home := s.HomeOf(sshtest.Worker)
	for name, text := range map[string]string{"python3.5": "#!/bin/sh\necho 'error while loading shared libraries: libpython3.5m.so.1.0' >&2\nexit 127\n", "wrapped": "#!/bin/sh\necho it ran\n"} {
		testkit.OK(t, os.WriteFile(filepath.Join(home, name), []byte(text), 0o755))
	}
	res, err := Run(t.Context(), onHost(t, s, "print(1)\n", "pythonLocation: ~/python3.5\n"), RunOptions{SSH: ssh.Options{Home: s.Home}})
	want := "aml_config/vm.compute:4: ~/python3.5 does not work as a Python interpreter: it ends with exit code 127, and says: error while loading shared libraries: libpython3.5m.so.1.0: set a working one in pythonLocation"
	if res.Outcome != NotStarted || res.Code != 125 || Explain(err) != want {
		t.Errorf("%+v, %v", res, err)
	}
	emptyThere(t, s)
	for python, want := range map[string]string{"~/nosuch": "there is no program ~/nosuch: install it there", "/etc/passwd": "/etc/passwd cannot be run by this user"} {
		code := map[bool]int{true: 127, false: 126}[python == "~/nosuch"]
		res, err = Run(t.Context(), onHost(t, s, "print(1)\n", "pythonLocation: "+python+"\n"), RunOptions{SSH: ssh.Options{Home: s.Home}})
		if res.Outcome != NotStarted || res.Code != code || !strings.HasPrefix(Explain(err), "aml_config/vm.compute:4: worker@"+s.Address()+": "+want) {
			t.Errorf("%+v, %v", res, err)
		}
	}
	var out bytes.Buffer
	res, err = Run(t.Context(), onHost(t, s, "print(1)\n", "pythonLocation: ~/wrapped\n"), RunOptions{Stdout: &out, SSH: ssh.Options{Home: s.Home}})
	if err != nil || res.Outcome != Succeeded || out.String() != "it ran\n" {
		t.Errorf("%+v, %v, %q", res, err, out.String())
	}
	emptyThere(t, s)
}
