package process

import (
	"context"
	"time"
)

// Control says how long a process may run and how it is stopped.
type Control struct {
	Limit time.Duration   // time limit, counted from the start of the process; 0: none
	Grace time.Duration   // from the first request to stop until the process is killed; 0: DefaultGrace
	Kill  <-chan struct{} // closed when the user asks a second time: no more grace; nil: never
	// Patience is how long an engine or a machine that went away is looked for, until its job counts as lost; 0: as long
	// as the package of the target thinks fit.
	Patience time.Duration
}

// DefaultGrace is what a job gets to end by itself after a request to stop: as long as `docker stop` gives.
const DefaultGrace = 10 * time.Second

// Step is how hard a process is asked to end.
type Step int

// The steps, in the order they are taken. Insist comes when half of the grace is over, Kill at its end.
const (
	Ask Step = iota
	Insist
	Kill
)

// GraceTime is Grace, or DefaultGrace when none is set.
func (c Control) GraceTime() time.Duration {
	if c.Grace <= 0 {
		return DefaultGrace
	}
	return c.Grace
}

// Watch waits until done is closed and tells why the process ended. When ctx is cancelled or the time limit is over it
// calls act with Ask, Insist and Kill in turn; a second request of the user goes to Kill at once. act must not block.
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
