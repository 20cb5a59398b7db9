package process

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// Signals returns a context that the first Ctrl-C, SIGTERM or SIGHUP cancels (its cause is a *Signalled) and a channel
// that the second one closes; the third one ends the program, as it would by default. Until catch is called, the first
// one already ends the program. Until stop is called, a closed standard output does not kill the program, so that
// `amlfix run … | head` does not leave a job behind; programs started before catch inherit this. After stop, catch does
// nothing.
func Signals(parent context.Context) (ctx context.Context, kill <-chan struct{}, catch, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	asked := make(chan os.Signal, 4)
	pipe := make(chan os.Signal, 1)
	if len(pipeSignals) > 0 {
		signal.Ignore(pipeSignals...)
	}
	again, over := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var wait sync.WaitGroup
	catch = func() {
		once.Do(func() {
			signal.Notify(asked, stopSignals...)
			if len(pipeSignals) > 0 {
				signal.Notify(pipe, pipeSignals...) // not ignored any longer, because programs would inherit that
			}
			wait.Go(func() {
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
			})
		})
	}
	return ctx, again, catch, sync.OnceFunc(func() {
		once.Do(func() {
			if len(pipeSignals) > 0 {
				signal.Notify(pipe, pipeSignals...) // still ignored, which Reset does not undo, but Stop does
			}
		})
		signal.Stop(asked)
		signal.Stop(pipe)
		close(over)
		wait.Wait()
		cancel(nil)
	})
}
