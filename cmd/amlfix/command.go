package main

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/jobs"
	"github.com/amlfix/amlfix/cmd/internal/listing"
	"github.com/amlfix/amlfix/cmd/internal/start"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/cmd/internal/version"
)

// Command is amlfix as a function of its arguments and environment, so that tests can call it without a process.
type Command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Env returns an environment variable, as os.Getenv does.
	Env func(string) string
	// Dir is the working directory; "" for the process's own.
	Dir string
	// Now returns the time; nil for the clock. The expiry of known findings, retirement and support depend on it.
	Now func() time.Time
	// Catch makes signals cancel the context instead of ending the program; may be nil. Any goroutine may call it.
	Catch func()
	// Kill is closed when the user asks to stop for the second time; may be nil.
	Kill <-chan struct{}
}

// Run executes the command line and returns the exit status. When ctx is cancelled, it returns soon, with 130 or 143.
func (c Command) Run(ctx context.Context, args []string) int { return c.program().Run(ctx, args) }

// call holds what commands use: the terminal, and the engine that finds and checks projects.
type call struct {
	*console.Terminal
	*check.Engine
}

// jobs returns the part that runs jobs.
func (c *call) jobs() *jobs.Jobs { return &jobs.Jobs{Terminal: c.Terminal, Engine: c.Engine} }

// program returns the table of commands, in the order in which help lists them.
func (c Command) program() *cli.Program {
	t, e := start.Caller{Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Env: c.Env, Dir: c.Dir}.Open()
	t.Kill, e.Now, e.BeforeRecovery = c.Kill, c.Now, c.Catch
	k := &call{Terminal: t, Engine: e}
	p := &cli.Program{Terminal: k.Terminal, Before: k.readFlags, Banner: version.Text, Values: k.values}
	p.IsPath = func(word string) bool {
		_, err := os.Lstat(k.Path(word))
		return err == nil
	}
	p.IsRule = func(word string) bool {
		_, err := listing.RuleNamed(word)
		return err == nil && strings.Contains(word, "/")
	}
	p.Ready = func() error { return console.Ready(k.Dir) }
	p.Commands = cli.Commands{
		{"check", k.checkCommand},
		{"run", k.runCommand},
		{"prepare", k.prepareCommand},
		{"runs", k.runsCommand},
		{"attach", k.attachCommand},
		{"migrate", k.migrateCommand},
		{"targets", k.targetsCommand},
		{"fix", k.fixCommand},
		{"undo", k.undoCommand},
		{"init", k.initCommand},
		{"config", k.configCommand},
		{"baseline", k.baselineCommand},
		{"rules", k.rulesCommand},
		{"explain", k.explainCommand},
		{"schema", k.schemaCommand},
		{"facts", k.factsCommand},
		{"lsp", k.lspCommand},
		{"man", p.Manual},
		{"completion", p.Completion},
	}
	return p
}

// values returns the possible values of the flags that several commands share.
func (c *call) values() map[string]func() []cli.Candidate {
	words := func(list ...string) func() []cli.Candidate {
		return func() []cli.Candidate { return cli.Words(list...) }
	}
	target, asked, config := c.jobs().TargetWords, c.jobs().AskedWords, c.jobs().ConfigWords
	return map[string]func() []cli.Candidate{
		"format": words(cli.ListFormats...), "color": words(ui.ColourModes()...), "fail-on": words("error", "warning", "info", "never"),
		"gpu": asked, "cpu": asked, "target": target, "config": config, "run-configuration": config,
	}
}
