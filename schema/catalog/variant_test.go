package catalog

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// ortVersions are the releases of onnxruntime that have a GPU wheel.
const ortVersions = ">=1.11,!=1.16.1,!=1.16.2,!=1.17.3,!=1.20.1,!=1.22.1,!=1.23.1,!=1.24.2,!=1.24.3,!=1.32.0"

// brief returns one line for each variant: id, other name, versions, safety.
func brief(list []*PackageVariant, other func(*PackageVariant) string) []string {
	var lines []string
	for _, v := range list {
		lines = append(lines, strings.Join([]string{v.ID, other(v), v.Versions, string(v.Safety)}, " | "))
	}
	return lines
}

func TestCPUVariants(t *testing.T) {
	tests := []struct {
		manager, name string
		want          []string
	}{
		{Pip, "tensorflow", []string{
			"tf1-pip | tensorflow-gpu | <2.1,!=1.15.0 | safe",
			"tf1150-pip |  | ==1.15.0 | none",
			"tf2-alias-pip | tensorflow-gpu | >=2.1,<2.12 | none",
			"tf2-pip |  | >=2.12,<2.14 | none",
			"tf214-pip | tensorflow[and-cuda] | >=2.14 | choice",
		}},
		{Conda, "tensorflow", []string{"tf-conda | tensorflow-gpu | <2.5 | safe", "tf-forge-conda |  | <2.6 | report", "tf25-conda |  | >=2.5 | choice"}},
		{Pip, "TensorFlow_CPU", []string{
			"tfcpu1-pip | tensorflow-gpu | ==1.15.0 | safe",
			"tfcpu2-pip | tensorflow | >=2.1,<2.14 | safe",
			"tfcpu214-pip | tensorflow[and-cuda] | >=2.14 | choice",
		}},
		{Conda, "keras", []string{"keras-conda | keras-gpu | >=2.0,<2.5 | choice"}},
		{Pip, "keras", []string{"keras-pip |  |  | none"}},
		{Pip, "cntk", []string{"cntk-pip | cntk-gpu | >=2.5 | safe"}},
		{Conda, "cntk", nil},
		{Pip, "onnxruntime", []string{
			"ort-pip | onnxruntime-gpu | " + ortVersions + " | safe", "ort-gap-pip | onnxruntime-gpu | >=1.11 | choice",
			"ort-old-pip | onnxruntime-gpu | <1.11 | choice",
		}},
		{Conda, "Caffe", []string{"caffe-conda | caffe-gpu |  | choice"}},
		{Conda, "faiss-cpu", []string{"faiss-conda | faiss-gpu |  | safe"}},
		{Conda, "py-xgboost-cpu", []string{"xgbcpu-conda | py-xgboost-gpu |  | choice"}},
		{Conda, "py_xgboost_cpu", nil},
		{Pip, "torch", []string{"torch-local-pip | torch | >=1.2 | choice", "torch-pip |  |  | none"}},
		{Pip, "tensorflow-hub", []string{"tensorflow-hub-pip |  |  | none"}},
		// never by prefix
		{Pip, "tensorflow-", nil},
		{Pip, "tensorflow-data-validation", nil},
		{Pip, "tensorflowonspark", nil},
		{Pip, "tensorflow[and-cuda]", nil},
		{Pip, "tensorflow==1.4", nil},
		{Pip, "keras-rl", nil},
		{Pip, "tensorflow-gpu", nil},
		{"npm", "tensorflow", nil},
		{Pip, "", nil},
		{Conda, "", nil},
	}
	for _, test := range tests {
		got := brief(CPUVariants(test.manager, test.name), func(v *PackageVariant) string { return v.GPU })
		testkit.Same(t, test.want, got, "CPUVariants(%s, %s)", test.manager, test.name)
	}
}

