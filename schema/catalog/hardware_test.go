package catalog

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestLookupGPU(t *testing.T) {
	tests := map[string]string{
		"K80":                       "K80",
		"Tesla K80":                 "K80",
		"tesla k80":                 "K80",
		"NVIDIA A100-SXM4-80GB":     "A100",
		"Tesla V100-PCIE-16GB":      "V100",
		"NVIDIA L40S":               "L40S",
		"H100 NVL":                  "H100",
		"GRID K520":                 "",
		"NVIDIA A10G":               "",
		"A1000":                     "",
		"Radeon MI25":               "",
		"":                          "",
		"NVIDIA GeForce RTX 3090":   "",
		"A GPU with a Tesla T4 (x)": "T4",
		"NVIDIA RTX PRO 6000 Blackwell Server Edition": "RTX PRO 6000",
	}
	for name, want := range tests {
		g, ok := LookupGPU(name)
		if g.Model != want || ok != (want != "") {
			t.Errorf("LookupGPU(%q) = %q %v, want %q", name, g.Model, ok, want)
		}
	}
}

func TestGPUByCapability(t *testing.T) {
	tests := map[string]string{
		"3.7": "K80", "sm_37": "K80", "8.0": "A100", "sm_100": "B200", "5.0": "", "": "", "sm_": "", "sm_3": "",
	}
	for capability, want := range tests {
		if g, _ := GPUByCapability(capability); g.Model != want {
			t.Errorf("GPUByCapability(%q) = %q, want %q", capability, g.Model, want)
		}
	}
}

// TestRunsCUDA8 checks the fact behind gpu/retired-hardware: the GPUs sold today are too new for CUDA 8.
func TestRunsCUDA8(t *testing.T) {
	want := map[string]bool{
		"K80": true, "M60": true, "P100": true, "P40": true, "V100": false, "T4": false, "A100": false, "A10": false,
		"L4": false, "L40S": false, "H100": false, "H200": false, "B200": false, "GB200": false, "GB300": false, "RTX PRO 6000": false,
	}
	got := map[string]bool{}
	for _, g := range gpuRows.all() {
		got[g.Model] = g.RunsCUDA("8.0")
	}
	testkit.Same(t, want, got)
	k80, _ := LookupGPU("K80")
	for cuda, want := range map[string]bool{"11.8": true, "12.0": false, "6.0": false, "": false, "latest": false} {
		testkit.Same(t, want, k80.RunsCUDA(cuda), "K80 runs CUDA %q", cuda)
	}
}

func TestVMSize(t *testing.T) {
	want := VM{
		Size: "Standard_NC6", Series: "NC", GPU: "K80", GPUs: "1", Capability: "3.7", GPUMemoryGB: 12, MemoryGB: 56, VCPUs: 6, CUDA: true,
		Status: "retired", RetiredOn: "2023-08-31", Replacement: "Standard_NC4as_T4_v3", Note: "one GPU is half a card",
		Origin: Origin{
			Source: "MicrosoftDocs/azure-ai-docs includes/retiring-vms.md ms.date 2024-10-17 @16012f7 (Azure ML); VM notice says 2023-09-06",
			Seen:   "2026-11-22", Certainty: Sourced,
		},
	}
	for _, name := range []string{"Standard_NC6", "STANDARD_NC6", "standard_nc6", "NC6"} {
		got, ok := VMSize(name)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("VMSize(%s) = %v (-want +got):\n%s", name, ok, diff)
		}
	}
	for _, name := range []string{"", "Standard_", "NC6s", "Standard_NC", "Standard_NC6 "} {
		if v, ok := VMSize(name); ok {
			t.Errorf("VMSize(%q) = %+v, want nothing", name, v)
		}
	}
}

// TestVMsNameKnownThings checks that each CUDA size names a GPU of the catalog, and that each suggested size exists and
// is not retired itself.
func TestVMsNameKnownThings(t *testing.T) {
	for _, v := range vmRows.all() {
		if g, ok := LookupGPU(v.GPU); v.CUDA && (!ok || g.Model != v.GPU) {
			t.Errorf("%s: unknown GPU %q", v.Size, v.GPU)
		}
		for _, r := range v.Replacements() {
			if size, ok := VMSize(r); !ok || size.RetiredOn != "" {
				t.Errorf("%s: replacement %s is unknown or retired", v.Size, r)
			}
		}
		if v.RetiredOn != "" && v.Replacement == "" {
			t.Errorf("%s is retired without a replacement", v.Size)
		}
	}
}

// TestSuccessor checks that a machine is replaced by one with as many GPUs.
func TestSuccessor(t *testing.T) {
	for old, want := range map[string]string{
		"Standard_NC24s_v3": "Standard_NC64as_T4_v3", "Standard_NC6s_v3": "Standard_NC4as_T4_v3", "Standard_NC12": "Standard_NC16as_T4_v3", "Standard_ND24s": "Standard_NC64as_T4_v3",
		"Standard_NC24s_v2": "Standard_NC96ads_A100_v4", "Standard_NV24s_v3": "Standard_NV72ads_A10_v5", "Standard_NV48s_v3": "Standard_NC64as_T4_v3", "Standard_NV6": "", "Standard_NC64as_T4_v3": "",
	} {
		v, _ := VMSize(old)
		testkit.Same(t, want, v.Successor(), old)
	}
}

// TestSeriesSuits: names that a series' pattern matches, with all that is optional and without it, are not dismissed
// before the pattern is compiled.
func TestSeriesSuits(t *testing.T) {
	group, letter := regexp.MustCompile(`\(([^|)]*)[^)]*\)(\??)`), regexp.MustCompile(`(\w)\?`)
	for i, s := range vmSeriesRows.all() {
		for _, optional := range []string{"$1", ""} {
			name := group.ReplaceAllStringFunc(s.Pattern, func(g string) string {
				if strings.HasSuffix(g, "?") && optional == "" {
					return ""
				}
				return group.ReplaceAllString(g, "$1")
			})
			name = letter.ReplaceAllString(strings.ReplaceAll(name, `\d+`, "64"), optional)
			if !regexp.MustCompile("^("+s.Pattern+")$").MatchString(name) || !s.suits(strings.ToUpper(name)) || !vmPatterns.Get()[i].Get().MatchString(strings.ToUpper(name)) {
				t.Errorf("%s: %s is not one of its names, or is dismissed", s.Pattern, name)
			}
		}
	}
	few := 0
	for _, s := range vmSeriesRows.all() {
		if s.suits("Standard_D4s_v6") {
			few++
		}
	}
	if few > 2 {
		t.Errorf("Standard_D4s_v6 suits %d series: nothing is dismissed", few)
	}
}
