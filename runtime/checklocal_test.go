//go:build unix

package runtime

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// executable writes a shell script that everyone may execute, and returns its path.
func executable(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testkit.OK(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
	return path
}

// TestRunLocalLooksFirst checks that only what prevents a CPU job is reported before it starts.
func TestRunLocalLooksFirst(t *testing.T) {
	t.Parallel()
	broken := executable(t, "python3", "echo 'Fatal Python error: no encodings' >&2\necho '<no Python frame>' >&2\nexit 1\n")
	away := "#!" + filepath.Join(t.TempDir(), "gone") + "\n"
	const conda = "dependencies:\n- numpy\n- pip:\n  - --extra-index-url https://example.com\n  - nosuchpackage\n  - cntk-gpu==2.5\n"
	for _, tt := range []struct {
		name, python string
		more         files
		code         int
		want         string // part of the reason
		out, said    string
	}{
		{name: "broken", python: broken, code: 125,
			want: "aml_config/local.compute:2: " + broken + " does not work as a Python interpreter: it ends with exit code 1, and says: Fatal Python error: no encodings: set a working one in pythonLocation"},
		{name: "no Python, by its name", python: executable(t, "conda-run", "[ $# = 1 ] && exit 1\necho ran\n"), out: "ran\n"},
		{name: "a shell", python: "/bin/sh", more: files{"train.py": "echo ran\n"}, out: "ran\n"},
		{name: "interpreter of the interpreter", python: executable(t, "python", away), code: 127, want: "no such program"},
		{name: "framework", more: files{"aml_config/conda_dependencies.yml": conda, "train.py": "print('ran')\n"}, out: "ran\n",
			said: "amlfix: aml_config/conda_dependencies.yml:6: cntk-gpu is not installed in "},
		{name: "own json", more: files{"json.py": "raise SystemExit(9)\n", "train.py": "print('ran')\n"}, out: "ran\n"},
		{name: "variables count", more: files{"aml_config/local.runconfig": "Target: local\nFramework: Python\nEnvironmentVariables:\n  PYTHONHOME: /nonexistent\n"}, code: 125,
			want: "aml_config/local.compute:1: "},
		{name: "SDK v1", more: files{"aml_config/local.runconfig": "script: train.py\ntarget: local\nframework: Python\nenvironment:\n  python:\n    userManagedDependencies: true\n    interpreterPath: " + broken + "\n"}, code: 125,
			want: "aml_config/local.runconfig:7: " + broken + " does not work as a Python interpreter: it ends with exit code 1, and says: Fatal Python error: no encodings: set a working one in interpreterPath"},
		{name: "share", more: files{"aml_config/local.compute": "type: local\nnativeSharedDirectory: train.py/x\n"}, code: 125, want: "aml_config/local.compute:2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := planned(t, "print('ran')\n", func(f files) {
				if tt.python != "" {
					f["aml_config/local.compute"] += "pythonLocation: " + tt.python + "\n"
				}
				for name, text := range tt.more {
					f[name] = text
				}
			}, Options{})
			if tt.name == "interpreter of the interpreter" {
				testkit.OK(t, os.WriteFile(tt.python, []byte(away), 0o755))
			}
			var out, said bytes.Buffer
			res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &said, Progress: progress.Lines(&said)})
			if tt.want == "" && (err != nil || res.Outcome != Succeeded) || tt.want != "" && (err == nil || res.Outcome != NotStarted || !strings.Contains(res.Reason, tt.want)) || res.Code != tt.code {
				t.Errorf("%+v, %v\n%s", res, err, said.String())
			}
			if out.String() != tt.out || !strings.Contains(said.String(), tt.said) || tt.said == "" && strings.Contains(said.String(), "not installed") {
				t.Errorf("%q\n%s", out.String(), said.String())
			}
		})
	}
}

// TestRunLocalIsNotSlower checks that the interpreter is started once more for a CPU job, and nvidia-smi neither before
// nor after it.
func TestRunLocalIsNotSlower(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	starting := filepath.Join(t.TempDir(), "starting")
	smi := executable(t, "nvidia-smi", "[ -e "+starting+" ] || echo x >> "+asked+"\n") // on a busy machine, the job runs long enough to be sampled
	t.Setenv("PATH", filepath.Dir(smi)+string(os.PathListSeparator)+os.Getenv("PATH"))
	calls := filepath.Join(t.TempDir(), "calls")
	python := executable(t, "python3", "echo x >> "+calls+"\nPATH=${PATH#*:} exec python3 \"$@\"\n")
	plan := planned(t, "print('ran')\n", func(f files) { f["aml_config/local.compute"] += "pythonLocation: " + python + "\n" }, Options{})
	res, err := Run(t.Context(), plan, RunOptions{Progress: func(e progress.Event) {
		switch e.State {
		case progress.Starting:
			testkit.OK(t, os.WriteFile(starting, nil, 0o600))
		case progress.Collecting:
			testkit.OK(t, os.Remove(starting))
		}
	}})
	if err != nil || res.Outcome != Succeeded {
		t.Errorf("%+v, %v", res, err)
	}
	if text, err := os.ReadFile(asked); err == nil {
		t.Errorf("nvidia-smi was started %q", text)
	}
	if b, err := os.ReadFile(calls); err != nil || string(b) != "x\nx\n" {
		t.Errorf("the interpreter was started %q, %v", b, err)
	}
}

