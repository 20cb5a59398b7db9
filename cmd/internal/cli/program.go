package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// Terminal is the environment of a command line.
type Terminal struct {
	Stdin io.Reader
	// Stdout and Stderr are the files behind Out and Err; they may be terminals.
	Stdout, Stderr io.Writer
	Out, Err       *ui.Output
	// Env returns an environment variable, as os.Getenv does.
	Env func(string) string
	// Kill is closed when the user asks to stop for the second time; may be nil.
	Kill <-chan struct{}
	// Version returns amlfix's version, which takes a while to find out.
	Version func() string
	// Job is set if a job was run: the exit status is then the job's own.
	Job bool
}

// Say writes a line about amlfix itself, as opposed to a report, to standard error.
func (t *Terminal) Say(format string, args ...any) {
	_, _ = fmt.Fprintf(t.Err, "amlfix: %s\n", escape.Lines(secret.Hide(fmt.Sprintf(format, args...))))
}

// Program is a table of commands and their environment.
type Program struct {
	*Terminal
	// Commands are in the order of the help. A command line that names none runs the command "check".
	Commands Commands
	// Before is called before a command's action.
	Before func(*Context) error
	// Ready is called before a command that is not Folderless; an error prevents the command from running. It may be
	// nil.
	Ready func() error
	// Values returns what returns the possible values of flags, by the flag's first name.
	Values func() map[string]func() []Candidate
	// IsPath reports whether a word is a path.
	IsPath func(word string) bool
	// IsRule reports whether a word is the full name of a rule.
	IsRule func(word string) bool
	// Banner returns the output of --version.
	Banner func() string
}

// Run executes the command line and returns the exit status. When ctx is cancelled, it returns soon, with 130 or 143.
func (p *Program) Run(ctx context.Context, args []string) int {
	code := p.ExitStatus(ctx, p.run(ctx, args))
	if err := p.Out.Err(); err != nil && code < Failure && !p.Job {
		p.Say("the output could not be written: %v", err)
		return Failure
	}
	return code
}

func (p *Program) run(ctx context.Context, args []string) error {
	r, err := p.route(args)
	if err != nil {
		return err
	}
	switch {
	case r.version:
		_, _ = fmt.Fprintln(p.Out, p.Banner())
		return nil
	case r.help:
		writeHelp(p.Out, r.command, p.Commands.all())
		return nil
	case r.complete:
		p.complete(r.args)
		return nil
	}
	if p.Ready != nil && !r.command.Folderless {
		if err := p.Ready(); err != nil {
			return err
		}
	}
	if len(r.trailing) > 0 {
		p.Say("%s after the script is passed to the script: put amlfix flags before the script, or -- before it to confirm that this is intended", strings.Join(r.trailing, ", "))
	}
	return r.command.call(ctx, p.Before, r.args)
}

// ExitStatus converts a command's error to an exit status, and prints it.
func (t *Terminal) ExitStatus(ctx context.Context, err error) int {
	var (
		silent Status
		wrong  *UsageError
	)
	switch {
	case err == nil:
		return OK
	case errors.As(err, &silent):
		return int(silent)
	case errors.As(err, &wrong):
		t.Say("%s", wrong.message)
		_, _ = fmt.Fprintf(t.Err, "See: %s\n", wrong.help())
		return BadUsage
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		t.Say("stopped")
		return process.CancelCode(ctx)
	}
	t.Say("%v", err)
	return Failure
}
