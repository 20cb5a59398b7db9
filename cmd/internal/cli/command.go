// Package cli turns a command line into the call of one command of a table, and
// writes the help, the manual page and the completions from that table. It is the
// only package that knows the library for flags.
package cli

import "github.com/urfave/cli/v2"

// What commands need of the library. A flag's text has the word that stands for
// its value in `backquotes`; every flag that takes a value has one.
type (
	Context         = cli.Context
	Flag            = cli.Flag
	BoolFlag        = cli.BoolFlag
	IntFlag         = cli.IntFlag
	StringFlag      = cli.StringFlag
	StringSliceFlag = cli.StringSliceFlag
)

// Command is a row of the table: its texts, its flags and what it does.
type Command struct {
	Name string
	// Usage says what it does, in a few words; Description in paragraphs.
	Usage, Description string
	// ArgsUsage is what may follow the name, UsageText the examples; a line each.
	ArgsUsage, UsageText string
	Flags                []Flag
	Action               func(*Context) error
	// Operands returns the words that it takes, for completion; nil where these are
	// paths, or none.
	Operands func() []Candidate
	// Values returns what a flag can be given, by the flag's first name, where that
	// is not as in Program.Values.
	Values map[string]func() []Candidate
	// HasScript is that all that follows the first operand belongs to that: a
	// script has flags of its own.
	HasScript bool
	// IsNoScript reports whether an operand is none of these, so that flags may
	// follow it; nil: they all are.
	IsNoScript func(word string) bool
	// Folderless is that it reads nothing where it is started.
	Folderless bool
	// Misplaced returns an error for a flag that does not go with the arguments; nil:
	// all do.
	Misplaced func(flag string, args []string) error
}

// Candidate is a word that may be at the cursor, with a few words about it.
type Candidate struct{ Word, About string }

// Words returns candidates without a description.
func Words(list ...string) (out []Candidate) {
	for _, w := range list {
		out = append(out, Candidate{Word: w})
	}
	return out
}
