package jobs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/plain"
)

// detachedVariable tells an amlfix process that it runs in the background, and the ID of its run.
const detachedVariable = "AMLFIX_DETACHED_RUN"

// detachedID returns the ID of the run that this process should handle in the background; the zero ID: it runs in the
// foreground. The job does not get the variable.
func (c *Jobs) detachedID() runid.ID {
	id, err := runid.Parse(c.Env(detachedVariable))
	if err != nil {
		return runid.ID{}
	}
	_ = os.Unsetenv(detachedVariable)
	c.unseen = true
	return id
}

// detach has another amlfix process run the plan in the background, and returns when the job has started, or has failed
// to start. That process handles the rest of the run as one in the foreground does; its messages until then are shown.
// steps is how many runs follow this one.
func (c *Jobs) detach(ctx context.Context, plan runtime.Plan, steps int) error {
	cmd, errs, err := local.Background(detachedVariable + "=" + plan.RunID.String())
	if err != nil {
		return err
	}
	said, shown := make(chan struct{}), &announced{w: c.Err, started: make(chan struct{})}
	go func() {
		_, _ = io.Copy(shown, errs)
		close(said)
	}()
	ended := make(chan struct{})
	go func() {
		<-said // the pipe may be closed only after it has been read
		_ = cmd.Wait()
		close(ended)
	}()
	dir, asked, over := record.Dir(plan.Project, plan.RunID), false, false
	for {
		select {
		case <-ended:
			over = true
		case <-ctx.Done():
			if !asked { // Ctrl-C before the start
				asked = stop(ctx, cmd)
			}
			time.Sleep(followEvery)
		case <-time.After(followEvery):
		}
		if rec, err := record.ReadDir(dir); err == nil && !asked && !rec.Entered(progress.Running).IsZero() {
			select { // the record is written first
			case <-shown.started:
			case <-said:
			case <-time.After(time.Second):
			}
			_, _ = io.WriteString(c.Out, plan.RunID.String()+"\n")
			c.Say("the run continues in the background: amlfix runs attach %s shows its output, amlfix runs stop %[1]s ends it", plan.RunID)
			if steps > 0 {
				c.Say("so does the pipeline, which has %s after this one: amlfix runs list shows them; it ends with a step that fails or is stopped", plain.Count(steps, "step"))
			}
			return nil
		}
		if over { // the job was not started, or its record is gone
			c.Job = true
			return console.Ended(cmd.ProcessState.ExitCode())
		}
	}
}

// announced passes on the messages of an amlfix process in the background, and closes started when that process has
// reported that the job runs.
type announced struct {
	w       io.Writer
	started chan struct{}
	text    []byte // until it has reported that
	done    bool
}

func (a *announced) Write(p []byte) (int, error) {
	n, err := a.w.Write(p)
	if !a.done {
		a.text = append(a.text, p...)
		if bytes.Contains(a.text, []byte("amlfix: running ")) {
			close(a.started)
			a.done, a.text = true, nil
		}
	}
	return n, err
}

// stop asks the process in the background to stop as this one was asked.
func stop(ctx context.Context, cmd *exec.Cmd) bool {
	signal := os.Interrupt
	if by, ok := errors.AsType[*process.Signalled](context.Cause(ctx)); ok {
		signal = by.Signal
	}
	return cmd.Process.Signal(signal) == nil
}
