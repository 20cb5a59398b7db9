package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
)

// Program is a table of commands and their environment.
type Program struct {
	*console.Terminal
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
func (p *Program) Run(ctx context.Context, args []string) int { return p.Exit(ctx, p.run(ctx, args)) }

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
		p.complete(r.args, r.quotes)
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
