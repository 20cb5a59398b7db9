package jobs

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
)

// detachedVariable tells an amlfix in the background that it is one, and the id of
// its run.
const detachedVariable = "AMLFIX_DETACHED_RUN"

// detachedID is the id of the run that this amlfix is to see to in the background;
// the zero ID: it is in the foreground. The job does not get the variable.
func (c *Jobs) detachedID() runid.ID {
	id, err := runid.Parse(c.Env(detachedVariable))
	if err != nil {
		return runid.ID{}
	}
	_ = os.Unsetenv(detachedVariable)
	return id
}

// detach has another amlfix run the plan in the background, and returns when the
// job has been started, or was not. That amlfix sees to the end of the run as one
// in the foreground does; what it says until then is shown.
func (c *Jobs) detach(ctx context.Context, plan runtime.Plan) error {
	cmd, errs, err := local.Background(detachedVariable + "=" + plan.RunID.String())
	if err != nil {
		return err
	}
	said := make(chan struct{})
	go func() {
		_, _ = io.Copy(c.Err, errs)
		close(said)
	}()
	ended := make(chan struct{})
	go func() {
		<-said // the pipe may be closed only when it has been read
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
			_, _ = io.WriteString(c.Out, plan.RunID.String()+"\n")
			c.Say("the run goes on in the background: amlfix runs attach %s shows its output, amlfix runs stop %[1]s ends it", plan.RunID)
			return nil
		}
		if over { // without the job having been started, or its record is gone
			c.Job = true
			if code := cmd.ProcessState.ExitCode(); code != cli.OK {
				return cli.Status(code)
			}
			return nil
		}
	}
}

// stop asks the amlfix in the background to stop as this one was asked.
func stop(ctx context.Context, cmd *exec.Cmd) bool {
	signal := os.Interrupt
	var by *process.Signalled
	if errors.As(context.Cause(ctx), &by) {
		signal = by.Signal
	}
	return cmd.Process.Signal(signal) == nil
}
