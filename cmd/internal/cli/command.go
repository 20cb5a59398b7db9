// Package cli runs the command of a table that a command line names, and generates the help, the manual page and the
// completions from that table. It is the only package that uses the flag library.
package cli

import (
	"iter"

	"github.com/urfave/cli/v2"
)

// What commands need from the library. A flag's text contains the placeholder for its value in `backquotes`; every flag
// that takes a value has one.
type (
	Context         = cli.Context
	Flag            = cli.Flag
	BoolFlag        = cli.BoolFlag
	IntFlag         = cli.IntFlag
	StringFlag      = cli.StringFlag
	StringSliceFlag = cli.StringSliceFlag
)

// Command is a row of the table: its texts, its flags and its action.
type Command struct {
	Name string
	// Usage says in a few words what the command does; Description, in paragraphs.
	Usage, Description string
	// ArgsUsage is what may follow the name, and UsageText the examples; one per line.
	ArgsUsage, UsageText string
	Flags                []Flag
	Action               func(*Context) error
	// Operands returns the possible operands, for completion; nil if they are paths, or if there are none.
	Operands func() []Candidate
	// Values returns the possible values of a flag, by the flag's first name, if they differ from Program.Values.
	Values map[string]func() []Candidate
	// HasScript means that everything after the first operand belongs to that operand: a script has its own flags.
	HasScript bool
	// IsNoScript reports whether an operand is not a script, so that flags may follow it; nil: every operand is one.
	IsNoScript func(word string) bool
	// Folderless means that the command reads nothing in the working directory.
	Folderless bool
	// Misplaced returns an error for a flag that conflicts with the arguments; nil: none does.
	Misplaced func(flag string, args []string) error
}

// Commands is a table of commands, by their names. Most calls need one of them, and do not pay for the flags of the
// others.
type Commands []struct {
	Name string
	Make func() *Command
}

// named returns the command of that name; nil if there is none.
func (list Commands) named(name string) *Command {
	for _, c := range list {
		if c.Name == name {
			return c.Make()
		}
	}
	return nil
}

// all returns all commands, and makes each when it is reached.
func (list Commands) all() iter.Seq[*Command] {
	return func(yield func(*Command) bool) {
		for _, c := range list {
			if !yield(c.Make()) {
				return
			}
		}
	}
}

// names returns the names of the commands, and help.
func (list Commands) names() (names []string) {
	for _, c := range list {
		names = append(names, c.Name)
	}
	return append(names, "help")
}

// Candidate is a word that may be completed at the cursor, with a short description.
type Candidate struct{ Word, About string }

// Words returns candidates without descriptions.
func Words(list ...string) (out []Candidate) {
	for _, w := range list {
		out = append(out, Candidate{Word: w})
	}
	return out
}
