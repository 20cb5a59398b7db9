package process

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// Signals returns a context that the first Ctrl-C, SIGTERM or SIGHUP cancels (its cause is a *Signalled) and a channel that
// the second one closes; the third one ends the program, as it would by default. Until stop is called, a closed standard
// output no longer kills the program, so that `amlfix run … | head` does not leave a job behind.
func Signals(parent context.Context) (ctx context.Context, kill <-chan struct{}, stop func()) {
	ctx, kill, listen, stop := LateSignals(parent)
	listen()
	return ctx, kill, stop
}

// LateSignals is like Signals, but until listen is called each signal ends the program, as it would by default. Listening
// starts three threads, which takes longer than checking a project. A program that is started before listen is called ends
// up without SIGPIPE.
func LateSignals(parent context.Context) (ctx context.Context, kill <-chan struct{}, listen, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	asked := make(chan os.Signal, 4)
	pipe := make(chan os.Signal, 1)
	if len(pipeSignals) > 0 {
		signal.Ignore(pipeSignals...)
	}
	again, over := make(chan struct{}), make(chan struct{})
	var (
		once sync.Once
		wait sync.WaitGroup
	)
	listen = func() {
		once.Do(func() {
			signal.Notify(asked, stopSignals...)
			if len(pipeSignals) > 0 {
				signal.Notify(pipe, pipeSignals...)
			}
			wait.Go(func() { count(asked, pipe, over, cancel, again) })
		})
	}
	return ctx, again, listen, sync.OnceFunc(func() {
		once.Do(func() {}) // from now on, listen does nothing
		signal.Stop(asked)
		signal.Stop(pipe)
		close(over)
		wait.Wait()
		cancel(nil)
	})
}

// count cancels at the first signal, and closes again at the second one.
func count(asked, pipe chan os.Signal, over chan struct{}, cancel context.CancelCauseFunc, again chan struct{}) {
	for n := 0; ; {
		select {
		case <-over:
			return
		case <-pipe:
		case s := <-asked:
			switch n++; n {
			case 1:
				cancel(&Signalled{Signal: s})
			case 2:
				close(again)
				signal.Stop(asked)
			}
		}
	}
}
