package docker

import (
	"context"
	"errors"
	"fmt"
	"strings"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/runtime/sshengine"
	"github.com/amlfix/amlfix/runtime/target"
)

// container is a job in a container, with the connection to its engine.
type container struct {
	job  *session.Job
	part *Part
	eng  engine.Engine
	gpus int       // of the engine's machine, as far as a check has found
	line *ssh.Line // to the engine's machine, if it is reached over SSH
}

// containerOf returns the job of a plan for containers. A plan from a record has hardly any Part.
func containerOf(job *session.Job) *container {
	part, ok := PartOf(job.Plan)
	if !ok {
		part = &Part{}
		job.Plan.Part = part
	}
	return &container{job: job, part: part}
}

// connect connects to the plan's engine: without a host, the one that DOCKER_HOST names. The connection must be closed,
// even after an error.
func (c *container) connect(ctx context.Context) (err error) {
	switch {
	case c.job.Options.Engine != nil:
		c.eng = c.job.Options.Engine
	case c.job.Plan.Host.Address.Value == "":
		c.eng, err = engine.Connect()
	default:
		if c.line, err = target.Dial(ctx, c.job); err == nil {
			c.eng, err = sshengine.Connect(c.line, c.job.Say.Notice)
		}
	}
	if err != nil {
		c.eng = nil
	}
	return err
}

// close ends the connection. It leaves an engine given in the options open.
func (c *container) close() {
	if c.eng != nil && c.job.Options.Engine == nil {
		_ = c.eng.Close()
	}
	if c.line != nil {
		_ = c.line.Close()
	}
}

// shareThere creates the shared folder on the plan's host and returns its absolute path.
func (c *container) shareThere(ctx context.Context) (string, error) {
	share := c.job.Plan.ShareDir
	word := sshjob.PathWord(share.Value)
	out, err := c.line.Script(ctx, "mkdir -p -- "+word+" && cd -- "+word+" && [ -w . ] && pwd -P && cd && pwd -P")
	if _, ok := errors.AsType[*ssh.ExitError](err); ok {
		return "", &plan.PlacedError{Origin: share.Origin, Err: fmt.Errorf("the shared folder %s cannot be created on %s: %w", share.Value, c.line.Name(), err)}
	}
	if err != nil {
		return "", err
	}
	there, home, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	return there, c.job.Plan.RefuseThere(there, home)
}
