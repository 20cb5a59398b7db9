package docker

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
)

// codeKilled is the exit code of a process ended by SIGKILL.
const codeKilled = 128 + 9

// codeUnknown is the exit code that an engine reports for a container whose end it did not observe.
const codeUnknown = 255

// errDeaf is returned when a container does not end after SIGKILL.
var errDeaf = errors.New("the container was sent a kill signal, but its end was not confirmed")

// stop takes one step towards ending the container, once there is an engine to ask, unless watched is done before that.
// After Ctrl-C the job first gets SIGINT, for which Python raises KeyboardInterrupt. stop calls giveUp if even SIGKILL
// does not end the container.
func (r *run) stop(watched context.Context, step process.Step, why process.Cause, interrupt bool, giveUp context.CancelCauseFunc) {
	r.say.Stop(step, why, r.control)
	var request func(context.Context) error
	switch {
	case step == process.Ask:
		request = func(ctx context.Context) error {
			if why == process.TimedOut {
				r.timeIsUp(ctx)
			}
			if interrupt {
				return r.eng.Interrupt(ctx, r.id)
			}
			return r.eng.Stop(ctx, r.id, r.control.GraceTime())
		}
	case step == process.Insist && interrupt:
		request = func(ctx context.Context) error { return r.eng.Stop(ctx, r.id, r.control.GraceTime()/2) }
	case step == process.Kill:
		request = func(ctx context.Context) error { return r.eng.Kill(ctx, r.id) }
		time.AfterFunc(stopSlack, func() { giveUp(errDeaf) })
	default: // the engine itself proceeds to SIGKILL
		return
	}
	r.stops.Go(func() {
		ctx, cancel := context.WithTimeout(r.own, r.control.GraceTime()+stopSlack)
		defer cancel()
		for pause := firstPause; ; pause = min(2*pause, longPause) {
			if err := request(ctx); !away(err) { // a container that has ended in the meantime is the desired result
				return
			}
			select {
			case <-watched.Done():
				return
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
		}
	})
}

// finish fills in how the container ended. code is its exit code.
func (r *run) finish(exit *process.Exit, code int) {
	exit.Code = code
	var state State
	look := func() (err error) {
		ctx, cancel := context.WithTimeout(r.own, removeTime)
		defer cancel()
		exit.Cause = r.settle(ctx, exit.Cause)
		state, err = r.eng.State(ctx, r.id)
		return err
	}
	err := r.persist(look)
	tries := 5
	if state.Memory > 0 {
		tries = 30
	}
	for n := 0; err == nil && n < tries && exit.Cause == process.Ended && state.Code == codeKilled && !state.OOMKilled; n++ {
		time.Sleep(oomPause) // on a busy machine, the kernel's OOM event arrives after the exit
		err = look()
	}
	if err == nil && exit.Cause == process.Ended && endedFromOutside(state) {
		// the engine may be shutting down: copying from an engine that stops meanwhile leaves mounts behind
		time.Sleep(stopPause)
		err = r.persist(look)
	}
	switch {
	case away(err):
		exit.Cause, exit.Code, exit.Note = process.Lost, process.CodeNotStarted, Explain(err)
		return
	case err != nil:
		exit.Note = Explain(err)
		return
	}
	if r.spec.Stored != nil {
		r.spec.Stored.Begun = state.Started
	}
	exit.Code = state.Code
	exit.OOMKilled = state.OOMKilled && state.Code != 0 // the engine also reports this when the job lost a child process and continued
	exit.Note = state.Error
	if took := state.Ended.Sub(state.Started); took > 0 && r.resumed { // it may have ended long before this process looked
		exit.Ended = exit.Started.Add(took)
	}
	if state.OOMKilled {
		exit.Note = memoryNote(state.Code == codeKilled, state.Memory)
	}
	if r.resumed && state.Code == codeUnknown {
		exit.Note = "the job returned 255, or it ended while the engine was stopping or down, in which case the engine may report 255: see the end of the log"
	}
	if exit.Cause == process.Ended && endedFromOutside(state) {
		exit.Note = "it was ended by a signal that amlfix did not send: the container was stopped from outside, or the job sent the signal itself"
		switch {
		case state.Code != codeKilled:
		case state.Memory > 0: // a busy engine can lose the kernel's event
			exit.Note += "; or memory ran out, whose limit was " + progress.Bytes(state.Memory)
		default: // of this the engine may get no event
			exit.Note += "; or the machine ran out of memory"
		}
	}
}

// memoryNote describes an OOM kill. main means that the job's own process was killed, so the outcome says the rest.
func memoryNote(main bool, limit int64) string {
	var parts []string
	if !main {
		parts = append(parts, "the kernel ended a process that the job had started, because memory ran out")
	}
	if limit > 0 {
		parts = append(parts, "the memory limit was "+progress.Bytes(limit))
	}
	return strings.Join(parts, "; ")
}

// endedFromOutside reports whether the job was ended by a signal that only an engine or a person can have sent.
func endedFromOutside(s State) bool { return !s.OOMKilled && (s.Code == 143 || s.Code == codeKilled) }
