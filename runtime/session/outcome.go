package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/process"
)

// Explain returns what an error of a run means and what to do about it, on one line.
func Explain(err error) string {
	if err == nil {
		return ""
	}
	return oneLine(err.Error())
}

// settle determines the run's outcome and exit code.
func (s *Session) settle(ctx context.Context, exit process.Exit, err error) {
	res := &s.Result
	defer func() { res.Reason = oneLine(res.Reason) }() // it may contain an engine's or a machine's own words
	res.Started, res.Ended, res.JobCode, res.Reason = exit.Started, exit.Ended, exit.Code, exit.Note
	cancelled := context.Cause(ctx)
	var unrecorded recordError
	switch {
	case !exit.Ran() && errors.As(cancelled, &unrecorded):
		res.Outcome, res.Code, res.Reason = NotStarted, process.CodeNotStarted, Explain(unrecorded)
	case !exit.Ran() && cancelled != nil && errors.Is(err, cancelled):
		res.Outcome, res.Code, res.Reason = Cancelled, process.CancelCode(ctx), "before the job was started"
		var work interface{ Stopped() string }
		if errors.As(err, &work) {
			res.Reason = plan.Join(res.Reason, work.Stopped())
		}
	case !exit.Ran():
		res.Outcome, res.Code, res.Reason = NotStarted, process.CodeNotStarted, Explain(err)
		var start interface{ StartCode() int }
		if errors.As(err, &start) {
			res.Code = start.StartCode()
		}
	case exit.Cause == process.Lost || err != nil:
		res.Outcome, res.Code = Lost, process.CodeNotStarted
		if err != nil {
			res.Reason = Explain(err)
		}
	case exit.Cause == process.Cancelled:
		res.Outcome, res.Code = Cancelled, process.CancelCode(ctx)
	case exit.Cause == process.Ended && s.earlier != nil && s.earlier.Cause == string(process.Cancelled): // the job was asked to stop before amlfix was killed
		res.Outcome, res.Code, res.Reason = Cancelled, s.earlier.Code, ""
	case exit.Cause == process.Ended && s.earlier != nil:
		res.Outcome, res.Code, res.Reason = TimedOut, s.earlier.Code, ""
	case exit.Cause == process.TimedOut:
		res.Outcome, res.Code = TimedOut, process.CodeTimedOut
		res.Reason = plan.Join(fmt.Sprintf("the time limit was %v", s.Plan.Timeout.Value), res.Reason)
	case exit.OOMKilled:
		res.Outcome, res.Code = OOMKilled, exit.Code
	case exit.Code != 0:
		res.Outcome, res.Code = Failed, exit.Code
		if res.Reason == "" {
			s.missing.look() // a last line without a newline
			res.Reason = plan.Join(s.failure(exit.Code), cmp.Or(s.notSent(), s.notInstalled()))
		}
	case res.OutputsErr != nil:
		res.Outcome, res.Code = Succeeded, process.CodeNotStarted
	default:
		res.Outcome = Succeeded
	}
}

// failure explains exit codes that say more than "failed".
func (s *Session) failure(code int) string {
	itself := ", perhaps " + s.Plan.Interpreter.Value + " itself"
	if s.Plan.Work != nil { // the program is a shell, which did run
		itself = ": the end of its output names it"
	}
	switch code {
	case process.CodeNoProgram:
		if s.Plan.Work != nil && strings.Contains(" "+s.Plan.Work.Shown, " python ") {
			itself += "; if it is python, write python3 in the command: many systems have no other"
		}
		return "a program was not found " + s.where + itself
	case process.CodeCannotRun:
		return "a program " + s.where + " could not be run" + itself
	// signals that a job caused itself
	case 132:
		return "it ended with an illegal instruction (SIGILL): one of its programs may be built for a newer processor"
	case 134:
		return "it ended itself (SIGABRT): the end of its output may say why"
	case 135:
		return "it ended with a bus error (SIGBUS): perhaps there was no space left in /dev/shm or on a disk"
	case 136:
		return "it ended with an arithmetic error, such as a division by zero (SIGFPE)"
	case 139:
		return "it ended with a segmentation fault (SIGSEGV)"
	}
	return ""
}
