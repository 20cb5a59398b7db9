package start

import (
	"context"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/runtime/process"
)

// checked is a whole call of check, which returns the exit status.
func checked(f flags.Set, paths []string) int {
	ctx, kill, catch := process.Signals(context.Background())
	t, e := ownCaller().Open()
	t.Kill, e.BeforeRecovery = kill, catch
	err := console.Ready(e.Dir)
	if err != nil {
		return t.Exit(ctx, err)
	}
	Catch(ctx, f, "check", t, e)
	if err = flags.Read(f, "check", e); err == nil {
		c := flags.Check{Terminal: t, Engine: e, Flags: f, Args: paths}
		err = c.Run(ctx, nil)
	}
	return t.Exit(ctx, err)
}
