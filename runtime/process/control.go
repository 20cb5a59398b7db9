package process

import (
	"context"
	"strconv"
	"time"
)

// Control says how long a process may run and how it is stopped.
type Control struct {
	Limit time.Duration   // time limit, counted from the start of the process; 0: none
	Grace time.Duration   // from the first request to stop until the process is killed; 0: DefaultGrace
	Kill  <-chan struct{} // closed when the user asks a second time, which ends the grace period; nil: never
	// Patience is how long to keep looking for an engine or a machine that went away before its job counts as lost; 0:
	// the default of the target's package.
	Patience time.Duration
}

// DefaultGrace is how long a job may take to end by itself after a request to stop, as in `docker stop`.
const DefaultGrace = 10 * time.Second

// Step is how forcefully a process is asked to end.
type Step int

// The steps, in the order in which they are taken. Insist follows after half of the grace period, Kill at its end.
const (
	Ask Step = iota
	Insist
	Kill
)

// GraceTime returns Grace, or DefaultGrace if none is set.
func (c Control) GraceTime() time.Duration {
	if c.Grace <= 0 {
		return DefaultGrace
	}
	return c.Grace
}

// Watch waits until done is closed and returns why the process ended. When ctx is cancelled or the time limit has
// passed, it calls act with Ask, Insist and Kill in turn; a second request from the user skips to Kill. act must not
// block.
func (c Control) Watch(ctx context.Context, done <-chan struct{}, act func(Step, Cause)) Cause {
	cause := Ended
	cancelled, killed := ctx.Done(), c.Kill
	var limit, insist, end <-chan time.Time
	if c.Limit > 0 {
		t := time.NewTimer(c.Limit)
		defer t.Stop()
		limit = t.C
	}
	stop := func(why Cause) {
		cause, cancelled, limit = why, nil, nil
		insist, end = time.After(c.GraceTime()/2), time.After(c.GraceTime())
		act(Ask, why)
	}
	for {
		select {
		case <-done:
			return cause
		case <-cancelled:
			stop(Cancelled)
		case <-limit:
			stop(TimedOut)
		case <-insist:
			insist = nil
			act(Insist, cause)
		case <-end:
			end, insist = nil, nil
			act(Kill, cause)
		case <-killed:
			if cause == Ended {
				cause = Cancelled
			}
			cancelled, limit, killed, insist, end = nil, nil, nil, nil, nil
			act(Kill, cause)
		}
	}
}

// Supervise is the environment variable that makes a process of this program the supervisor of a job (see package
// local); its value is the ID of the job's run.
const Supervise = "AMLFIX_SUPERVISE"

// Seconds returns d in whole seconds, rounded up, for programs that do not all accept fractions: timeout and sleep.
func Seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}
