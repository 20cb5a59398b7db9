// Package argparse reads which arguments a Python script takes if its text defines them literally with the module
// argparse, and compares a command line with them. It runs nothing, and reports nothing if anything is uncertain.
package argparse

import "github.com/amlfix/amlfix/schema/source"

// Parser is the definition of a script's only ArgumentParser.
type Parser struct {
	// Arguments are in the order of the script, and include "-h" and "--help".
	Arguments []Argument
	// Abbreviates means that long options may be abbreviated.
	Abbreviates bool
	// Tolerates means that unknown arguments are not an error: parse_known_args.
	Tolerates bool
	// Certain means that the arguments are parsed whenever the script runs, and that the script exits if they are
	// wrong.
	Certain bool
	// Exclusive has the Group numbers of the required mutually exclusive groups, of each of which one option must be
	// given.
	Exclusive []int
	// At is where the parser is created.
	At source.Span

	index *index
}

// Argument is an option or a positional argument.
type Argument struct {
	// Names are the option's names, such as "-n", "--name", or the name of a positional argument.
	Names      []string
	Positional bool
	// Required means that the option must be given; Maybe means that the argument may not be defined at all.
	Required, Maybe bool
	// Min and Max are the numbers of values it takes; Max is -1 if there is no limit.
	Min, Max int
	// Rest means that it takes everything that follows.
	Rest bool
	// Ends means that the script exits successfully if it is given, as with --help.
	Ends bool
	// Type is "int", "float" or "str"; "" for anything else.
	Type string
	// Choices are the allowed values; nil for all.
	Choices []string
	// Group is the number of its mutually exclusive group, or 0.
	Group int
	// At is its span in the script.
	At source.Span
}

// Name returns the name to use in messages: the first long one, if any.
func (a Argument) Name() string {
	for _, n := range a.Names {
		if len(n) > 2 && n[:2] == "--" {
			return n
		}
	}
	return a.Names[0]
}
