package preflight

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// pythons returns the interpreters to test with: python3, and those in AMLFIX_TEST_PYTHONS, a list of paths.
func pythons(t *testing.T) (paths []string) {
	t.Helper()
	paths = []string{testkit.Program(t, "python3")}
	for _, name := range filepath.SplitList(os.Getenv("AMLFIX_TEST_PYTHONS")) {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatalf("not tested: %v", err)
		}
		paths = append(paths, path)
	}
	return paths
}

// installed creates a folder with packages as pip leaves them: metadata and, for some, the file that identifies their
// build.
func installed(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if pkg, version, ok := strings.Cut(name, "=="); ok {
			name, text = strings.ReplaceAll(pkg, "-", "_")+"-"+version+".dist-info/METADATA", "Metadata-Version: 2.1\nName: "+pkg+"\nVersion: "+version+"\n"
		}
		testkit.Write(t, dir, name, text)
	}
	return dir
}

// ask runs the script with the real interpreter, with bin first on PATH.
func ask(t *testing.T, p Python, packages, bin string) func(context.Context) ([]byte, int, error) {
	t.Helper()
	return askScript(p.Program, p.Script(), packages, bin)
}

func askScript(program, script, packages, bin string) func(context.Context) ([]byte, int, error) {
	return func(ctx context.Context) ([]byte, int, error) {
		cmd := exec.CommandContext(ctx, program, "-")
		cmd.Stdin = strings.NewReader(script)
		cmd.Env = append(os.Environ(), "PYTHONPATH="+packages, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "PYTHONDONTWRITEBYTECODE=1")
		var out bytes.Buffer
		cmd.Stdout = &out
		err := cmd.Run()
		return out.Bytes(), cmd.ProcessState.ExitCode(), err
	}
}

const (
	torchFile = "from typing import Optional\n__version__ = '2.3.1+cu121'\ndebug = False\ncuda: Optional[str] = '12.1'\ngit_version = 'abc'\n"
	torchCPU  = "__version__ = '1.4.0+cpu'\ncuda = None\n"
	tfGPU     = "import collections\nbuild_info = collections.OrderedDict([('cpu_compiler', '/usr/bin/gcc'), ('cuda_compute_capabilities', ['sm_35']), ('cuda_version', '11.2'), ('is_cuda_build', True)])\n"
	tfCPU     = "import collections\nbuild_info = collections.OrderedDict([('is_cuda_build', False), ('is_rocm_build', False)])\n"
)

