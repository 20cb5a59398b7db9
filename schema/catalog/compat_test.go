package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestTensorFlow(t *testing.T) {
	want := Build{
		Package: "tensorflow", Version: "1.4", Released: "2017-11-01", GPU: GPUFromImage, GPUPackage: "tensorflow-gpu", CPUPackage: "tensorflow",
		Pythons: []string{"2.7", "3.3", "3.4", "3.5", "3.6"}, CUDA: "8.0", CUDNN: "6",
		Origin: Origin{Source: "tensorflow/docs install/source.md @7c3650212; PyPI file list", Seen: "2026-11-22", Certainty: Sourced},
	}
	for _, version := range []string{"1.4", "1.4.1", "1.4.*", "1.4rc1", "1.4.0.post1"} {
		got, ok := FrameworkBuild("tensorflow-gpu", version)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("TensorFlow(%s) = %v (-want +got):\n%s", version, ok, diff)
		}
	}
	for _, version := range []string{"", "1", "1.", "v1.4", "0.12", "9.9", "1.*", "x", ".4", "99999999999999999999.1"} {
		if b, ok := FrameworkBuild("tensorflow-gpu", version); ok {
			t.Errorf("TensorFlow(%q) = %+v, want nothing", version, b)
		}
	}
}

func TestTensorFlowBuilds(t *testing.T) {
	builds := FrameworkBuilds("tensorflow")
	if len(builds) != 38 {
		t.Errorf("%d builds, want 38", len(builds))
	}
	for i, b := range builds {
		if i > 0 && CompareVersions(builds[i-1].Version, b.Version) >= 0 {
			t.Errorf("%s follows %s", b.Version, builds[i-1].Version)
		}
		if _, ok := MinDriver(b.CUDA); !ok {
			t.Errorf("%s: no driver for CUDA %s", b.Version, b.CUDA)
		}
	}
}

func TestPyTorchAndCNTK(t *testing.T) {
	torch := map[string][]string{
		"1.0":       {"8.0", "9.0", "10.0"},
		"1.0.0":     {"8.0", "9.0", "10.0"},
		"1.0.1":     {"9.0", "10.0"},
		"1.4.0+cpu": {"9.2", "10.1"},
		"1.8.1":     {"10.1", "10.2", "11.1"},
		"1.9.1+cpu": {"10.2", "11.1"}, // the index of CUDA 11.3 begins with 1.10.0
		"1.13.1":    {"11.6", "11.7"},
		"1.3":       nil,
		"2":         nil,
	}
	for version, want := range torch {
		got, _ := FrameworkBuild("torch", version)
		testkit.Same(t, want, got.CUDAs, "PyTorch(%s)", version)
	}
	cntk := map[string]string{"2.1": "8.0", "2.3.1": "8.0", "2.4": "9.0", "2.5.1": "9.0", "2.7.post1": "10.0"}
	for version, want := range cntk {
		b, ok := CNTK(version)
		if _, driver := MinDriver(b.CUDA); !ok || b.CUDA != want || !driver {
			t.Errorf("CNTK(%s) = %+v, want %s", version, b, want)
		}
	}
	for _, version := range []string{"", "1.7", "3.0", "2"} {
		if b, ok := CNTK(version); ok {
			t.Errorf("CNTK(%q) = %+v, want nothing", version, b)
		}
	}
}

// TestCNTKAgreesWithWheels compares two tables that were made from different pages.
func TestCNTKAgreesWithWheels(t *testing.T) {
	names := map[string]string{}
	for _, r := range readTable("cntk") {
		names[r.text("version")] = r.text("gpu_dist")
	}
	for _, w := range wheelRows.all() {
		if w.Superseded {
			continue
		}
		b, ok := CNTK(w.Version)
		if !ok {
			t.Errorf("CNTK %s has wheels but no build", w.Version)
			continue
		}
		if w.Flavour == FlavourGPU && w.Dist != names[b.Version] {
			t.Errorf("%s is named %s, the build says %s", w.URL, w.Dist, names[b.Version])
		}
		if w.Flavour == Flavour1BitSGD && CompareVersions(w.Version, "2.4") > 0 {
			t.Errorf("%s: no 1-bit SGD wheels after 2.4", w.URL)
		}
	}
}

