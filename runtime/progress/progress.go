// Package progress carries what a run says about itself while it goes on: the state it is in, bytes moved,
// and things the user should know. It never carries the job's own output.
package progress

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/secret"
)

// State is how far a run is. States follow one another in the order given here; a run may skip some.
type State string

// The states of a run.
const (
	Planned    State = "planned"    // it is known what to do; nothing has been done
	Checking   State = "checking"   // the engine is asked, the project is read
	Preparing  State = "preparing"  // the image is pulled
	Creating   State = "creating"   // the container or the working folder is made
	Uploading  State = "uploading"  // the project is copied
	Starting   State = "starting"   // all is copied: an engine may still unpack it; the process or container is started
	Running    State = "running"    // the job writes its output
	Detached   State = "detached"   // the job goes on, as far as is known, and nobody watches it
	Stopping   State = "stopping"   // a stop was asked for
	Collecting State = "collecting" // outputs/ is brought back
	Removing   State = "removing"   // the container or the working folder is removed
	Done       State = "done"       // nothing is left to do
)

// Event is one thing a run says. Exactly one of three shapes: a new State with its Text; a transfer, with Total or
// Moved above zero; or a notice, which has a Text alone.
type Event struct {
	State State  // set when the run enters a new state
	Text  string // one line for people, without a final newline and without secrets; it may quote anybody, so a Sink that prints it escapes it
	Moved int64  // bytes moved so far
	Total int64  // bytes to move, 0 while unknown
}

// Transfer reports whether the event only tells how far a copy has come.
func (e Event) Transfer() bool { return e.State == "" && (e.Total > 0 || e.Moved > 0) }

// Sink takes events. It may be called from several goroutines at once; a nil Sink drops them.
type Sink func(Event)

// Enter says that the run is now in state s.
func (k Sink) Enter(s State, format string, args ...any) {
	if k != nil {
		k(Event{State: s, Text: secret.Hide(fmt.Sprintf(format, args...))})
	}
}

// Notice tells something the user should know; the run goes on.
func (k Sink) Notice(format string, args ...any) {
	if k != nil {
		k(Event{Text: secret.Hide(fmt.Sprintf(format, args...))})
	}
}

// Move tells how far a copy has come. total may be 0: not known yet.
func (k Sink) Move(text string, moved, total int64) {
	if k != nil {
		k(Event{Text: secret.Hide(text), Moved: moved, Total: total})
	}
}
