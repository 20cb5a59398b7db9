//go:build unix

package runtime

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNoPlanShares checks that such a folder prevents a job from being planned, whatever links lead to it.
func TestNoPlanShares(t *testing.T) {
	links := t.TempDir()
	for name, to := range map[string]string{"root": "/", "etc": "/etc", "ssh": "/etc/ssh"} {
		testkit.OK(t, os.Symlink(to, filepath.Join(links, name)))
	}
	for _, tt := range []struct{ kind, base, project string }{
		{"localdocker", "/", "etc"}, {"local", "/", "etc"}, {"remotedocker", "/", "etc"}, {"remote", "/", "etc"}, {"localdocker", "/etc", "ssh"}, {"localdocker", "~", ".ssh"}, {"localdocker", "~", "Documents"},
		{"localdocker", "/usr", "bin"}, {"localdocker", links + "/root", "etc"}, {"localdocker", links + "/etc", "ssh"}, {"localdocker", links, "ssh"}, {"localdocker", "..", "etc"},
	} {
		job, root := load(t, files{"aml_config/c.compute": "type: " + tt.kind + "\naddress: gpu.example.com\nusername: me\nbaseDockerImage: a/b:1\nsharedVolumes: true\nnativeSharedDirectory: \"" + tt.base + "\"\n",
			"aml_config/c.runconfig": "Target: c\nFramework: Python\nArgumentVector: [train.py]\n", "train.py": ""}, "c", schema.Options{})
		named := filepath.Join(filepath.Dir(root), tt.project)
		testkit.OK(t, os.Rename(root, named))
		plan, err := NewPlan(job, Options{Project: named})
		if err == nil || !strings.Contains(err.Error(), "c.compute:6: nativeSharedDirectory would share") {
			t.Errorf("%+v: %s, %v", tt, plan.ShareDir.Value, err)
		}
	}
}

// TestDockerArguments checks that only arguments that stay inside the container are passed on, and that the plan names
// all others.
func TestDockerArguments(t *testing.T) {
	for _, args := range []string{"[--ipc=host]", "[--ipc, host]", "['--ipc=container:x']", "[--privileged]", "[--pid=host]", "[--pid, host]", "[-v, '/:/x']", "['--volume=/:/x']", "['--mount=type=bind,src=/,dst=/x']",
		"[--network=host]", "[--device=/dev/sda]", "[--cap-add=ALL]", "['--security-opt=seccomp=unconfined']", "[--userns=host]", "[--uts=host]", "[--cgroup-parent=/]", "[--volumes-from=x]", "[--runtime=runc]", "['--gpus=device=0']",
		"[--group-add=docker]", "['-v/:/x']", "[--IPC=host]", "[' --ipc=host']"} {
		job, root := load(t, files{"train.py": "", "aml_config/v1.runconfig": "script: train.py\ntarget: local\nframework: Python\nenvironment:\n  docker:\n    enabled: true\n    baseImage: a/b:1\n    arguments: " + args +
			"\n  python:\n    userManagedDependencies: true\n"}, "v1", schema.Options{})
		plan, err := NewPlan(job, Options{Project: root})
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		var shown bytes.Buffer
		_, _ = plan.WriteTo(&shown)
		if part(t, plan).IPC.Value != "" || plan.ShareDir.Value != "" || plan.GPUs.Value == allGPUs || !strings.Contains(shown.String(), "is not passed on: only -e, ") {
			t.Errorf("%s: %s", args, shown.String())
		}
	}
}

// TestVariables checks that a variable that no shell or system can set stops a job before anything is sent.
func TestVariables(t *testing.T) {
	for _, tt := range []struct {
		variable     string
		there, local bool // it is refused
	}{
		{`GOOD_1: x`, false, false}, {`"": x`, true, true}, {`"A=B": x`, true, true}, {`"A\0B": x`, true, true}, {`A: "x\0y"`, true, true}, {`"a.b": x`, true, false}, {`"1A": x`, true, false}, {`"A;touch X": x`, true, false},
		{`"A B": x`, true, false}, {`"A\nB": x`, true, false}, {`"Ä": x`, true, false}, {`"A$(x)": x`, true, false}, {`"-n": x`, true, false}, {`UID: x`, true, false}, {`SHELLOPTS: x`, true, false},
	} {
		for kind, want := range map[string]bool{"remote": tt.there, "local": tt.local, "localdocker": tt.local, "cluster": tt.there} {
			job, root := load(t, files{"aml_config/c.compute": "type: " + kind + "\naddress: gpu.example.com\nusername: me\nbaseDockerImage: a/b:1\n",
				"aml_config/c.runconfig": "Target: c\nFramework: Python\nArgumentVector: [train.py]\nEnvironmentVariables:\n  " + tt.variable + "\n", "train.py": ""}, "c", schema.Options{})
			_, err := NewPlan(job, Options{Project: root})
			if (err != nil) != want || err != nil && !strings.Contains(err.Error(), "aml_config/c.runconfig:5: ") {
				t.Errorf("%s, %s: %v", tt.variable, kind, err)
			}
		}
	}
}
