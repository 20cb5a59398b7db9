package main

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/cmd/internal/watch"
	"github.com/amlfix/amlfix/schema"
)

// clearScreen empties a terminal, and what it has kept of earlier lines.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// watch checks whenever files change, and ends with the status of the last check
// that came to its end.
func (c *Command) watch(ctx *cli.Context) error {
	paths := ctx.Args().Slice()
	if len(paths) == 0 {
		paths = []string{"."}
	}
	last := status(statusOK)
	var wrong error
	first := true
	w := watch.Watcher{Pause: 500 * time.Millisecond, Quiet: 100 * time.Millisecond, Files: func() []string { return c.watched(paths) }}
	context, stop := context.WithCancel(ctx.Context)
	defer stop()
	w.Changed = func() []string {
		if ui.IsTerminal(c.Stdout) {
			_, _ = c.out.Write([]byte(clearScreen))
		} else if !first {
			_, _ = c.out.Write([]byte("\n"))
		}
		c.met = map[string]bool{}
		err := c.readTrust(ctx)
		if err == nil {
			err = c.check(ctx)
		}
		if ctx.Err() != nil {
			return nil
		}
		if usage := new(usageError); first && errors.As(err, &usage) {
			wrong = err
			stop()
			return nil
		}
		first, last = false, status(c.exitStatus(ctx.Context, err))
		c.say("%s: checked; waiting for changes, Ctrl-C ends", c.now().Format("15:04:05"))
		return slices.Collect(maps.Keys(c.met))
	}
	w.Run(context)
	if wrong != nil || last == statusOK {
		return wrong
	}
	return last
}

// watched returns the files that discovery finds, and what is in force for them.
func (c *Command) watched(paths []string) (list []string) {
	open := make([]string, len(paths))
	for i, p := range paths {
		open[i] = c.path(p)
	}
	roots, _ := schema.Discover(open) // the check says what is wrong with them
	if s := c.trust.settings; s != nil {
		list = append(list, s.Path)
	}
	options, known := schema.SettingsFinder(), schema.NewFinder(baseline.Name)
	for _, r := range roots {
		list = append(list, r.Files...)
		for _, path := range []string{c.trust.find(options, r.Dir), c.trust.find(known, r.Dir)} {
			if path != "" {
				list = append(list, path)
			}
		}
	}
	return list
}

// refersTo returns the files that a project has read, and those that its jobs name,
// also where there are none.
func refersTo(p *schema.Project) (list []string) {
	for _, f := range p.Files {
		list = append(list, f.Path)
	}
	for _, j := range p.Jobs {
		for _, name := range []string{j.Script.Text, j.CondaPath.Text, j.SparkPath.Text, j.EnvironmentPath.Text} {
			if name = schema.Slashes(name); name != "" && filepath.IsLocal(filepath.FromSlash(name)) {
				list = append(list, filepath.Join(p.Root, filepath.FromSlash(name)))
			}
		}
	}
	return list
}
