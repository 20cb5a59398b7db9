package console

import (
	"context"
	"errors"
	"fmt"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/plain"
)

// The exit statuses. They are a stable interface: scripts rely on them. Package process defines the numbers for runs.
const (
	OK       = 0 // nothing at or above --fail-on remains
	Findings = 1 // something remains; with --diff: the diff is not empty
	BadUsage = 2 // the command line cannot be understood
	Failure  = 3 // a path on the command line cannot be read, or writing failed

	// Only from `amlfix run`, where 0 to 122 and 128 to 255 are the job's own; process.CancelCode returns the status
	// for a cancelled job.
	NoGPU      = process.CodeNoGPU      // --require-gpu, and no proof that the job used a GPU
	TimedOut   = process.CodeTimedOut   // the time of --timeout has passed
	NotStarted = process.CodeNotStarted // findings, or nothing to run it with; or lost
)

// Status is an exit status without a message: everything has been reported.
type Status int

// Ended returns what a command with an exit status returns: nil for OK.
func Ended(code int) error {
	if code == OK {
		return nil
	}
	return Status(code)
}

func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Exit returns the exit status of a call whose command returned err, which it prints, as it does an error of writing
// the output.
func (t *Terminal) Exit(ctx context.Context, err error) int {
	code := t.ExitStatus(ctx, err)
	switch err := t.Out.Err(); {
	case err == nil:
	case t.Job:
		t.Say("the job's output could not be written: %v", plain.Cause(err))
	case code < Failure:
		t.Say("the output could not be written: %v", plain.Cause(err))
		return Failure
	}
	return code
}

// ExitStatus converts a command's error to an exit status, and prints it.
func (t *Terminal) ExitStatus(ctx context.Context, err error) int {
	var (
		silent Status
		wrong  *UsageError
	)
	switch {
	case err == nil:
		return OK
	case errors.As(err, &silent):
		return int(silent)
	case errors.As(err, &wrong):
		t.Say("%s", wrong.message)
		_, _ = fmt.Fprintf(t.Err, "See: %s\n", wrong.help())
		return BadUsage
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		t.Say("stopped")
		return process.CancelCode(ctx)
	}
	t.Say("%v", err)
	return Failure
}
