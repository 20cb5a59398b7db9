package shim

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// pythonsVariable lists additional interpreters to test with, as paths.
const pythonsVariable = "AMLFIX_TEST_PYTHONS"

// pythons returns the interpreters to test with: python3, and those in AMLFIX_TEST_PYTHONS.
func pythons(t *testing.T) (paths []string) {
	t.Helper()
	paths = []string{testkit.Program(t, "python3")}
	for _, name := range filepath.SplitList(os.Getenv(pythonsVariable)) {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatalf("not tested: %v", err)
		}
		paths = append(paths, path)
	}
	return paths
}

// job is a working directory that contains the modules.
type job struct {
	dir string
	env []string
}

func newJob(t *testing.T) job {
	t.Helper()
	j := job{dir: t.TempDir()}
	for _, f := range Files() {
		testkit.Write(t, j.dir, f.Path, f.Content)
	}
	j.env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", MetricsVariable+"="+filepath.Join(j.dir, filepath.FromSlash(MetricsFile)))
	j.env = AppendPath(j.env, "PYTHONPATH", filepath.Join(j.dir, filepath.FromSlash(PythonDir)), os.PathListSeparator)
	return j
}

func (j job) run(t *testing.T, python, script string) string {
	t.Helper()
	testkit.Write(t, j.dir, "train.py", script)
	cmd := exec.Command(python, "train.py")
	cmd.Dir, cmd.Env = j.dir, j.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", python, err, out)
	}
	return string(out)
}

// logged reads the metrics of a job, whose times must be recent.
func (j job) logged(t *testing.T) (list [][]any) {
	t.Helper()
	f, err := os.Open(filepath.Join(j.dir, filepath.FromSlash(MetricsFile)))
	testkit.OK(t, err)
	defer func() { _ = f.Close() }()
	_, err = ReadMetrics(f, func(m Metric) {
		if age := time.Since(m.Time); age < -time.Second || age > time.Minute {
			t.Errorf("%s was logged %v ago", m.Name, age)
		}
		list = append(list, []any{m.Name, m.Value})
	})
	testkit.OK(t, err)
	return list
}

const workbenchScript = `# -*- coding: utf-8 -*-
import logging, os
from azureml.logging import get_azureml_logger
logging.getLogger("the standard library's")
class Array(object):  # as NumPy's and pandas' arrays
    def __init__(self, v): self.v = v
    def tolist(self): return self.v
    def __iter__(self): raise AssertionError("tolist is asked first")
class Tensor(object):
    def numpy(self): return Array([0.5, 1])
run_logger = get_azureml_logger()
run_logger.log("Accuracy", 0.75)
run_logger.log("epochs", 3)
run_logger.log("good", True)
run_logger.log("note", u"gut \u00e9")
run_logger.log("bytes", b"abc")
run_logger.log("list", [1, 2.5, "x"])
run_logger.log("tuple", (1, (2, 3)))
run_logger.log("array", Array([[1, 2], [3, 4]]))
run_logger.log("scalar", Array(7))
run_logger.log("tensor", Tensor())
run_logger.log("strange", [float("nan"), float("inf"), -float("inf")])
run_logger.log("none", None)
run_logger.log("dict", {"a": 1})
run_logger.log("big", 10 ** 20)
assert get_azureml_logger() is run_logger
`

func TestWorkbenchLogger(t *testing.T) {
	for _, python := range pythons(t) {
		j := newJob(t)
		testkit.Same(t, "", j.run(t, python, workbenchScript), python)
		want := [][]any{
			{"Accuracy", .75}, {"epochs", 3.}, {"good", 1.}, {"note", "gut é"}, {"bytes", "abc"}, {"list", []any{1., 2.5, "x"}},
			{"tuple", []any{1., []any{2., 3.}}}, {"array", []any{[]any{1., 2.}, []any{3., 4.}}}, {"scalar", 7.}, {"tensor", []any{.5, 1.}},
			{"strange", []any{"NaN", "Infinity", "-Infinity"}}, {"none", "None"}, {"dict", []any{[]any{"a", 1.}}}, {"big", 1e20},
		}
		testkit.Same(t, want, j.logged(t), python)
	}
}

