package start

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/process"
)

// Catch makes signals cancel a command. Those that search for projects do so only afterwards: a search only reads, may
// take minutes where there is no project, and may end without a word. A check without flags waits until it has made 16
// MB of garbage, too: most make less, and do not pay for threads, handlers or a timer. Before they finish what a killed
// amlfix has left, they catch signals in any case. At a terminal, it also says when a search takes long.
func Catch(ctx context.Context, f flags.Set, command string, t *console.Terminal, e *check.Engine) {
	catch := e.BeforeRecovery
	if catch == nil {
		return
	}
	if finishes(command) {
		finishing(ctx, t.Kill, t.Say, os.Exit)
	}
	switch {
	case command == "check" && f.NumFlags() == 0:
		e.AfterSearch = func() { afterCollection(catch) }
	case f.IsSet("stdin-filename"): // it reads that first
		catch()
	case slices.Contains([]string{"check", "run", "prepare", "runs", "migrate", "targets", "fix", "undo", "config", "baseline"}, command):
		e.AfterSearch = catch
	default:
		catch()
	}
	if e.AfterSearch == nil || !ui.IsTerminal(t.Stderr) {
		return
	}
	note := time.AfterFunc(3*time.Second, func() {
		t.Say("still searching %s for Azure ML files: if it is not your project's folder, press Ctrl-C and change to that", e.Dir)
	})
	then := e.AfterSearch
	e.AfterSearch = func() { note.Stop(); then() }
}

// finishes reports whether a command works on whole projects, one after the other.
func finishes(command string) bool {
	return slices.Contains([]string{"check", "fix", "baseline", "migrate", "targets"}, command)
}

// untilSaid is how long a command may take to stop before amlfix says why it takes longer.
const untilSaid = time.Second

// finishing says, when a signal has stopped a command, that it finishes the projects in progress, which may take a
// while for large ones; the next signal ends the program. What that interrupts is completed or taken back by the next
// amlfix.
func finishing(ctx context.Context, again <-chan struct{}, say func(string, ...any), exit func(int)) {
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
