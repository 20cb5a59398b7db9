package target

import (
	"context"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/session"
)

// OwnGPUs returns how many of a machine's GPUs to reserve for the run, and how many there are, according to the
// machine's nvidia-smi. n is 0 if the run shares them, or if only the job's file specifies a number and the machine has
// no GPUs. where is a phrase such as "on this machine".
func OwnGPUs(ctx context.Context, s *session.Session, smi session.SMI, where string) (n, total int, err error) {
	n = s.Plan.GPUs.Value.Count()
	if n == 0 {
		return 0, 0, nil
	}
	asked, cancel := context.WithTimeout(ctx, AskTime)
	defer cancel()
	list, ok := smi(asked, "--query-gpu=index", "--format=csv,noheader")
	total = len(strings.Fields(list))
	switch {
	case ctx.Err() != nil:
		return 0, 0, context.Cause(ctx)
	case ok && total > 0:
		return n, total, nil
	case !ok && asked.Err() != nil:
		return 0, 0, fmt.Errorf("--gpus %d: nvidia-smi has not answered within %v %s: restart the machine, or share its GPUs with --gpus all", n, AskTime, where)
	case s.Plan.GPUs.Origin != plan.CommandLine:
		s.Say.Notice("%s: the job needs %s, but nvidia-smi lists none %s", s.Plan.GPUs.Origin, countGPUs(n), where)
		return 0, 0, nil
	}
	return 0, 0, fmt.Errorf("--gpus %d: nvidia-smi lists no GPUs %s: install NVIDIA's driver there, or leave --gpus out", n, where)
}

func countGPUs(n int) string {
	if n == 1 {
		return "a GPU"
	}
	return fmt.Sprintf("%d GPUs", n)
}