const sdkScript = `
import os
from azureml.core import Run
from azureml.core.run import Run as Same
assert Run is Same
run = Run.get_context()
assert run is Run.get_context(allow_offline=False)
os.mkdir("elsewhere"); os.chdir("elsewhere")
open("p.png", "wb").write(b"picture"); open("m.pkl", "wb").write(b"model")
os.mkdir("logs"); open("logs/a.txt", "wb").write(b"log")
class Plot(object):
    def savefig(self, path): open(path, "wb").write(b"plot")
with run:
    run.log("loss", 0.5, description="d")
    run.log("loss", 0.25, step=2)
    run.log_list("all", [1, 2])
    run.log_row("curve", x=1)
    run.log_table("table", {"y": [1, 2]})
    run.log_image("picture", path="p.png")
    run.log_image("plot", plot=Plot())
    run.log_confusion_matrix("cm", {"matrix": [[1, 0], [0, 1]]})
    run.tag("kind", "trial"); run.tag("bare")
    run.upload_file("outputs/model.pkl", "m.pkl")
    run.upload_file("../../model.pkl", path_or_stream=open("m.pkl", "rb"))
    run.upload_folder("logs", "logs")
    run.flush(); run.complete()
assert run.get_metrics("loss") == {"loss": [0.5, 0.25]}, run.get_metrics()
assert run.get_metrics()["all"] == [1, 2]
assert isinstance(run.id, str)
try:
    run.experiment
except AttributeError as e:
    print(e)
`

func TestSDKRun(t *testing.T) {
	for _, python := range pythons(t) {
		j := newJob(t)
		out := j.run(t, python, sdkScript)
		if want := "amlfix provides a Run that only logs and keeps files: for Run.experiment install azureml-core in the job's environment\n"; strings.ReplaceAll(out, "\r", "") != want {
			t.Errorf("%s wrote %s", python, out)
		}
		want := [][]any{
			{"loss", .5}, {"loss", .25}, {"all", []any{1., 2.}}, {"curve/x", 1.}, {"table/y", []any{1., 2.}}, {"picture", "outputs/picture.png"},
			{"plot", "outputs/plot.png"}, {"cm", `{"matrix": [[1, 0], [0, 1]]}`}, {"kind", "trial"}, {"bare", ""},
		}
		testkit.Same(t, want, j.logged(t), python)
		for name, want := range map[string]string{"picture.png": "picture", "plot.png": "plot", "model.pkl": "model", "logs/a.txt": "log"} {
			if b, err := os.ReadFile(filepath.Join(j.dir, "outputs", name)); err != nil || string(b) != want {
				t.Errorf("%s: %s is %q, %v", python, name, b, err)
			}
		}
	}
}

// TestInstalledModulesWin puts packages beside the modules as installers do: azureml-core has a folder azureml whose
// __init__.py merges the folders on the path; that of the old ML Studio client defines things.
func TestInstalledModulesWin(t *testing.T) {
	const joining = "__path__ = __import__('pkgutil').extend_path(__path__, __name__)\n"
	for _, tt := range []struct {
		name   string
		files  map[string]string
		script string
	}{
		{"nothing installed", nil, "import azureml.core, azureml.logging; print(azureml.core.__file__.count('.amlfix'))\n# 1"},
		{"azureml-core", map[string]string{"azureml/__init__.py": joining, "azureml/core/__init__.py": "Run = 'real'\n"},
			"from azureml.core import Run\nfrom azureml.logging import get_azureml_logger\nget_azureml_logger().log('a', 1)\nprint(Run)\n# real"},
		{"azureml-core without its own folder file", map[string]string{"azureml/core/__init__.py": "Run = 'real'\n"}, "from azureml.core import Run\nprint(Run)\n# real"},
		{"the logger", map[string]string{"azureml/__init__.py": "", "azureml/logging.py": "x = 'real'\n"}, "import azureml.core, azureml.logging\nprint(azureml.logging.x)\n# real"},
		{"the old client", map[string]string{"azureml/__init__.py": "# -*- coding: latin-1 -*-\n# \xe9\nfrom azureml.errors import E\n", "azureml/errors.py": "E = 'real'\n"},
			"import azureml, azureml.core\nprint(azureml.E)\n# real"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, python := range pythons(t) {
				j := newJob(t)
				for name, text := range tt.files {
					testkit.Write(t, j.dir, "site/"+name, text)
				}
				// installed packages come after PYTHONPATH
				script := "import sys, os\nsys.path.append(os.path.abspath('site'))\n" + tt.script + "\n"
				want := tt.script[strings.LastIndex(tt.script, "# ")+2:]
				testkit.Same(t, want, strings.TrimSpace(j.run(t, python, script)), python)
			}
		})
	}
}

