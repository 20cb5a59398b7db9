package runtime

import (
	"context"
	"errors"
	"fmt"

	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/remote"
)

// PlacedError is an error about a line of the project's files.
type PlacedError struct {
	Origin Origin
	Err    error
}

func (e *PlacedError) Error() string { return e.Origin.String() + ": " + e.Err.Error() }

func (e *PlacedError) Unwrap() error { return e.Err }

// Explain says what an error of this package means and what to do about it, on one line.
func Explain(err error) string {
	if err == nil {
		return ""
	}
	return oneLine(err.Error())
}

// settle decides what the run is called and which code it ends with.
func (r *runner) settle(ctx context.Context, exit process.Exit, err error) {
	res := &r.result
	defer func() { res.Reason = oneLine(res.Reason) }() // an engine's or a machine's own words may be in it
	res.Started, res.Ended, res.JobCode, res.Reason = exit.Started, exit.Ended, exit.Code, exit.Note
	cancelled := context.Cause(ctx)
	var unrecorded recordError
	switch {
	case !exit.Ran() && errors.As(cancelled, &unrecorded):
		res.Outcome, res.Code, res.Reason = NotStarted, CodeNotStarted, Explain(unrecorded)
	case !exit.Ran() && cancelled != nil && errors.Is(err, cancelled):
		res.Outcome, res.Code, res.Reason = Cancelled, process.CancelCode(ctx), "before the job was started"
	case !exit.Ran():
		res.Outcome, res.Code, res.Reason = NotStarted, CodeNotStarted, Explain(err)
		var start *local.StartError
		if errors.As(err, &start) {
			res.Code = start.Code
		}
		var there *remote.StartError
		if errors.As(err, &there) {
			res.Code = there.Code
		}
	case exit.Cause == process.Lost || err != nil:
		res.Outcome, res.Code = Lost, CodeNotStarted
		if err != nil {
			res.Reason = Explain(err)
		}
	case exit.Cause == process.Cancelled:
		res.Outcome, res.Code = Cancelled, process.CancelCode(ctx)
	case exit.Cause == process.Ended && r.earlier != nil && r.earlier.Cause == string(process.Cancelled): // the job was asked before amlfix was killed
		res.Outcome, res.Code, res.Reason = Cancelled, r.earlier.Code, ""
	case exit.Cause == process.Ended && r.earlier != nil:
		res.Outcome, res.Code, res.Reason = TimedOut, r.earlier.Code, ""
	case exit.Cause == process.TimedOut:
		res.Outcome, res.Code = TimedOut, CodeTimedOut
		res.Reason = join(fmt.Sprintf("the time limit was %v", r.plan.Timeout.Value), res.Reason)
	case exit.OOMKilled:
		res.Outcome, res.Code = OOMKilled, exit.Code
	case exit.Code != 0:
		res.Outcome, res.Code = Failed, exit.Code
		if res.Reason == "" {
			res.Reason = r.failure(exit.Code)
		}
	case res.OutputsErr != nil:
		res.Outcome, res.Code = Succeeded, CodeNotStarted
	default:
		res.Outcome = Succeeded
	}
}

// failure explains exit codes that say more than "failed".
func (r *runner) failure(code int) string {
	where := "on this machine"
	switch r.plan.Kind.Value {
	case Docker:
		where = "in the image"
	case Remote, Cluster:
		where = "on that machine"
	}
	switch code {
	case 127:
		return fmt.Sprintf("a program was not found %s, perhaps %s itself", where, r.plan.Interpreter.Value)
	case 126:
		return fmt.Sprintf("a program %s could not be run, perhaps %s itself", where, r.plan.Interpreter.Value)
	case 139:
		return "it ended by a memory fault (SIGSEGV)"
	}
	return ""
}