func TestMinDriver(t *testing.T) {
	tests := map[string][2]string{
		"8.0":     {"375.26", ""},
		"8.0.61":  {"375.26", ""},
		"9.0":     {"384.81", ""},
		"11.2":    {"460.27.03", "450.80.02"},
		"11.0.3":  {"450.36.06", ""},
		"12.4":    {"525.60.13", "525.60.13"},
		"12":      {"525.60.13", "525.60.13"},
		"13.1":    {"580", "580"},
		"6.5":     {},
		"8":       {},
		"":        {},
		"unknown": {},
	}
	for cuda, want := range tests {
		d, ok := MinDriver(cuda)
		if got := [2]string{d.Min, d.MinCompat}; got != want || ok != (want[0] != "") {
			t.Errorf("MinDriver(%q) = %v %v, want %v", cuda, got, ok, want)
		}
	}
}

func TestCUDANeeds(t *testing.T) {
	tests := []struct {
		name  string
		count int
		first string
	}{
		{"tensorflow-gpu", 28, "==1.0.* 8.0 5.1"},
		{"TensorFlow_GPU", 28, "==1.0.* 8.0 5.1"},
		{"tensorflow", 21, "==2.1.* 10.1 7.6"},
		{"mxnet-cu80", 1, ">=0.9.5,<=1.5.0 8.0 "},
		{"cupy-cuda80", 1, ">=4.0,<8 8.0 "},
		{"onnxruntime-gpu", 9, ">=1.0,<1.2 10.0 7.6"},
		{"torch", 0, ""},
		{"tensorflow-hub", 0, ""},
		{"", 0, ""},
	}
	for _, test := range tests {
		needs := CUDANeeds(test.name)
		testkit.Same(t, len(needs) > 0, HasCUDANeeds(test.name), test.name)
		first := ""
		if len(needs) > 0 {
			first = needs[0].Versions + " " + needs[0].CUDA + " " + needs[0].CUDNN
		}
		if len(needs) != test.count || first != test.first {
			t.Errorf("CUDANeeds(%s) = %d rows from %q, want %d from %q", test.name, len(needs), first, test.count, test.first)
		}
	}
}