func TestCheckPython(t *testing.T) {
	t.Parallel()
	const (
		k80 = "Tesla K80, 470.57.02, 3.7\n"
		no  = "no nvidia-smi"
	)
	if _, err := os.Stat("/proc/driver/nvidia/version"); err == nil {
		t.Skip("SKIPPED: this machine has an NVIDIA driver, and the tests are about machines with and without one")
	}
	noDriver, noDriverWanted := seen{Driver, OK, "there is no NVIDIA driver, so a job runs on the CPU"}, seen{Driver, Failed, "install NVIDIA's driver"}
	for _, tt := range []struct {
		name   string
		files  map[string]string
		smi    string
		wanted bool
		want   []seen
	}{
		{"nothing", nil, no, false, []seen{noDriver}},
		{"nothing, but wanted", nil, no, true, []seen{noDriverWanted, {Packages, Unknown, "none of the frameworks"}}},
		{"CPU build", map[string]string{"tensorflow==1.4.0": "", "numpy==1.13": ""}, no, false, []seen{noDriver, {Packages, OK, "tensorflow 1.4.0 is a CPU build"}}},
		{"CPU build beside a GPU", map[string]string{"tensorflow==1.4.0": ""}, k80, false, []seen{{Driver, OK, "Tesla K80, driver 470.57.02"},
			{Packages, Doubtful, "tensorflow 1.4.0 is a CPU build, so a job that uses it runs on the CPU: pip uninstall tensorflow, then pip install tensorflow-gpu==1.4.0"}}},
		{"CPU build, but wanted", map[string]string{"tensorflow==1.4.0": ""}, k80, true, []seen{{Driver, OK, ""}, {Packages, Failed, "pip install tensorflow-gpu==1.4.0"}}},
		{"GPU build", map[string]string{"tensorflow_gpu==1.4.0": ""}, k80, true, []seen{{Driver, OK, ""}, {Packages, OK, "tensorflow-gpu 1.4.0 is a GPU build"}}},
		{"torch of PyPI", map[string]string{"torch==2.3.1": "", "torch/version.py": torchFile}, k80, true, []seen{{Driver, OK, ""}, {Packages, OK, "torch 2.3.1 is a GPU build (CUDA 12.1)"},
			{Driver, Doubtful, "driver 470.57.02 is too old for CUDA 12.1 of torch 2.3.1"}, {CUDA, Doubtful, "Tesla K80 (compute capability 3.7) is supported by CUDA up to 11"}}},
		{"torch for CPUs", map[string]string{"torch==1.4.0+cpu": "", "torch/version.py": torchCPU}, k80, true, []seen{{Driver, OK, ""}, {Packages, Failed, "torch 1.4.0+cpu is a CPU build"}}},
		{"TensorFlow 2", map[string]string{"tensorflow==2.8.0": "", "tensorflow/python/platform/build_info.py": tfGPU}, k80, true, []seen{{Driver, OK, ""},
			{Packages, OK, "tensorflow 2.8.0 is a GPU build (CUDA 11.2)"}, {Driver, OK, ""}, {CUDA, OK, ""}}},
		{"TensorFlow 2 for CPUs", map[string]string{"tensorflow==2.8.0": "", "tensorflow/python/platform/build_info.py": tfCPU}, no, false, []seen{noDriver, {Packages, OK, "tensorflow 2.8.0 is a CPU build"}}},
		{"one of two", map[string]string{"tensorflow==1.4.0": "", "cntk-gpu==2.5": ""}, k80, true, []seen{{Driver, OK, ""}, {Packages, OK, "cntk-gpu 2.5 is a GPU build"}, {Packages, Doubtful, "tensorflow"}}},
		{"driver that does not answer", nil, "", true, []seen{{Driver, Failed, "nvidia-smi is there but lists no GPU"}, {Packages, Unknown, ""}}},
		{"no GPU left", nil, "No devices were found\n", true, []seen{{Driver, Failed, "nvidia-smi is there but lists no GPU: No devices were found"}, {Packages, Unknown, ""}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, python := range pythons(t) {
				bin := t.TempDir()
				if tt.smi != no {
					testkit.OK(t, os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte("#!/bin/sh\nprintf '"+tt.smi+"'\n"), 0o755))
				}
				p := Python{Program: python, GPU: tt.wanted}
				results, _ := p.Check(t.Context(), ask(t, p, installed(t, tt.files), bin))
				compare(t, append([]seen{{Program, OK, python + " is Python "}}, tt.want...), results)
			}
		})
	}
}

// TestSMIThatHangs checks that an nvidia-smi that never answers, as with a driver that hangs, is what is reported.
func TestSMIThatHangs(t *testing.T) {
	t.Parallel()
	for _, python := range pythons(t) {
		bin := t.TempDir()
		testkit.OK(t, os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte("#!/bin/sh\nexec sleep 600\n"), 0o755))
		p := Python{Program: python, GPU: true}
		soon := strings.Replace(p.Script(), "wait.join(40)", "wait.join(1)", 1)
		results, _ := p.Check(t.Context(), askScript(python, soon, t.TempDir(), bin))
		if r := results[1]; r.Topic != Driver || r.Status != Unknown || r.Text != "nvidia-smi has not answered within 40 s, so it is not known whether there is a GPU" {
			t.Errorf("%s: %+v", python, results)
		}
	}
}

func TestCheckPythonThatIsNone(t *testing.T) {
	for _, tt := range []struct {
		out  string
		code int
		err  error
		text string
	}{
		{"", 2, errors.New("it ends with exit code 2"), "x does not work as a Python interpreter: it ends with exit code 2: set a working one in pythonLocation"},
		{"", 3, errors.New("it ends with exit code 3"), "x does not work as a Python interpreter: it cannot run a small Python script: set"},
		{"hello\n", 0, nil, "it cannot run a small Python script"},
		{"AMLFIX-FACTS {\n", 0, nil, "x does not work as a Python"},
	} {
		got, has := Python{Program: "x", Key: "pythonLocation"}.Check(t.Context(), func(context.Context) ([]byte, int, error) { return []byte(tt.out), tt.code, tt.err })
		compare(t, []seen{{Program, Failed, tt.text}}, got)
		if has != nil {
			t.Error("it knows what is installed")
		}
	}
}

