package process

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Signals returns a context that the first Ctrl-C, SIGTERM or SIGHUP cancels (its cause is a *Signalled) and a channel
// that the second one closes; the third one ends the program, as it would by default. Repetitions do not count. Until
// catch is called, the first one already ends the program. A closed standard output does not kill the program, so that
// `amlfix run … | head` does not leave a job behind; programs started before catch inherit this. All of this stays
// until the program ends.
func Signals(parent context.Context) (ctx context.Context, kill <-chan struct{}, catch func()) {
	ctx, cancel := context.WithCancelCause(parent)
	if len(pipeSignals) > 0 {
		signal.Ignore(pipeSignals...)
	}
	again := make(chan struct{})
	return ctx, again, sync.OnceFunc(func() {
		asked := make(chan os.Signal, 4)
		// a program that was started with nohup still ignores SIGHUP
		ignored := func(s os.Signal) bool { return s == syscall.SIGHUP && signal.Ignored(s) }
		signal.Notify(asked, slices.DeleteFunc(slices.Clone(stopSignals), ignored)...)
		if len(pipeSignals) > 0 {
			signal.Notify(make(chan os.Signal, 1), pipeSignals...) // not ignored any longer, because programs would inherit that
		}
		go func() {
			cancel(&Signalled{Signal: <-asked})
			first := time.Now()
			for repeats(<-asked, time.Since(first)) {
			}
			close(again)
			time.Sleep(echo)
			signal.Stop(asked)
		}()
	})
}

// echo is how soon after another signal Ctrl-C comes from a program, not from a person.
const echo = 100 * time.Millisecond

// repeats reports whether a signal that comes so long after another one is part of the same request. `timeout` signals
// its child, and then the child's group. When a terminal is closed, the kernel sends SIGHUP, then the shell, and a
// session's manager may add SIGTERM.
func repeats(s os.Signal, after time.Duration) bool {
	if s == os.Interrupt {
		return after < echo
	}
	return after < 20*echo
}
