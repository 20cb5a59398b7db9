package preflight

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestParseGPUs(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []GPU
	}{
		{"two", "NVIDIA H100 80GB HBM3, 550.54.15, 9.0\nNVIDIA H100 80GB HBM3, 550.54.15, 9.0\n",
			[]GPU{{"NVIDIA H100 80GB HBM3", "550.54.15", "9.0", false}, {"NVIDIA H100 80GB HBM3", "550.54.15", "9.0", false}}},
		{"old driver", "Tesla K80, 384.111\r\n", []GPU{{"Tesla K80", "384.111", "3.7", false}}},
		{"unknown model", "Quadro X, 384.111\n", []GPU{{"Quadro X", "384.111", "", false}}},
		{"capability not known", "Tesla T4, 450.80.02, [N/A]\n", []GPU{{"Tesla T4", "450.80.02", "7.5", false}}},
		{"stand-in", "AMLFIX-STANDIN Tesla T4, 450.80.02, 7.5\n", []GPU{{"AMLFIX-STANDIN Tesla T4", "450.80.02", "7.5", true}}},
		{"no GPU", "No devices were found\n", nil},
		{"no driver", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n", nil},
		{"nothing", "", nil},
		{"noise", ",,\n, 1.2, 3\na,b,c,d\nx, y\n", nil},
	} {
		testkit.Same(t, tt.want, parseGPUs(tt.text), tt.name)
	}
}

func FuzzParseGPUs(f *testing.F) {
	f.Add("Tesla K80, 384.111, 3.7\n")
	f.Fuzz(func(t *testing.T, text string) {
		gpus := parseGPUs(text)
		if len(gpus) > 0 && describe(gpus) == "" {
			t.Error("no description")
		}
		checkArchitecture(Software{CUDA: "8.0"}, gpus)
	})
}

func TestArchitecture(t *testing.T) {
	gpu := func(name, capability string) []GPU {
		return []GPU{{Name: name, Driver: "550.54.15", Capability: capability}}
	}
	for _, tt := range []struct {
		cuda   string
		gpus   []GPU
		status Status
		text   string
	}{
		{"8.0.61", gpu("Tesla K80", "3.7"), OK, "CUDA 8.0.61 of image a:1 has machine code for Tesla K80"},
		{"8.0.61", gpu("Tesla T4", "7.5"), Doubtful, "Tesla T4 (compute capability 7.5) needs CUDA 9.0 or later, but image a:1 has CUDA 8.0.61 (by test), which contains no machine code for it: " +
			"a job falls back to the CPU, compiles for minutes, or fails: use an image with CUDA 9.0 or later, and packages built for it; or a machine with an older GPU: K80, M60, P100, P40"},
		{"8.0.61", gpu("NVIDIA A100-SXM4-80GB", "8.0"), Doubtful, "needs CUDA 11.0 or later"},
		{"8.0.61", gpu("NVIDIA H100 80GB HBM3", "9.0"), Doubtful, "needs CUDA 11.8 or later"},
		{"9.0.176", gpu("Tesla T4", "7.5"), OK, ""}, // software built for a V100 runs
		{"10.0.130", gpu("NVIDIA A10", "8.6"), Doubtful, "needs CUDA 11.0 or later"},
		{"11.0.3", gpu("NVIDIA A10", "8.6"), OK, ""},
		{"12.2.0", gpu("Tesla K80", "3.7"), Doubtful, "Tesla K80 (compute capability 3.7) is supported by CUDA up to 11, but image a:1 has CUDA 12.2.0 (by test): use an image with CUDA 11 or older"},
		{"12.2.0", gpu("Tesla V100", "7.0"), OK, ""},
		{"13.0", gpu("Tesla V100", "7.0"), Doubtful, "by CUDA up to 12"},
		{"13.0", gpu("Tesla T4", "7.5"), OK, ""},
		{"12.2.0", gpu("Quadro X", ""), Unknown, "whether CUDA 12.2.0 of image a:1 runs on Quadro X is not known"},
		{"12.2.0", gpu("New", "99.0"), Unknown, ""},
	} {
		got := checkArchitecture(Software{Name: "image a:1", CUDA: tt.cuda, From: "by test", Another: "an image"}, tt.gpus)
		if len(got) != 1 || got[0].Status != tt.status || !strings.Contains(got[0].String(), tt.text) {
			t.Errorf("CUDA %s on %v: %v", tt.cuda, tt.gpus, got)
		}
	}
	both := append(gpu("Tesla K80", "3.7"), append(gpu("Tesla K80", "3.7"), gpu("Tesla T4", "7.5")...)...)
	if got := checkArchitecture(Software{CUDA: "8.0"}, both); len(got) != 2 {
		t.Errorf("two kinds of GPUs: %v", got)
	}
}

func TestDriver(t *testing.T) {
	for _, tt := range []struct {
		cuda, driver string
		status       Status
		text         string
	}{
		{"8.0.61", "375.26", OK, "driver 375.26 is new enough for CUDA 8.0.61, which requires 375.26"},
		{"9.0.176", "375.26", Failed, "driver 375.26 is too old for CUDA 9.0.176 of image a:1 (by test), which needs 384.81: update the driver, or use an image with an older CUDA version"},
		{"10.0.130", "384.81", Doubtful, "which needs 410.48"},
		{"11.4.1", "450.80.02", OK, "requires 450.80.02"},
		{"12.4.1", "525.60.13", OK, ""},
		{"12.4.1", "", Unknown, "is not known"},
		{"99.0", "525.60.13", Unknown, "which driver CUDA 99.0 of image a:1 needs is not known"},
	} {
		got := checkDriver(Software{Name: "image a:1", CUDA: tt.cuda, From: "by test", Another: "an image"}, tt.driver)
		if got.Status != tt.status || !strings.Contains(got.String(), tt.text) {
			t.Errorf("CUDA %s, driver %s: %s %s", tt.cuda, tt.driver, got.Status, got)
		}
	}
}

func TestImageCUDA(t *testing.T) {
	for _, tt := range []struct {
		name  string
		env   []string
		names []string
		want  Software
		ok    bool
	}{
		{"by its variable", []string{"A=1", "CUDA_VERSION=8.0.61"}, []string{"x:1"}, Software{"image x:1", "8.0.61", "its CUDA_VERSION says so", "an image"}, true},
		{"known", nil, []string{"microsoft/mmlspark:plus-gpu-0.9.9"}, Software{"image microsoft/mmlspark:plus-gpu-0.9.9", "8.0", "known of microsoft/mmlspark:plus-gpu-0.9.9", "an image"}, true},
		{"stands in for a known one", []string{"CUDA_VERSION=x"}, []string{"registry.example/m:1", "microsoft/mmlspark:plus-gpu-0.9.9"},
			Software{"image registry.example/m:1", "8.0", "known of microsoft/mmlspark:plus-gpu-0.9.9", "an image"}, true},
		{"not known", nil, []string{"a b", "x:1"}, Software{Name: "image a b", Another: "an image"}, false},
	} {
		got, ok := imageCUDA(docker.Image{Env: tt.env}, tt.names...)
		if d := cmp.Diff(tt.want, got); d != "" || ok != tt.ok {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
}
