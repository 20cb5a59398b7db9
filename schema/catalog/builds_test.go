package catalog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestFrameworkBuild(t *testing.T) {
	type facts struct {
		CUDA, CUDNN, Driver string
		GPU                 GPUSource
	}
	tests := map[string]facts{
		"torch 2.3.0":           {"12.1", "8.9.2", "525.60.13", GPUIncluded},
		"torch 2.3.0+cu118":     {"11.8", "", "520.61.05", GPUIncluded},
		"torch 2.3.0+cpu":       {"", "", "", GPUNone},
		"pytorch 2.3.*":         {"12.1", "8.9.2", "525.60.13", GPUIncluded},
		"Torch 2.15.0":          {"13.2", "9.26.0", "580", GPUIncluded},
		"tensorflow 1.14.0":     {"", "", "", GPUNone},
		"tensorflow-gpu 1.14.0": {"10.0", "7.4", "410.48", GPUFromImage},
		"tensorflow-gpu 2.5":    {"11.2", "8.1", "460.27.03", GPUFromImage},
		"tensorflow 2.16.1":     {"12.3", "8.9", "525.60.13", GPUFromExtra},
		"tensorflow_cpu 2.16.1": {"", "", "", GPUNone},
		"jax 0.7.1":             {"", "", "", GPUFromPackage},
		"xgboost 3.4.1":         {"13", "", "580", GPUIncluded},
		"xgboost-cpu 3.4.1":     {"", "", "", GPUNone},
		"lightgbm 4.0.0":        {"", "", "", GPUOpenCL},
	}
	for name, want := range tests {
		var pkg, version string
		for i := range name {
			if name[i] == ' ' {
				pkg, version = name[:i], name[i+1:]
			}
		}
		b, ok := FrameworkBuild(pkg, version)
		driver, _ := MinDriver(b.CUDA)
		if diff := cmp.Diff(want, facts{b.CUDA, b.CUDNN, driver.Min, b.GPU}); !ok || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, ok, diff)
		}
	}
	for pkg, version := range map[string]string{"numpy": "1.26", "torch": "9.9", "tensorflow": "", "": "2.3"} {
		if b, ok := FrameworkBuild(pkg, version); ok {
			t.Errorf("FrameworkBuild(%q, %q) = %+v", pkg, version, b)
		}
	}
}

func TestRuns(t *testing.T) {
	tests := []struct {
		pkg, version, gpu string
		want              Reach
	}{
		{"torch", "1.12.1", "A100", ReachNone},
		{"torch", "1.12.1+cu116", "A100", ReachNative},
		{"torch", "1.12.1+cu116", "A10", ReachNative},
		{"torch", "1.12.1+cu116", "H100", ReachNone},
		{"torch", "2.0.1", "H100", ReachNone},
		{"torch", "2.0.1+cu118", "H100", ReachNative},
		{"torch", "2.3.0", "L4", ReachNative}, // 8.9 runs code for 8.6
		{"torch", "2.3.0", "K80", ReachNone},
		{"torch", "2.3.0+cu118", "K80", ReachNative},
		{"torch", "2.3.0+cpu", "A100", ReachUnknown},
		{"torch", "2.2.0+cu118", "T4", ReachNative}, // 7.5 runs code for 7.0
		{"torch", "2.10.0", "V100", ReachNative},
		{"torch", "2.11.0", "V100", ReachNone},
		{"torch", "2.11.0+cu126", "V100", ReachNative},
		{"torch", "2.7.0", "B200", ReachNone},
		{"torch", "2.8.0", "B200", ReachNative},
		{"torch", "2.8.0", "GB300", ReachNative},
		{"torch", "1.4.0", "A100", ReachNone}, // no kernels recorded: CUDA 10.1 does not support Ampere
		{"torch", "1.4.0", "V100", ReachUnknown},
		{"tensorflow", "2.12.0", "H100", ReachCompiled},
		{"tensorflow", "2.4.1", "A100", ReachNative},
		{"tensorflow-gpu", "1.15.2", "A100", ReachNone},
		{"tensorflow", "1.15.2", "A100", ReachUnknown}, // the CPU build
		{"xgboost", "3.4.1", "V100", ReachNone},
	}
	for _, test := range tests {
		b, ok := FrameworkBuild(test.pkg, test.version)
		g, known := LookupGPU(test.gpu)
		if got := b.Runs(g.Capability); !ok || !known || got != test.want {
			t.Errorf("%s %s on %s: %d, want %d", test.pkg, test.version, test.gpu, got, test.want)
		}
	}
	b, _ := FrameworkBuild("torch", "2.3.0")
	if b.Runs("") != ReachUnknown || b.Runs("x") != ReachUnknown {
		t.Error("an invalid capability has an answer")
	}
}

