package runtime

import (
	"context"
	"os/exec"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/runid"
)

// Asking nvidia-smi: when first, how often, and how long it may take. A slow one is asked less often.
const (
	sampleFirst = time.Second
	sampleEvery = 5 * time.Second
	sampleTime  = 10 * time.Second
)

// smi runs nvidia-smi with these arguments; ok is false when it could not be run, or failed.
type smi func(ctx context.Context, args ...string) (out string, ok bool)

// sampled is where a job's GPUs are looked at.
type sampled struct {
	gpus      smi                         // lists the GPUs that the job can see
	processes []smi                       // list the processes on them
	job       func(context.Context) []int // the job's own processes
}

// sample looks at the GPUs while the job runs, until the returned function is called. Without nvidia-smi it gives up.
func (r *runner) sample(ctx context.Context, s sampled) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for pause := sampleFirst; ; {
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
			begin := time.Now()
			if !r.sampleOnce(ctx, s) {
				return
			}
			pause = max(sampleEvery, 10*time.Since(begin))
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

func (r *runner) sampleOnce(ctx context.Context, s sampled) bool {
	ctx, cancel := context.WithTimeout(ctx, sampleTime)
	defer cancel()
	gpus, ok := s.gpus(ctx, evidence.QueryGPUs...)
	if !ok {
		return false
	}
	var processes []string
	for _, ask := range s.processes {
		if text, ok := ask(ctx, evidence.QueryProcesses...); ok {
			processes = append(processes, text)
		}
	}
	r.peak.Add(gpus, processes, s.job(ctx))
	return true
}

// here asks the nvidia-smi of this machine.
func here(ctx context.Context, args ...string) (string, bool) {
	cmd := exec.CommandContext(ctx, "nvidia-smi", args...)
	cmd.WaitDelay = 100 * time.Millisecond // a child of a wrapper script may hold its output
	out, err := cmd.Output()
	return string(out), err == nil
}

// localGPUs looks at the GPUs of this machine.
func localGPUs(runID runid.ID) sampled {
	return sampled{gpus: here, processes: []smi{here}, job: func(context.Context) []int { return local.Processes(runID) }}
}

// containerGPUs looks at the GPUs that a container has. In most containers nvidia-smi cannot see processes; on the
// engine's own machine it can, and counts them as the engine does.
func containerGPUs(eng docker.Engine, name string, sameMachine bool) sampled {
	inside := func(ctx context.Context, args ...string) (string, bool) {
		out, code, err := eng.Exec(ctx, name, "", append([]string{"nvidia-smi"}, args...)...)
		return string(out), err == nil && code == 0
	}
	s := sampled{gpus: inside, processes: []smi{inside}, job: func(ctx context.Context) []int {
		pids, _ := eng.Processes(ctx, name) // none are known then
		return pids
	}}
	if sameMachine {
		s.processes = append(s.processes, here)
	}
	return s
}
