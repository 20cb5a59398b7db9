package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/cmd/internal/watch"
)

// clearScreen clears a terminal and its scrollback.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// watch checks whenever files change, and returns the status of the last check that completed.
func (c *call) watch(ctx *cli.Context) error {
	watching, stop := context.WithCancel(ctx.Context)
	defer stop()
	last, checks := console.Status(console.OK), 0
	var wrong error
	w := watch.Watcher{
		Pause: 500 * time.Millisecond, Quiet: 100 * time.Millisecond,
		Files: func() []string { return c.Watched(ctx.Args().Slice()) },
	}
	w.Changed = func() []string {
		if ui.IsTerminal(c.Stdout) {
			_, _ = c.Out.Write([]byte(clearScreen))
		} else if checks > 0 {
			_, _ = c.Out.Write([]byte("\n"))
		}
		met := map[string]bool{}
		err := flags.ReadTrust(ctx, ctx.Command.Name, c.Engine)
		if err == nil {
			err = c.checking(ctx).Run(ctx.Context, met)
		}
		if bad := new(console.UsageError); checks == 0 && errors.As(err, &bad) {
			wrong = err
			stop()
		}
		if watching.Err() != nil {
			return nil
		}
		last, checks = console.Status(c.ExitStatus(ctx.Context, err)), checks+1
		c.Say("%s: checked; waiting for changes, press Ctrl-C to end", time.Now().Format("15:04:05"))
		return slices.Collect(maps.Keys(met))
	}
	w.Run(watching)
	if wrong != nil || last == console.OK {
		return wrong
	}
	return last
}
