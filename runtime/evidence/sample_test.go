package evidence

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestSamples(t *testing.T) {
	for _, tt := range []struct {
		name, gpus, processes string
		job                   []int
		want                  Peak
		sentence              string
		proven                bool
	}{
		{"with all fields", "Tesla T4, 87, 1024, 15360, 535.129.03\n", "", nil, Peak{Samples: 1, Utilisation: 87, Memory: 1 << 30, Names: []string{"Tesla T4"}, Driver: "535.129.03"},
			"no evidence in the log of whether a GPU was used (0 lines read; some frameworks, such as PyTorch, print none); nvidia-smi showed no process of the job on it, at most 87% busy and 1.1 GB of memory used", false},
		{"a process of the job", "Tesla T4, 87, 1024\nTesla T4, 0, 3\n", "4711, 1000\n12, 5\n", []int{1, 4711},
			Peak{Samples: 1, Utilisation: 87, Memory: 1 << 30, Names: []string{"Tesla T4", "Tesla T4"}, Process: true},
			"GPU used: 2 × Tesla T4; nvidia-smi showed a process of the job on it, at most 87% busy and 1.1 GB of memory used", true},
		{"somebody else's", "Tesla T4, 87, 1024\n", "4711, 1000\n", []int{1}, Peak{Samples: 1, Utilisation: 87, Memory: 1 << 30, Names: []string{"Tesla T4"}},
			"no evidence in the log of whether a GPU was used (0 lines read; some frameworks, such as PyTorch, print none); nvidia-smi showed no process of the job on it, at most 87% busy and 1.1 GB of memory used", false},
		{"a stand-in", "STAND-IN, 1, 1\n", "7, 1\n", []int{7}, Peak{Samples: 1, Utilisation: 1, Memory: 1 << 20, Names: []string{"STAND-IN"}, Process: true, StandIn: true},
			"STAND-IN, not a real GPU: GPU used: STAND-IN; nvidia-smi showed a process of the job on it, at most 1% busy and 0.0 GB of memory used", false},
		{"not supported", "GRID K520, [N/A], [N/A]\n", "[N/A]\n\n", nil, Peak{Samples: 1, Names: []string{"GRID K520"}},
			"no evidence in the log of whether a GPU was used (0 lines read; some frameworks, such as PyTorch, print none); nvidia-smi showed no process of the job on it, at most 0% busy and 0.0 GB of memory used", false},
		{"no driver", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", "", nil, Peak{},
			"no evidence in the log of whether a GPU was used (0 lines read; some frameworks, such as PyTorch, print none)", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var p Peak
			p.Add(tt.gpus, []string{tt.processes}, tt.job)
			testkit.Same(t, tt.want, p)
			v := New(catalog.LogPatterns()).Verdict().With(p)
			if d := cmp.Diff(tt.sentence, v.Sentence()); d != "" || v.Proven() != tt.proven {
				t.Error(d, v.Proven())
			}
		})
	}
}

func TestCards(t *testing.T) {
	got, driver := ReadCards("A100, 12, 100, 40960, 535.1\nA100, [N/A], [N/A], [N/A], 535.1\nold, 5, 6\nno card\na, 1, 2, 3, 4, 5\n")
	want := []Card{{"A100", 12, 100 << 20, 40960 << 20}, {"A100", -1, -1, -1}, {"old", 5, 6 << 20, -1}}
	if d := cmp.Diff(want, got); d != "" || driver != "535.1" {
		t.Error(d, driver)
	}
	if got, _ := ReadCards(strings.Repeat("A100, 1, 1\n", 1000)); len(got) != cardLimit {
		t.Errorf("%d cards", len(got))
	}
}

func FuzzSample(f *testing.F) {
	f.Add("Tesla T4, 87, 1024\n", "4711, 1000\n")
	f.Fuzz(func(t *testing.T, gpus, processes string) {
		var p Peak
		p.Add(gpus, []string{processes}, []int{1})
		if s := (Verdict{}).With(p).Sentence(); strings.ContainsAny(s, "\n\x1b") || p.Utilisation > 100 || p.Memory < 0 {
			t.Errorf("%q, %+v", s, p)
		}
	})
}