// TestQuickCheck checks that before a CPU run only the interpreter and the names of its packages are checked,
// nvidia-smi is not called, and the project's modules with names of Python's own modules are not executed.
func TestQuickCheck(t *testing.T) {
	for _, python := range pythons(t) {
		bin, project := t.TempDir(), t.TempDir()
		called := filepath.Join(bin, "called")
		for path, text := range map[string]string{filepath.Join(bin, "nvidia-smi"): "#!/bin/sh\n: > " + called + "\n", filepath.Join(project, "json.py"): "raise SystemExit(9)\n"} {
			testkit.OK(t, os.WriteFile(path, []byte(text), 0o755))
		}
		p := Python{Program: python, Quick: true}
		packages := installed(t, map[string]string{"tensorflow-gpu==1.4.0": "", "mxnet-cu90mkl==1.0": "", "Py_XGBoost-0.9.egg-info": ""})
		run := ask(t, p, packages, bin)
		t.Chdir(project)
		results, has := p.Check(t.Context(), run)
		compare(t, []seen{{Program, OK, python + " is Python "}}, results)
		if has == nil {
			continue
		}
		for pkg, want := range map[string]bool{"tensorflow": true, "mxnet": true, "xgboost": true, "torch": false} {
			if name, ok := Framework(pkg); !ok || has(name) != want {
				t.Errorf("%s: known %v, installed %v", pkg, ok, has(name))
			}
		}
		if _, err := os.Stat(called); err == nil {
			t.Error("nvidia-smi was called")
		}
		if full, _ := (Python{Program: python}).Check(t.Context(), ask(t, Python{Program: python}, packages, bin)); full[0].Status != OK {
			t.Errorf("a json.py of the project was executed: %+v", full)
		}
		if left, err := os.ReadDir(project); err != nil || len(left) != 1 {
			t.Errorf("something was left behind: %v, %v", left, err)
		}
	}
}

func TestFramework(t *testing.T) {
	type named struct {
		Name string
		OK   bool
	}
	for pkg, want := range map[string]named{
		"tensorflow": {"tensorflow", true}, "tensorflow_gpu": {"tensorflow", true}, "tensorflow-mkl": {"tensorflow", true}, "pytorch-gpu": {"torch", true}, "torch": {"torch", true},
		"cntk-gpu": {"cntk", true}, "cupy-cuda11x": {"cupy", true}, "faiss-cpu": {"faiss", true}, "py-xgboost-gpu": {"xgboost", true}, "Keras": {"keras", true},
		"cudatoolkit": {"cudatoolkit", false}, "cpuonly": {"cpuonly", false}, "numpy": {"numpy", false}, "": {"", false},
	} {
		name, ok := Framework(pkg)
		testkit.Same(t, want, named{name, ok}, pkg)
	}
}

// TestCondaBuilds checks that conda's GPU builds are recognized by their build strings.
func TestCondaBuilds(t *testing.T) {
	f := facts{
		Conda:    [][3]string{{"pytorch", "1.4", "py3.7_cuda10.1.243_cudnn7.6.3_0"}, {"tensorflow-base", "1.15.0", "mkl_py37he1670d9_0"}, {"numpy", "1", "gpu"}},
		Packages: [][2]string{{"torch", "1.4.0"}, {"tensorflow", "1.15.0"}, {"jax", "0.4"}, {"jax-cuda12-plugin", "0.4"}},
	}
	want := []build{{name: "jax", version: "0.4", gpu: true}, {name: "tensorflow", version: "1.15.0", instead: "install a build of it with CUDA by conda, such as the package tensorflow-gpu"}, {name: "torch", version: "1.4", gpu: true}}
	if d := cmp.Diff(want, f.builds(), cmp.AllowUnexported(build{})); d != "" {
		t.Error(d)
	}
}
