package session

import (
	"context"
	"os/exec"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
)

// Asking nvidia-smi: when first, how often, and how long it may take. A slow
// one is asked less often.
const (
	sampleFirst = time.Second
	sampleEvery = 5 * time.Second
	sampleTime  = 10 * time.Second
)

// SMI runs nvidia-smi with these arguments; ok is false when it could not be
// run, or failed.
type SMI func(ctx context.Context, args ...string) (out string, ok bool)

// GPUs is where a job's GPUs are looked at.
type GPUs struct {
	List      SMI                         // lists the GPUs that the job can see
	Processes []SMI                       // list the processes on them
	Job       func(context.Context) []int // the job's own processes
}

// Sample looks at the GPUs while the job runs, until the returned function is
// called. Without nvidia-smi it gives up.
func (s *Session) Sample(ctx context.Context, at GPUs) (stop func()) {
	return often(ctx, sampleFirst, func(ctx context.Context) time.Duration {
		begin := time.Now()
		if !s.sampleOnce(ctx, at) {
			return never
		}
		return max(sampleEvery, 10*time.Since(begin))
	})
}

// never is the pause after which nothing is done any more.
const never time.Duration = -1

// often does something after a pause, and again after the pause that it returns, in
// a goroutine of its own, until ctx is cancelled or the returned function called,
// which waits for its end.
func often(ctx context.Context, pause time.Duration, do func(context.Context) time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for pause != never {
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
				pause = do(ctx)
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

func (s *Session) sampleOnce(ctx context.Context, at GPUs) bool {
	ctx, cancel := context.WithTimeout(ctx, sampleTime)
	defer cancel()
	gpus, ok := at.List(ctx, evidence.QueryGPUs...)
	if !ok {
		return false
	}
	var processes []string
	for _, ask := range at.Processes {
		if text, ok := ask(ctx, evidence.QueryProcesses...); ok {
			processes = append(processes, text)
		}
	}
	s.peak.Add(gpus, processes, at.Job(ctx))
	return true
}

// SMIHere asks the nvidia-smi of this machine.
func SMIHere(ctx context.Context, args ...string) (string, bool) {
	cmd := exec.CommandContext(ctx, "nvidia-smi", args...)
	cmd.WaitDelay = 100 * time.Millisecond // a child of a wrapper script may hold its output
	out, err := cmd.Output()
	return string(out), err == nil
}
