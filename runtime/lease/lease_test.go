package lease

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		n, total int
		taken    map[int]string
		want     []int
		err      string
	}{
		{1, 2, nil, []int{0}, ""},
		{2, 4, map[int]string{0: "a", 2: "b"}, []int{1, 3}, ""},
		{2, 2, map[int]string{1: "b"}, nil, "2 of the machine's 2 GPUs are requested, but too few are free (GPU 1 by run b): wait until a run has ended, or share them with --gpus all"},
		{1, 2, map[int]string{0: "a", 1: "b"}, nil, "1 of the machine's 2 GPUs is requested, but too few are free (GPU 0 by run a, GPU 1 by run b): wait until a run has ended, or share them with --gpus all"},
		{3, 2, nil, nil, "3 GPUs are requested, but the machine has 2: --gpus all gives the job all of them"},
		{1, 0, nil, nil, "1 GPU is requested, but the machine has 0"},
	} {
		got, err := Choose(tt.n, tt.total, tt.taken)
		testkit.Same(t, tt.want, got)
		said := ""
		if err != nil {
			said = err.Error()
		}
		testkit.Same(t, tt.err, said)
	}
	testkit.Same(t, []int{0, 12}, Parse("0,x,12,"))
	testkit.Same(t, "0,12", Numbers([]int{0, 12}))
}