// TestTwoCopies checks that a Spark worker may find its driver's modules beside its own.
func TestTwoCopies(t *testing.T) {
	for _, python := range pythons(t) {
		j, other := newJob(t), newJob(t)
		j.env = AppendPath(j.env, "PYTHONPATH", filepath.Join(other.dir, filepath.FromSlash(PythonDir)), os.PathListSeparator)
		if out := j.run(t, python, "import azureml.logging\nprint(azureml.logging.__file__)\n"); !strings.HasPrefix(out, j.dir) {
			t.Errorf("%s: %s", python, out)
		}
	}
}

func TestMissingPartIsExplained(t *testing.T) {
	for _, python := range pythons(t) {
		j := newJob(t)
		out := j.run(t, python, "try:\n    from azureml.core import Workspace\nexcept ImportError as e:\n    print(e)\n")
		old := strings.Contains(out, "cannot import name") // before Python 3.7, a module cannot define __getattr__
		if !old && !strings.Contains(out, "for Workspace install azureml-core") {
			t.Errorf("%s: %s", python, out)
		}
	}
}

func TestMetricsNeverEndTheJob(t *testing.T) {
	for _, python := range pythons(t) {
		j := newJob(t)
		j.env = append(j.env, MetricsVariable+"="+filepath.Join(j.dir, "train.py", "no folder"))
		out := j.run(t, python, "from azureml.logging import get_azureml_logger as g\ng().log('a', 1)\ng().log('a', 2)\nprint('done')\n")
		if strings.Count(out, "amlfix: metrics cannot be recorded: ") != 1 || !strings.HasSuffix(strings.TrimSpace(out), "done") {
			t.Errorf("%s: %s", python, out)
		}
		j.env = append(j.env, MetricsVariable+"=")
		testkit.Same(t, "", j.run(t, python, "from azureml.logging import get_azureml_logger as g\ng().log('a', 1)\n"), python)
	}
}

// TestProcessesShareTheFile has several processes log at the same time.
func TestProcessesShareTheFile(t *testing.T) {
	for _, python := range pythons(t) {
		j := newJob(t)
		j.run(t, python, `import subprocess, sys
code = "from azureml.logging import get_azureml_logger as g\nfor i in range(200): g().log('p', [i] * 200)"
for p in [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]:
    assert p.wait() == 0
`)
		if n := len(j.logged(t)); n != 800 {
			t.Errorf("%s: %d metrics of 800", python, n)
		}
	}
}

func TestAppendPath(t *testing.T) {
	env := []string{"A=1", "PYTHONPATH=x", "PYTHONPATH=a:b"}
	testkit.Same(t, append(slices.Clone(env), "PYTHONPATH=a:b:c"), AppendPath(env, "PYTHONPATH", "c", ':'))
	testkit.Same(t, []string{"PYTHONPATH=", "PYTHONPATH=c"}, AppendPath([]string{"PYTHONPATH="}, "PYTHONPATH", "c", ':'))
}

// TestFail checks what Run.fail prints, with and without a reason.
func TestFail(t *testing.T) {
	for _, python := range pythons(t) {
		out := newJob(t).run(t, python, "from azureml.core import Run\nRun.get_context().fail()\nRun.get_context().fail('no data')\n")
		testkit.Same(t, "amlfix: the script calls this run failed\namlfix: the script calls this run failed: no data\n", out)
	}
}
