// Package cli runs the command of a table that a command line names, and generates the help, the manual page and the
// completions from that table. It is the only package that uses the flag library.
package cli

import "github.com/urfave/cli/v2"

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

// Candidate is a word that may be completed at the cursor, with a short description.
type Candidate struct{ Word, About string }

// Words returns candidates without descriptions.
func Words(list ...string) (out []Candidate) {
	for _, w := range list {
		out = append(out, Candidate{Word: w})
	}
	return out
}
