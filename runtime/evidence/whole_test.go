package evidence

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhole checks that what is proved about a run is the least that is proved about any of its pods.
func TestWhole(t *testing.T) {
	const none = "no evidence in the log of whether a GPU was used (0 lines read; some frameworks, such as PyTorch, print none)"
	const device = `"Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 06c3:00:00.0")`
	for _, test := range []struct {
		name   string
		logs   []string
		asked  []int
		want   string
		proven bool
	}{
		{"all", []string{creating, creating}, []int{0, 1}, "GPU used in all 2 pods; pod 0: GPU used: Tesla K80 (TensorFlow, log line 1: " + device, true},
		{"not all", []string{creating, "", creating}, []int{0, 1, 2}, "no evidence in pod 1, GPU used in pods 0, 2; pod 1: " + none, false},
		{"none", []string{"", ""}, []int{0, 1}, "no evidence in all 2 pods; pod 0: " + none, false},
		{"CPU", []string{"", skipping, creating}, []int{0, 1, 2}, `CPU only in pod 1, no evidence in pod 0, GPU used in pod 2; pod 1: CPU only: the framework found no usable GPU and continued without one (TensorFlow, log line 1: "Skipping registering GPU devices")`, false},
		{"a helper", []string{creating, ""}, []int{0}, "GPU used in pod 0; pod 0: GPU used: Tesla K80 (TensorFlow, log line 1: " + device, true},
		{"stand-in", []string{creating, "STAND-IN\n" + creating}, []int{0, 1}, "STAND-IN, not a real GPU: GPU used in all 2 pods; pod 0: GPU used: Tesla K80 (TensorFlow, log line 1: " + device, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var pods []Verdict
			for _, log := range test.logs {
				pods = append(pods, verdict(log))
			}
			v := Whole(pods, test.asked)
			if diff := cmp.Diff(test.want, v.Sentence()); diff != "" || v.Proven() != test.proven {
				t.Error(v.Proven(), diff)
			}
		})
	}
}
