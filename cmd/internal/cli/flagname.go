package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// cutFlag returns the name in "--name=value" and whether there is a value; name is "" if arg is not a flag.
func cutFlag(arg string) (name string, hasValue bool) {
	if len(arg) < 2 || arg[0] != '-' {
		return "", false
	}
	name, _, hasValue = strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	return name, hasValue
}

func flagNamed(command *Command, name string) Flag {
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func flagNames(command *Command) (list []string) {
	for _, f := range command.Flags {
		for _, name := range f.Names() {
			list = append(list, Dashed(name))
		}
	}
	return append(list, "--help")
}

// Dashed returns a flag's name as written on a command line: "-c", "--gpu".
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func takesValue(f Flag) bool {
	doc, ok := f.(cli.DocGenerationFlag)
	return ok && doc.TakesValue()
}

func given(args []string, names ...string) bool {
	for _, arg := range args {
		if arg == "--" {
			return false
		}
		if slices.Contains(names, arg) {
			return true
		}
	}
	return false
}
