package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// The exit statuses. They are an interface: scripts rely on them.
const (
	statusOK       = 0 // nothing at or above --fail-on is left
	statusFindings = 1 // something is; with --diff: a diff exists
	statusUsage    = 2 // the command line cannot be understood
	statusFailure  = 3 // a path named there cannot be read, or writing failed

	// Of `amlfix run` alone, where 0 to 122 and 128 to 255 are the job's own.
	statusNoGPU      = 123 // --require-gpu, and no proof that the job used a GPU
	statusTimeout    = 124 // --timeout is over
	statusNotStarted = 125 // findings, or nothing to run it with; or lost
)

// status is an exit status without a message: all has been said.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Command is amlfix as a function of its arguments and surroundings, so that
// tests can call it without a process.
type Command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Env returns an environment variable, as os.Getenv does.
	Env func(string) string
	// Dir is the working directory; "" for the process's own.
	Dir string
	// Now returns the time; nil for that of the clock. Known findings expire by it.
	Now func() time.Time
	// Kill is closed when the user asks to stop for the second time; may be nil.
	Kill <-chan struct{}

	out, err *ui.Output
	job      bool // a job was run: the exit status is its own
	trust    trust
}

// Run executes the command line and returns the exit status. When ctx is
// cancelled it ends soon, with 130 or 143.
func (c Command) Run(ctx context.Context, args []string) int {
	c.out, c.err = ui.NewOutput(c.Stdout), ui.NewOutput(c.Stderr)
	c.Dir = schema.Identity(c.dir())
	code := c.exitStatus(ctx, c.run(ctx, args))
	if err := c.out.Err(); err != nil && code < statusFailure && !c.job {
		c.say("the output could not be written: %v", err)
		return statusFailure
	}
	return code
}

// folderless are the commands that read nothing where they are started.
var folderless = []string{"rules", "explain", "schema", "man", "completion"}

func (c *Command) run(ctx context.Context, args []string) error {
	commands := c.commands()
	r, err := c.route(args, commands)
	if err != nil {
		return err
	}
	switch {
	case r.version:
		_, _ = fmt.Fprintln(c.out, "amlfix "+versionText())
		return nil
	case r.help:
		writeHelp(c.out, r.command, commands)
		return nil
	case r.complete:
		c.complete(r.args, commands)
		return nil
	}
	if !filepath.IsAbs(c.Dir) && !slices.Contains(folderless, r.command.Name) {
		return errors.New("the working directory is gone, or cannot be read: change to another folder")
	}
	if len(r.trailing) > 0 {
		c.say("%s after the script goes to the script: flags of amlfix come before it, and -- before the script says that this is meant", strings.Join(r.trailing, ", "))
	}
	app := &cli.App{
		Name: "amlfix", Commands: commands, HideHelp: true, HideVersion: true,
		Reader: c.Stdin, Writer: c.out, ErrWriter: c.err,
		Compiled:       time.Unix(0, 0), // or else the library looks for the program's file
		ExitErrHandler: func(*cli.Context, error) {},
	}
	for _, command := range commands {
		command.HideHelp, command.Before = true, c.readTrust
		command.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return usage(command.Name, "%s", plainFlagError(err)) }
	}
	return app.RunContext(ctx, append([]string{"amlfix", r.command.Name}, r.args...))
}

// exitStatus turns what a command returned into an exit status, and says it.
func (c *Command) exitStatus(ctx context.Context, err error) int {
	var (
		silent status
		wrong  *usageError
	)
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &silent):
		return int(silent)
	case errors.As(err, &wrong):
		c.say("%s", wrong.message)
		_, _ = fmt.Fprintf(c.err, "See: %s\n", wrong.help())
		return statusUsage
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		c.say("stopped")
		return process.CancelCode(ctx)
	}
	c.say("%v", err)
	return statusFailure
}

// say writes a line about amlfix itself, as opposed to a report, to standard error.
func (c *Command) say(format string, args ...any) {
	_, _ = fmt.Fprintf(c.err, "amlfix: %s\n", escape.Lines(secret.Hide(fmt.Sprintf(format, args...))))
}

// path returns a path of the command line as it can be opened.
func (c *Command) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Dir, name)
}

// dir returns the working directory; while a command runs, its identity.
func (c *Command) dir() string {
	if c.Dir != "" {
		return c.Dir
	}
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}

// identity returns the one name of what a path of the command line leads to.
func (c *Command) identity(name string) string { return schema.Identity(c.path(name)) }

// rel returns a path as it is shown: the way from the working directory.
func (c *Command) rel(name string) string { return report.Rel(c.dir(), name) }

// commands lists the commands in the order of the help.
func (c *Command) commands() []*cli.Command {
	return []*cli.Command{
		c.checkCommand(),
		c.runCommand(),
		c.prepareCommand(),
		c.runsCommand(),
		c.attachCommand(),
		c.migrateCommand(),
		c.targetsCommand(),
		c.undoCommand(),
		c.initCommand(),
		c.configCommand(),
		c.baselineCommand(),
		c.rulesCommand(),
		c.explainCommand(),
		c.schemaCommand(),
		c.manCommand(),
		c.completionCommand(),
	}
}
