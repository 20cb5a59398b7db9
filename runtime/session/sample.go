package session

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/escape"
)

// When to query nvidia-smi first, how often, how long it may take, and how many queries to make if it has never
// answered: an engine or a machine may be unavailable for a moment. A slow one is queried less often.
const (
	sampleFirst = time.Second
	sampleEvery = 5 * time.Second
	sampleTime  = 10 * time.Second
	sampleTries = 3
)

// SMI runs nvidia-smi with these arguments; ok is false if it could not be run or failed.
type SMI func(ctx context.Context, args ...string) (out string, ok bool)

// GPUs describes how to query a job's GPUs.
type GPUs struct {
	List      []SMI                       // the first that answers lists the GPUs visible to the job
	Processes []SMI                       // list the processes on the GPUs
	Job       func(context.Context) []int // returns the job's own processes
}

// Sample samples the GPUs while the job runs, until the returned function is called. Without nvidia-smi it gives up.
func (s *Session) Sample(ctx context.Context, at GPUs) (stop func()) {
	tries := 0
	s.sampled = often(ctx, sampleFirst, func(ctx context.Context) time.Duration {
		begin := time.Now()
		if tries++; !s.sampleOnce(ctx, at) && s.peak.Samples == 0 && tries >= sampleTries {
			return never
		}
		return max(sampleEvery, 10*time.Since(begin))
	})
	return s.sampled
}

// never is the pause that ends the repetition.
const never time.Duration = -1

// often calls do after a pause, and again after each pause that it returns, in a separate goroutine, until ctx is
// cancelled or the returned function is called, which waits for the goroutine to end.
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
	gpus, ok := look(ctx, at, &s.peak)
	if ok {
		s.keepSample(gpus)
	}
	return ok
}

// look takes one sample of the GPUs. ok is false if there was no answer.
func look(ctx context.Context, at GPUs, peak *evidence.Peak) (gpus string, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, sampleTime)
	defer cancel()
	for _, list := range at.List {
		if gpus, ok = list(ctx, evidence.QueryGPUs...); ok {
			break
		}
	}
	if !ok {
		return "", false
	}
	var processes []string
	for _, ask := range at.Processes {
		if text, ok := ask(ctx, evidence.QueryProcesses...); ok {
			processes = append(processes, text)
		}
	}
	peak.Add(gpus, processes, at.Job(ctx))
	return gpus, true
}

// keepSample records a sample of the GPUs. A long run is sampled as often as a short one, but its record keeps fewer
// and fewer samples: about 5,000 of the first seven hours, and 30,000 of a month.
func (s *Session) keepSample(gpus string) {
	cards, _ := evidence.ReadCards(gpus)
	now := time.Now()
	ran := now.Sub(s.rec.run.Record().Entered(progress.Running))
	if len(cards) == 0 || now.Sub(s.kept) < ran/sampleShare {
		return
	}
	s.kept = now
	look := record.Look{At: now.UTC()}
	for _, c := range cards {
		look.GPUs = append(look.GPUs, record.Card{Name: c.Name, Utilisation: c.Utilisation, Used: c.Used, Total: c.Total})
	}
	s.rec.failed(s.rec.run.AddLook(look))
}

// sampleShare limits recorded samples: at least 1/sampleShare of the run's duration lies between two of them.
const sampleShare = 5000

// SMIOf queries the nvidia-smi of a shell's machine. A shell over SSH may lack the PATH of a login shell, so the usual
// folders are searched as well.
func SMIOf(there Shell) SMI {
	return func(ctx context.Context, args ...string) (string, bool) {
		script := []string{`PATH="$PATH:/usr/local/bin:/usr/bin:/usr/local/nvidia/bin:/opt/bin:/usr/lib/wsl/lib" nvidia-smi`}
		for _, a := range args {
			script = append(script, escape.Word(a))
		}
		out, err := there(ctx, strings.Join(script, " "))
		return out, err == nil && strings.TrimSpace(out) != ""
	}
}

// SMIHere queries the nvidia-smi of this machine. One that hangs in the driver cannot be killed, and is not waited for.
func SMIHere(ctx context.Context, args ...string) (string, bool) {
	cmd := exec.CommandContext(ctx, "nvidia-smi", args...)
	cmd.WaitDelay = smiDelay // a child of a wrapper script may hold its output open
	answer := make(chan string, 1)
	go func() {
		defer close(answer)
		if out, err := cmd.Output(); err == nil {
			answer <- string(out)
		}
	}()
	stuck := make(chan struct{})
	defer context.AfterFunc(ctx, func() { time.AfterFunc(2*smiDelay, func() { close(stuck) }) })()
	select {
	case out, ok := <-answer:
		return out, ok
	case <-stuck:
		return "", false
	}
}

// smiDelay is how long an nvidia-smi that was killed may take to end.
const smiDelay = 100 * time.Millisecond
