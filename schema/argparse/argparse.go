// Package argparse reads which arguments a Python script takes, where its text
// says so literally by the module argparse, and compares a command line with
// them. It runs nothing, and has no opinion where anything is left open.
package argparse

import "github.com/amlfix/amlfix/schema/source"

// Parser is what a script's only ArgumentParser takes.
type Parser struct {
	// Arguments are in the order of the script; "-h" and "--help" are among them.
	Arguments []Argument
	// Abbreviates reports that the beginning of a long option will do.
	Abbreviates bool
	// Tolerates reports that unknown arguments are no error: parse_known_args.
	Tolerates bool
	// Certain reports that the arguments are parsed whenever the script runs, and
	// that the script ends when they are wrong.
	Certain bool
	// Exclusive has, for each required group of which one option must be given,
	// the number that its arguments have.
	Exclusive []int
	// At is where the parser is made.
	At source.Span
}

// Argument is an option or a positional argument.
type Argument struct {
	// Names are the option's names, as in "-n", "--name"; the name of a positional
	// argument.
	Names      []string
	Positional bool
	// Required reports that the option must be given; Maybe that the argument may
	// not be there at all.
	Required, Maybe bool
	// Min and Max are how many values it takes; Max is -1 for any number.
	Min, Max int
	// Rest reports that it takes all that follows, whatever it is.
	Rest bool
	// Ends reports that the script ends well when it is given, as --help.
	Ends bool
	// Type is "int", "float" or "str"; "" for anything else.
	Type string
	// Choices are the values allowed; nil for all.
	Choices []string
	// Group is the number of the mutually exclusive group, 0 for none.
	Group int
	// At is where it is in the script.
	At source.Span
}

// Name returns the name that people know the argument by: the first long one.
func (a Argument) Name() string {
	for _, n := range a.Names {
		if len(n) > 2 && n[:2] == "--" {
			return n
		}
	}
	return a.Names[0]
}
