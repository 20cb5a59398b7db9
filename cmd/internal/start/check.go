package start

import (
	"context"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/cmd/internal/version"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema"
)

// checked is a whole call of check, which returns the exit status.
func (w *words) checked() int {
	ctx, kill, catch := process.Signals(context.Background())
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	t := &console.Terminal{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Out: ui.NewOutput(os.Stdout), Err: ui.NewOutput(os.Stderr),
		Env: os.Getenv, Kill: kill, Version: version.Get,
	}
	e := &check.Engine{Dir: schema.Identity(dir), BeforeRecovery: catch}
	e.Notice = func(message string) { t.Say("%s", message) }
	if !filepath.IsAbs(e.Dir) {
		return t.Exit(ctx, console.NoFolder())
	}
	Catch(ctx, w, "check", t, e)
	if err = flags.Read(w, "check", e); err == nil {
		c := flags.Check{Terminal: t, Engine: e, Flags: w, Args: w.paths}
		err = c.Run(ctx, nil)
	}
	return t.Exit(ctx, err)
}