func TestLoadsWith(t *testing.T) {
	tests := []struct {
		need        CUDANeed
		cuda, cudnn string
		loads, sure bool
	}{
		{CUDANeed{CUDA: "8.0", CUDNN: "6"}, "8.0", "6", true, true},
		{CUDANeed{CUDA: "8.0", CUDNN: "5.1"}, "8.0", "6", false, true},
		{CUDANeed{CUDA: "9.0", CUDNN: "7"}, "8.0", "6", false, true},
		{CUDANeed{CUDA: "10.1", CUDNN: "7.6"}, "10.2", "7", false, true},
		{CUDANeed{CUDA: "10.0", CUDNN: "7.4"}, "10.0", "7", true, true},
		{CUDANeed{CUDA: "11.2", CUDNN: "8.1"}, "11.0.3", "8", true, true},
		{CUDANeed{CUDA: "11.0", CUDNN: "8.0", CUSolver: true}, "11.0.3", "8", true, true},
		{CUDANeed{CUDA: "11.0", CUDNN: "8.0", CUSolver: true}, "11.1", "8", false, true},
		{CUDANeed{CUDA: "11.0", CUDNN: "8.0", CUSolver: true}, "11.8", "8", false, true},
		{CUDANeed{CUDA: "11.2", CUDNN: "8.1", CUSolver: true}, "11.0.3", "8", false, true},
		{CUDANeed{CUDA: "11.2", CUDNN: "8.1", CUSolver: true}, "11.8", "8", true, true},
		{CUDANeed{CUDA: "11.2", CUDNN: "8.1", CUSolver: true}, "11", "8", false, false},
		{CUDANeed{CUDA: "11", CUSolver: true}, "11.2", "", true, true},
		{CUDANeed{CUDA: "12.2", CUDNN: "8.9", CUSolver: true}, "12.4", "8", true, true},
		{CUDANeed{CUDA: "12.5", CUDNN: "9.3"}, "12.4", "", false, false},
		{CUDANeed{CUDA: "12"}, "12.4", "", true, true},
		{CUDANeed{CUDA: "8.0"}, "8.0", "", true, true},
		{CUDANeed{CUDA: "8.0"}, "8", "", false, false},
		{CUDANeed{CUDA: "8.0", CUDNN: "6"}, "", "", false, false},
		{CUDANeed{}, "8.0", "6", false, false},
	}
	for _, test := range tests {
		loads, sure := test.need.LoadsWith(test.cuda, test.cudnn)
		if loads != test.loads || sure != test.sure {
			t.Errorf("%s/%s in CUDA %s cuDNN %s: %v %v, want %v %v", test.need.CUDA, test.need.CUDNN, test.cuda, test.cudnn,
				loads, sure, test.loads, test.sure)
		}
	}
}

// TestWhatLoadsInPlusGPU checks the fact that most repairs rest on: only TensorFlow 1.3 and 1.4 load in the Workbench
// image.
func TestWhatLoadsInPlusGPU(t *testing.T) {
	img, _ := LookupImage(mmlspark, "plus-gpu-0.9.9")
	var got []string
	for _, n := range CUDANeeds("tensorflow-gpu") {
		if loads, _ := n.LoadsWith(img.CUDA, img.CUDNN); loads {
			got = append(got, n.Versions)
		}
	}
	testkit.Same(t, []string{"==1.3.*", "==1.4.*"}, got)
}

func TestCompareVersions(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"450.80.02", "450.80.2", 0},
		{"8.0", "8", 0},
		{"10.1", "9.2", 1},
		{"450.36.06", "450.80.02", -1},
		{"2.7.post1", "2.7", 0},
		{"", "0", 0},
		{"x", "1", -1},
	}
	for _, test := range tests {
		testkit.Same(t, test.want, CompareVersions(test.a, test.b), "CompareVersions(%s, %s)", test.a, test.b)
	}
}

func FuzzVersions(f *testing.F) {
	f.Add("1.4.1", "450.80.02")
	f.Add("99999999999999999999.1", "1..2")
	f.Fuzz(func(t *testing.T, a, b string) {
		if CompareVersions(a, b) != -CompareVersions(b, a) {
			t.Errorf("CompareVersions(%q, %q) is not antisymmetric", a, b)
		}
		FrameworkBuild("tensorflow", a)
		FrameworkBuild("torch", a+"+"+b)
		VMSize(a)
		Curated(a)
		WheelFor("numpy", a, b)
		MLflowPair(a, b)
		PhaseOf(a, b)
		CNTK(a)
		MinDriver(a)
		CUDANeed{CUDA: a, CUDNN: b}.LoadsWith(b, a)
		GPUByCapability(a)
	})
}

func TestCUDAVersions(t *testing.T) {
	list := CUDAVersions(func(pkg string) string { return strings.TrimPrefix(pkg, "mxnet-") })
	for _, want := range []string{"7.5", "8.0", "10.2", "11.8", "12.4", "cu90"} {
		if !slices.Contains(list, want) {
			t.Errorf("%q is missing in %q", want, list)
		}
	}
	if slices.Contains(list, "") || slices.Contains(list, "9") || slices.Index(list, "9.2") > slices.Index(list, "10.0") {
		t.Errorf("%q", list)
	}
}