// TestKernelsFitBuilds checks that every row of kernels is about recorded releases and lists no code that its CUDA
// version cannot generate.
func TestKernelsFitBuilds(t *testing.T) {
	for _, r := range kernelRows.all() {
		for _, version := range []string{r.Since, r.Until} {
			if _, ok := FrameworkBuild(r.Package, version); !ok {
				t.Errorf("%s %s is not recorded", r.Package, version)
			}
		}
		for _, c := range r.Capabilities {
			if g, ok := GPUByCapability(c); ok && !g.RunsCUDA(r.CUDA) {
				t.Errorf("%s of CUDA %s has code for %s", r.Package, r.CUDA, c)
			}
		}
	}
}

func TestWheelFor(t *testing.T) {
	tests := []struct {
		pkg, version, python string
		want                 Answer
	}{
		{"numpy", "1.19.0", "3.11", No},
		{"NumPy", "1.26.4", "3.11.4", Yes},
		{"numpy", "1.24.4", "3.8", Yes},
		{"numpy", "1.25.0", "3.8", No},
		{"numpy", "99.0", "3.12", Unknown},
		{"numpy", "2.0.0rc1", "3.12", Unknown},
		{"numpy", "2", "3.12", Unknown + Yes},
		{"tensorflow", "2.8.0", "3.11", No},
		{"tensorflow", "2.7.0", "3.10", No},
		{"tensorflow", "2.8", "3.10", Yes},
		{"tensorflow", "2.21.0", "3.14", No},
		{"tensorflow", "1.15.3", "2.7", No}, // a gap
		{"tensorflow-gpu", "2.11.0", "3.11", No},
		{"torch", "1.12.1", "3.11", No},
		{"torch", "2.3.0+cpu", "3.11", Unknown},
		{"azureml-core", "1.30.0", "3.9", No}, // in a gap of several releases
		{"azureml-core", "1.35.0", "3.9", Yes},
		{"xformers", "0.0.35", "3.12", Yes}, // its wheels are for Python 3.9 and later
		{"azureml-core", "1.2.0", "3.9", No},
		{"torchvision", "0.2.1", "3.12", Yes}, // yanked, but installed if it is pinned
		{"torchvision", "0.16.2", "3.12", No},
		{"mlflow", "1.0.1", "3.9", Yes}, // sources that need no compiler
		{"mlflow", "3.2.0", "3.9", No},
		{"transformers", "5.20.2", "3.10", Yes},
		{"transformers", "5.23.0", "3.10", No},
		{"cupy-cuda13x", "14.0.0", "3.9", No},
		{"torchaudio", "2.1.0", "3.12", No},
		{"scikit-learn", "0.24.1", "3.10", No},
		{"left-pad", "1.0", "3.11", Unknown},
		{"numpy", "x", "3.11", Unknown},
		{"numpy", "1.26.4", "", Unknown},
		{"numpy", "1.26.4", "3.99", Unknown},
	}
	for _, test := range tests {
		testkit.Same(t, test.want, WheelFor(test.pkg, test.version, test.python), "WheelFor(%s, %s, %s)", test.pkg, test.version, test.python)
	}
}

