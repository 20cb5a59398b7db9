// Package progress carries what a run reports about itself: its state, the bytes moved, and things the user should
// know. It never carries the job's own output.
package progress

import (
	"fmt"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/secret"
)

// State is how far a run has progressed. States follow one another in the order given here; a run may skip some.
type State string

// The states of a run.
const (
	Planned    State = "planned"    // the plan is made; nothing has been done
	Checking   State = "checking"   // the engine is queried, the project is read
	Preparing  State = "preparing"  // the image is pulled
	Creating   State = "creating"   // the container or the working folder is created
	Uploading  State = "uploading"  // the project is copied
	Starting   State = "starting"   // everything is copied, though an engine may still be unpacking it; the process or container is started
	Running    State = "running"    // the job is running
	Detached   State = "detached"   // as far as is known, the job continues without being watched
	Stopping   State = "stopping"   // a stop was requested
	Collecting State = "collecting" // outputs/ is copied back
	Removing   State = "removing"   // the container or the working folder is removed
	Done       State = "done"       // nothing remains to be done
)

// Event is one report of a run. It has one of three shapes: a new State with its Text; a transfer, with Total or Moved
// above zero; or a notice, which has only a Text.
type Event struct {
	State State  // set when the run enters a new state
	Text  string // one line for people, without a final newline and without secrets; it may quote untrusted text, so a Sink that prints it must escape it
	Moved int64  // bytes moved so far
	Total int64  // bytes to move; 0 while unknown
}

// Transfer reports whether the event only reports the progress of a copy.
func (e Event) Transfer() bool { return e.State == "" && (e.Total > 0 || e.Moved > 0) }

// Sink receives events. It may be called concurrently; a nil Sink drops them.
type Sink func(Event)

// Enter reports that the run is now in state s.
func (k Sink) Enter(s State, format string, args ...any) {
	if k != nil {
		k(Event{State: s, Text: secret.Hide(fmt.Sprintf(format, args...))})
	}
}

// Stop reports that the job is asked to stop, or killed. Insist says nothing new.
func (k Sink) Stop(step process.Step, why process.Cause, control process.Control) {
	switch step {
	case process.Ask:
		next := ""
		if why == process.Cancelled && control.Kill != nil {
			next = "; Ctrl-C again kills it at once"
		}
		k.Enter(Stopping, "%s: stopping the job, which has %v to end%s", why, control.GraceTime(), next)
	case process.Kill:
		k.Enter(Stopping, "%s: killing the job", why)
	case process.Insist:
	}
}

// Notice reports something the user should know; the run continues.
func (k Sink) Notice(format string, args ...any) {
	if k != nil {
		k(Event{Text: secret.Hide(fmt.Sprintf(format, args...))})
	}
}

// Move reports the progress of a copy. total is 0 if not known yet.
func (k Sink) Move(text string, moved, total int64) {
	if k != nil {
		k(Event{Text: secret.Hide(text), Moved: moved, Total: total})
	}
}
