package start

import (
	"context"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// untilSaid is how long a command may take to stop before amlfix says why it takes longer.
const untilSaid = time.Second

// Finishing says, when a signal has stopped a command, that it finishes the projects in progress, which may take a
// while for large ones; the next signal ends the program. What that interrupts is completed or taken back by the next
// amlfix.
func Finishing(ctx context.Context, again <-chan struct{}, say func(string, ...any), exit func(int)) {
	context.AfterFunc(ctx, func() {
		select {
		case <-time.After(untilSaid):
			say("stopping when the projects in progress are finished: press Ctrl-C again to end at once")
			<-again
		case <-again:
		}
		exit(process.CancelCode(ctx))
	})
}
