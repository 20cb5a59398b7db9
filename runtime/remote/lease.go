package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/lease"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/ssh"
)

// gpusGiven is what the start script prints before the GPUs reserved for the job.
const gpusGiven = "gpus "

// Exit codes of lease in job.sh.
const (
	tooFew   = 71
	unlocked = 72
)

// gpusFree fails if too few GPUs are free for a job that has not been sent yet. Which ones it gets is decided when it
// starts.
func (j *Job) gpusFree(ctx context.Context, spec Spec) error {
	if spec.GPUs == 0 {
		return nil
	}
	said, err := j.line.Script(ctx, j.script("leases"))
	if err != nil {
		return failed(j.line, err, "it cannot be determined which GPUs are free")
	}
	return j.few(spec, said)
}

// few returns the error for a job for which too few GPUs are free, according to leases; nil: enough are free.
func (j *Job) few(spec Spec, leases string) error {
	taken := map[int]string{}
	for line := range strings.Lines(leases) {
		run, gpus, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, err := runid.Parse(run)
		if err != nil {
			continue
		}
		for _, n := range lease.Parse(gpus) {
			taken[n] = id.String()
		}
	}
	if _, err := lease.Choose(spec.GPUs, spec.GPUTotal, taken); err != nil {
		return fmt.Errorf("%s: %w", j.line.Name(), err)
	}
	return nil
}

// unleased returns why no GPUs could be given to a job that was not started; otherwise it returns err.
func (j *Job) unleased(spec Spec, said string, err error) error {
	exit, ok := errors.AsType[*ssh.ExitError](err)
	if !ok {
		return err
	}
	switch exit.Code {
	case tooFew:
		if few := j.few(spec, said); few != nil {
			return few
		}
	case unlocked:
		return &StartError{Host: j.line.Name(), Code: process.CodeNotStarted, Err: err,
			Text: "GPUs cannot be reserved: it has no program flock, or other amlfix runs keep reserving GPUs; --gpus all needs no reservation"}
	}
	return err
}