func TestGPUVariants(t *testing.T) {
	tests := []struct {
		manager, name string
		want          []string
	}{
		{Pip, "tensorflow-gpu", []string{
			"tf1-pip | tensorflow | <2.1,!=1.15.0 | safe",
			"tf2-alias-pip | tensorflow | >=2.1,<2.12 | none",
			"tfcpu1-pip | tensorflow-cpu | ==1.15.0 | safe",
		}},
		{Conda, "tensorflow-gpu", []string{
			"tf-conda | tensorflow | <2.5 | safe", "tfmkl-conda | tensorflow-mkl | <2.5 | safe",
			"tfeigen-conda | tensorflow-eigen | <2.5 | safe",
		}},
		{Conda, "keras-gpu", []string{"keras-conda | keras | >=2.0,<2.5 | choice"}},
		{Pip, "keras-gpu", nil},
		{Pip, "cntk_gpu", []string{"cntk-pip | cntk | >=2.5 | safe"}},
		{Pip, "cupy-cuda80", []string{"cupy-cuda80 |  |  | none"}},
		{Pip, "mxnet-cu80", []string{"mxnet-cu80 | mxnet | >=0.9.5,<=1.5.0 | choice"}},
		{Pip, "onnxruntime-gpu", []string{
			"ort-pip | onnxruntime | " + ortVersions + " | safe", "ort-gap-pip | onnxruntime | >=1.11 | choice",
			"ort-old-pip | onnxruntime | <1.11 | choice",
		}},
		{Pip, "paddlepaddle-gpu", []string{"paddle-pip | paddlepaddle | >=0.10 | choice"}},
		{Conda, "caffe-gpu", []string{"caffe-conda | caffe |  | choice"}},
		{Conda, "faiss-gpu", []string{"faiss-conda | faiss-cpu |  | safe"}},
		{Conda, "py-xgboost-gpu", []string{"xgbcpu-conda | py-xgboost-cpu |  | choice", "xgb-conda | py-xgboost |  | choice"}},
		// names that both builds share
		{Pip, "tensorflow", nil},
		{Conda, "pytorch", nil},
		{Conda, "cudatoolkit", nil},
		{Pip, "xgboost", nil},
		{Pip, "jax", nil},
		{Pip, "torch", nil},
		{Pip, "", nil},
	}
	for _, test := range tests {
		got := brief(GPUVariants(test.manager, test.name), func(v *PackageVariant) string { return v.CPU })
		testkit.Same(t, test.want, got, "GPUVariants(%s, %s)", test.manager, test.name)
	}
}

func TestVariantFields(t *testing.T) {
	tests := map[string]PackageVariant{
		"tf1-pip": {
			Manager: Pip, CPU: "tensorflow", GPU: "tensorflow-gpu", Versions: "<2.1,!=1.15.0", Python: "<3.8", Safety: SafetySafe,
			KeepVersion: true, GPUOnly: true, Unpinned: UnpinnedPin,
		},
		"keras-conda": {
			Manager: Conda, CPU: "keras", GPU: "keras-gpu", Versions: ">=2.0,<2.5", Channel: "defaults", Safety: SafetyChoice,
			Optional: true, KeepVersion: true, GPUOnly: true, Unpinned: UnpinnedSame,
		},
		"torch-local-pip": {
			Manager: Pip, CPU: "torch", GPU: "torch", Versions: ">=1.2", Local: "cpu", Safety: SafetyChoice,
			KeepVersion: true, Unpinned: UnpinnedNo,
		},
	}
	for _, v := range variantRows.all() {
		want, ok := tests[v.ID]
		if !ok {
			continue
		}
		delete(tests, v.ID)
		id := v.ID
		v.ID, v.Condition, v.Note, v.Origin = "", "", "", Origin{}
		testkit.Same(t, want, v, id)
	}
	if len(tests) != 0 {
		t.Errorf("rows not found: %v", tests)
	}
}

