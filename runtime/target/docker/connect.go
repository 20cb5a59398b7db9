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

// container is a job in a container, with the way to its engine.
type container struct {
	job  *session.Job
	part *Part
	eng  engine.Engine
	gpus int       // of the engine's machine, as far as a check has seen them
	line *ssh.Line // to the machine of the engine, when it is reached over SSH
}

// containerOf is the job of a plan for containers; a plan from a record has
// hardly a part.
func containerOf(job *session.Job) *container {
	part, ok := PartOf(job.Plan)
	if !ok {
		part = &Part{}
		job.Plan.Part = part
	}
	return &container{job: job, part: part}
}

// connect connects to the engine that the plan runs on: without a host that is
// the one that DOCKER_HOST names. It must be closed, also after an error.
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

// close ends the connection. An engine of the options is left open.
func (c *container) close() {
	if c.eng != nil && c.job.Options.Engine == nil {
		_ = c.eng.Close()
	}
	if c.line != nil {
		_ = c.line.Close()
	}
}

// shareThere makes the shared folder on the plan's host and returns its absolute
// path.
func (c *container) shareThere(ctx context.Context) (string, error) {
	share := c.job.Plan.ShareDir
	word := sshjob.PathWord(share.Value)
	out, err := c.line.Script(ctx, "mkdir -p -- "+word+" && cd -- "+word+" && [ -w . ] && pwd -P && cd && pwd -P")
	var exit *ssh.ExitError
	if errors.As(err, &exit) {
		return "", &plan.PlacedError{Origin: share.Origin, Err: fmt.Errorf("the shared folder %s cannot be created on %s: %w", share.Value, c.line.Name(), err)}
	}
	if err != nil {
		return "", err
	}
	there, home, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	return there, c.job.Plan.RefuseThere(there, home)
}