func TestCompiled(t *testing.T) {
	tests := map[[2]string]string{
		{"numpy", "3.8"}: "1.24.4", {"scikit-learn", "3.14"}: "1.9.1", {"torch", "3.14"}: "", {"tensorflow", "3.11"}: "", {"mlflow", "3.9"}: "",
	}
	for name, want := range tests {
		if w, ok := WheelsFor(name[0], name[1]); !ok || w.Compiled != want {
			t.Errorf("%s on Python %s is compiled up to %q, want %q", name[0], name[1], w.Compiled, want)
		}
	}
}

// TestPythonsAgree checks frameworks against python_wheels: both were made from the same lists.
func TestPythonsAgree(t *testing.T) {
	for _, pkg := range []string{"torch", "tensorflow"} {
		for _, b := range FrameworkBuilds(pkg) {
			for _, python := range []string{"3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13"} {
				has := false
				for _, p := range b.Pythons {
					has = has || p == python
				}
				version := b.Version
				if pkg == "tensorflow" && CompareVersions(version, "1.13") == 0 || CompareVersions(version, "2.16") == 0 {
					version += ".1" // there is no .0
				}
				if got := WheelFor(pkg, version, python); len(b.Pythons) > 0 && has != (got == Yes) {
					t.Errorf("%s %s on Python %s: %d, and in frameworks %v", pkg, version, python, got, has)
				}
			}
		}
	}
}

func TestGone(t *testing.T) {
	want := map[string]string{
		"tensorflow-gpu": "stub tensorflow", "sklearn": "stub scikit-learn", "opencv": "absent opencv-python", "fbprophet": "renamed prophet",
		"MXNet": "retired ", "tensorflow": "", "azureml-core": "", "azureml-anything": "", "azureml-mlflow": "", "bs4": "", "numpy": "", "azure-storage": "renamed azure-storage-blob",
	}
	for name, row := range want {
		got, ok := Gone(name)
		if text := got.Status + " " + got.Replacement; ok != (row != "") || ok && text != row {
			t.Errorf("Gone(%s) = %q, want %q", name, text, row)
		}
	}
	if p, _ := Gone("tensorflow_gpu"); p.Versions != ">=2.12" {
		t.Errorf("tensorflow-gpu: %+v", p)
	}
}

func TestConflicts(t *testing.T) {
	tests := []struct {
		pkg, version, with, other string
		want                      bool
	}{
		{"azureml-core", "1.30.0", "python", "3.9", true},
		{"azureml-core", "1.1.5.7", "python", "3.9", false},
		{"azureml-core", "1.61.0.post4", "python", "3.12", false},
		{"azureml-defaults", "1.62.0", "python", "3.14.1", true},
		{"azureml-defaults", "1.60.0", "python", "3.12", true},
		{"azureml-defaults", "x", "python", "3.14", false},
		{"mltable", "1.6.3", "python", "3.14", true},
		{"azureml-fsspec", "1.3.1", "python", "3.13", false},
		{"azureml-core", "1.57.0.post3", "numpy", "2.0.0", true},
		{"azureml-core", "1.58.0", "numpy", "2.0.0", false},
		{"pandas", "2.1.1", "numpy", "2.2.6", true},
		{"pandas", "2.2.2", "numpy", "2.2.6", false},
		{"scikit-learn", "1.4.1.post1", "numpy", "2.0.0", true},
		{"scikit-learn", "1.4.2", "numpy", "2.0.0", false},
		{"mlflow", "2.15.1", "setuptools", "84.2.1", true},
		{"azureml-core", "1.61.0.post1", "setuptools", "82.0.0", true},
		{"azureml-core", "1.61.0.post2", "setuptools", "82.0.0", false},
		{"openai", "1.55.2", "httpx", "0.28.1", true},
		{"openai", "1.55.3", "httpx", "0.28.1", false},
		{"gensim", "4.3.2", "scipy", "1.13.0", true},
		{"gensim", "4.3.3", "scipy", "1.13.0", false},
		{"matplotlib", "3.7.3", "numpy", "2.0.0", false},
		{"opencv-python", "4.9.0.80", "numpy", "2.0.0", true},
		{"tensorflow", "2.12.0", "numpy", "2.0.0", false},
		{"pyyaml", "5.4.1", "python", "3.10.14", true},
		{"pyyaml", "5.3.1", "python", "3.10", false},
		{"pyyaml", "6.0.1", "python", "3.12", false},
	}
	for _, test := range tests {
		got := false
		for _, c := range Conflicts(test.pkg) {
			got = got || c.With == test.with && allows(c.Versions, test.version) && allows(c.WithVersions, test.other)
		}
		if got != test.want {
			t.Errorf("%s %s with %s %s: %v, want %v", test.pkg, test.version, test.with, test.other, got, test.want)
		}
	}
	if len(Conflicts("Python")) == 0 || len(Conflicts("requests")) != 0 {
		t.Error("conflicts are not found by their other side, or by packages without any")
	}
}