// TestVariantRowsMakeSense checks that a safe row can be applied as it is, and that a row without effect promises none.
func TestVariantRowsMakeSense(t *testing.T) {
	for _, v := range variantRows.all() {
		normal := v.CPU == normalName(v.Manager, v.CPU) && (v.GPU == normalName(v.Manager, v.GPU) || strings.Contains(v.GPU, "["))
		if !normal && !strings.HasPrefix(v.GPU, "caffe2-cuda") {
			t.Errorf("%s: a name is not normalised", v.ID)
		}
		if v.Safety == SafetySafe && (v.GPU == "" || v.CPU == "" || !v.KeepVersion || v.Optional || v.Local != "") {
			t.Errorf("%s: a safe row must swap a name and nothing else", v.ID)
		}
		if v.Safety == SafetySafe && v.Certainty != Sourced {
			t.Errorf("%s: an unattended repair rests on %s", v.ID, v.Certainty)
		}
		if v.Safety == SafetyReport && (v.GPU != "" || v.Channel == "") {
			t.Errorf("%s: a row that only reports names a channel, and no GPU build", v.ID)
		}
		if v.CPU == "" && !v.GPUOnly {
			t.Errorf("%s: no CPU build and not GPU only", v.ID)
		}
		if v.Manager == Pip && v.GPU == "keras-gpu" {
			t.Errorf("%s: keras-gpu is not on PyPI", v.ID)
		}
		if strings.Contains(v.GPU, "[") && v.GPUOnly {
			t.Errorf("%s: an extra is not a GPU-only name", v.ID)
		}
	}
}

func TestNormalName(t *testing.T) {
	tests := []struct{ manager, name, want string }{
		{Pip, "TensorFlow_GPU", "tensorflow-gpu"},
		{Pip, "azureml.assets", "azureml-assets"},
		{Pip, "a-_.b", "a-b"},
		{Pip, "-a-", "-a-"},
		{Pip, "keras", "keras"},
		{Conda, "Sklearn_Pandas", "sklearn_pandas"},
	}
	for _, test := range tests {
		testkit.Same(t, test.want, normalName(test.manager, test.name), "normalName(%s, %s)", test.manager, test.name)
	}
}

func FuzzNames(f *testing.F) {
	f.Add("TensorFlow__gpu")
	f.Add("scikit-lear")
	f.Add("cProfile")
	f.Add("\xff.\x00")
	f.Fuzz(func(t *testing.T, name string) {
		if n := normalName(Pip, name); n != normalName(Pip, n) {
			t.Errorf("normalName(%q) = %q is not stable", name, n)
		}
		for _, manager := range []string{Pip, Conda} {
			for _, v := range CPUVariants(manager, name) {
				if v.CPU != normalName(manager, name) {
					t.Errorf("CPUVariants(%q) answers with %s", name, v.CPU)
				}
			}
			for _, v := range GPUVariants(manager, name) {
				if v.GPU != normalName(manager, name) {
					t.Errorf("GPUVariants(%q) answers with %s", name, v.GPU)
				}
			}
			if m, ok := Misspelt(manager, name); ok && !KnownPackage(m.Right) {
				t.Errorf("Misspelt(%q) leads to the unknown %s", name, m.Right)
			}
		}
		if m, ok := Stdlib(name); ok && !strings.EqualFold(m.Name, name) {
			t.Errorf("Stdlib(%q) answers with %s", name, m.Name)
		}
		VMSize(name)
		LookupGPU(name)
		CUDANeeds(name)
	})
}

// TestSafeRepairsRestOnSources checks the other rows that unattended repairs rest on: twins of images, and wheels.
func TestSafeRepairsRestOnSources(t *testing.T) {
	for _, row := range imageRows.all() {
		if row.twin != (imageKey{}) && row.Certainty != Sourced {
			t.Errorf("%s:%s: the twin of an image rests on %s", row.Repo, row.Tag, row.Certainty)
		}
	}
	for _, w := range wheelRows.all() {
		if w.Certainty != Sourced {
			t.Errorf("%s: a wheel rests on %s", w.URL, w.Certainty)
		}
	}
}

func TestFlavoured(t *testing.T) {
	for name, want := range map[string]string{"tensorflow": "tensorflow-gpu", "TensorFlow-Base": "tensorflow-gpu", "pytorch": ""} {
		if gpu, ok := Flavoured(name); !ok || gpu != want {
			t.Errorf("%s: %q, %v", name, gpu, ok)
		}
	}
	for _, name := range []string{"numpy", "blas", "scikit-learn", "tensorflow_base", "arrow-cpp"} {
		if _, ok := Flavoured(name); ok {
			t.Errorf("%s: its build string says nothing about GPUs", name)
		}
	}
}