func TestCheckRunFolders(t *testing.T) {
	plan := planned(t, "print(1)\n", func(f files) {
		f["aml_config/local.compute"] += "nativeSharedDirectory: train.py/x\n"
	}, Options{})
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	checks, err := CheckRun(t.Context(), plan, RunOptions{})
	testkit.OK(t, err)
	disk, share := checks[len(checks)-2], checks[len(checks)-1]
	if disk.Topic != preflight.Disk || disk.Status != preflight.Failed || !strings.Contains(disk.Text, "there is no folder "+os.TempDir()) {
		t.Errorf("%+v", disk)
	}
	if share.Topic != preflight.Folder || share.Status != preflight.Failed || share.Origin.Line != 2 || !strings.HasSuffix(share.Text, "train.py is not a folder") {
		t.Errorf("%+v", share)
	}
}

// TestCheckRunsNothingOfTheProject: whoever checks a project that somebody else wrote runs nothing of it.
func TestCheckRunsNothingOfTheProject(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	for name, tt := range map[string]struct {
		python, variable string
		want             preflight.Status
	}{
		"its Python":              {"./tool", "X: y", preflight.Unknown},
		"by a link":               {executable(t, "python3", ""), "X: y", preflight.Unknown},
		"its modules":             {"python3", "PYTHONPATH: PROJECT", preflight.OK},
		"its programs":            {"python3", "PATH: PROJECT", preflight.OK},
		"its libraries":           {"python3", "LD_PRELOAD: PROJECT/tool", preflight.OK},
		"modules where it starts": {"python3", "X: y", preflight.OK},
	} {
		t.Run(name, func(t *testing.T) {
			p := planned(t, "print(1)\n", func(f files) {
				f["aml_config/local.compute"] += "pythonLocation: " + tt.python + "\n"
				for _, module := range []string{"sitecustomize.py", "json.py", "os.py"} {
					f[module] = "open('" + ran + "', 'w')\n"
				}
			}, Options{})
			for _, program := range []string{"tool", "nvidia-smi"} {
				testkit.OK(t, os.WriteFile(filepath.Join(p.Project, program), []byte("#!/bin/sh\necho > "+ran+"\n"), 0o755))
			}
			if name == "by a link" {
				testkit.OK(t, os.Remove(tt.python))
				testkit.OK(t, os.Symlink(filepath.Join(p.Project, "tool"), tt.python))
			}
			key, value, _ := strings.Cut(tt.variable, ": ")
			p.Env = append(p.Env, plan.Item{Name: key, Value: strings.ReplaceAll(value, "PROJECT", p.Project)})
			checks, err := CheckRun(t.Context(), p, RunOptions{})
			testkit.OK(t, err)
			i := slices.IndexFunc(checks, func(c Check) bool { return c.Topic == preflight.Program })
			if _, err := os.Stat(ran); err == nil || checks[i].Status != tt.want {
				t.Errorf("ran: %v, %+v", err == nil, checks[i])
			}
		})
	}
}

// TestSparkLooksForJava checks that spark-submit is not started to find out what it lacks.
func TestSparkLooksForJava(t *testing.T) {
	submit := executable(t, "spark-submit", "exit 9\n")
	t.Setenv("JAVA_HOME", t.TempDir())
	plan := planned(t, "print(1)\n", func(f files) {
		f["aml_config/local.compute"] += "pythonLocation: no-such-python\nsparkSubmitLocation: " + submit + "\n"
		f["aml_config/local.runconfig"] = "Target: local\nFramework: PySpark\n"
	}, Options{})
	checks, err := CheckRun(t.Context(), plan, RunOptions{})
	if err != nil || len(checks) < 4 {
		t.Fatalf("%+v, %v", checks, err)
	}
	if c := checks[1]; c.Status != preflight.OK || c.Text != submit+" is there" {
		t.Errorf("%+v", c)
	}
	if c := checks[2]; c.Status != preflight.Failed || c.Origin.Line != 2 || !strings.HasPrefix(c.Text, "no-such-python: no such program") {
		t.Errorf("%+v", c)
	}
	if c := checks[3]; c.Status != preflight.Doubtful || !strings.HasPrefix(c.Text, "Spark needs Java, but there is no program "+os.Getenv("JAVA_HOME")) {
		t.Errorf("%+v", c)
	}
}