// TestConflictKinds checks that the sentence of each conflict says what its kind says.
func TestConflictKinds(t *testing.T) {
	begins := map[ConflictKind]string{ConflictRefused: "cannot be installed: ", ConflictUnbuilt: "cannot be installed: ", ConflictMetadata: "cannot be installed: ", ConflictOlder: "gets a release ", ConflictBroken: "raises "}
	for _, c := range conflictRows.all() {
		if begin := begins[c.Kind]; begin == "" || !strings.HasPrefix(c.Effect, begin) {
			t.Errorf("%s with %s is %q, but it %s", c.Package, c.With, c.Kind, c.Effect)
		}
	}
}

func TestNewestMLflow(t *testing.T) {
	tests := []struct{ mlflow, below, want string }{
		{"", "", "1.62.0.post6"},
		{"3.15.0", "", "1.62.0.post6"},
		{"3.17.2", "", "1.60.0"},
		{"2.15.1", "<1.60", "1.59.0.post1"},
		{"3.0.0", "<1.60", "1.59.0.post1"},
		{"3.0.0", "<1.0", ""},
	}
	for _, test := range tests {
		got, ok := NewestMLflow(test.mlflow, func(version string) bool { return allows(test.below, version) })
		if got.Version != test.want || ok != (test.want != "") {
			t.Errorf("mlflow %s, azureml-mlflow%s: %q, %v, want %q", test.mlflow, test.below, got.Version, ok, test.want)
		}
	}
}

func TestMLflowPair(t *testing.T) {
	tests := []struct {
		azureml, mlflow string
		want            Answer
	}{
		{"1.60.0", "3.17.2", No},
		{"1.60.0", "2.22.0", Yes},
		{"1.55.0", "3.1.4", No},
		{"1.62.0.post6", "3.15.0", Yes},
		{"1.62.0.post6", "3.16.0", No},
		{"1.61.0", "3.5.0", Yes},
		{"1.58.0.post2", "2.10.0", Yes},
		{"1.59.0.post1", "2.20.0", Yes},
		{"1.62.0.post3", "3.13.0", Yes},
		{"1.62.0.post4", "3.10.0", No},
		{"1.0.0", "1.0", Unknown},
		{"", "", Unknown},
	}
	for _, test := range tests {
		if r, got := MLflowPair(test.azureml, test.mlflow); got != test.want {
			t.Errorf("MLflowPair(%s, %s) = %d of %+v, want %d", test.azureml, test.mlflow, got, r, test.want)
		}
	}
}

// TestSpecifiers parses every specifier: an invalid one would panic when it is first used.
func TestSpecifiers(t *testing.T) {
	for _, c := range conflictRows.all() {
		allows(c.Versions, "1.0")
		allows(c.WithVersions, "1.0")
		allows(c.Taken, "1.0")
	}
	for _, p := range retiredRows.all() {
		allows(p.Versions, "1.0")
	}
	for _, r := range mlflowRows.all() {
		allows(r.Accepts, "1.0")
		allows(r.Breaks, "1.0")
	}
	for _, row := range pypiRows.all() {
		for _, w := range AllWheels(row.Package) {
			WheelFor(w.Package, "1.0", w.Python)
			if WheelFor(w.Package, w.Compiled, w.Python) == Unknown && w.Compiled != "" {
				t.Errorf("%s on Python %s: %s is not known", w.Package, w.Python, w.Compiled)
			}
		}
	}
}
