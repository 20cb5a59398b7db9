package cli

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// routed is a command line in the form that the flag parser expects: a command, its flags, "--", its operands. Users
// may write flags after paths, and omit "check".
type routed struct {
	command  *Command // nil: amlfix itself, for help
	args     []string
	help     bool
	version  bool
	complete bool
	quotes   bool     // the shell that asks for completions quotes them
	trailing []string // flags of amlfix run that go to the script because they follow it
}

// CompleteWord is the hidden command with which shells request completions.
const CompleteWord = "__complete"

// QuotingWord is the one of shells whose scripts quote what they insert.
const QuotingWord = "__complete-quoting"

// route finds the command and reorders the arguments. Errors are *console.UsageError, and suggest what was probably
// meant.
func (p *Program) route(args []string) (routed, error) {
	if len(args) > 0 && (args[0] == CompleteWord || args[0] == QuotingWord) {
		return routed{complete: true, quotes: args[0] == QuotingWord, args: args[1:]}, nil
	}
	commands := p.Commands
	at := firstOperand(args, commands.all())
	if at > 0 && given(args[:at], "--version") {
		return routed{}, console.Usage("", "--version takes no arguments: unexpected %q", args[at])
	}
	if at < 0 {
		switch {
		case given(args, "--version"):
			return routed{version: true}, nil
		case given(args, "--help", "-h"):
			return routed{help: true}, nil
		}
		return p.order(commands.named("check"), args)
	}
	word, rest := args[at], slices.Concat(args[:at], args[at+1:])
	if word == "help" {
		return p.helpFor(rest)
	}
	if command := commands.named(word); command != nil {
		return p.order(command, rest)
	}
	r, err := p.order(commands.named("check"), args)
	if err != nil {
		return routed{}, err
	}
	return r, p.misspelt(word)
}

// helpFor routes `amlfix help [COMMAND]`.
func (p *Program) helpFor(args []string) (routed, error) {
	if len(args) == 0 || args[0] == "help" || given(args, "--help", "-h") && strings.HasPrefix(args[0], "-") {
		return routed{help: true}, nil
	}
	command := p.Commands.named(args[0])
	switch {
	case command == nil && p.IsRule(args[0]):
		return routed{}, console.Usage("", "%q is not a command; did you mean `amlfix explain %s`?", args[0], args[0])
	case command == nil:
		return routed{}, console.Usage("", "unknown command %q%s", args[0], ui.DidYouMean(args[0], p.Commands.names()))
	}
	return routed{command: command, help: true}, nil
}

// firstOperand returns the index of the first argument that is neither a flag nor a flag's value, or -1. What follows
// "--" is never a command.
func firstOperand(args []string, commands iter.Seq[*Command]) int {
	for i := 0; i < len(args); i++ {
		switch name, hasValue := cutFlag(args[i]); {
		case args[i] == "--":
			return -1
		case name == "":
			return i
		case !hasValue:
			for command := range commands {
				if f := flagNamed(command, name); f != nil {
					if takesValue(f) {
						i++
					}
					break
				}
			}
		}
	}
	return -1
}

// order reorders a command's arguments and checks the names of its flags.
func (p *Program) order(command *Command, args []string) (routed, error) {
	var flags, operands []string
	r := routed{command: command}
	for i := 0; i < len(args); i++ {
		name, hasValue := cutFlag(args[i])
		if args[i] == "--" {
			operands = append(operands, args[i+1:]...)
			break
		}
		if name == "" {
			if args[i] == "" {
				return routed{}, console.Usage(command.Name, `an argument is empty: give a path or a name instead of ""`)
			}
			if command.HasScript && len(operands) == 0 && (command.IsNoScript == nil || !command.IsNoScript(args[i])) {
				operands, r.trailing = args[i:], ownFlags(command, args[i+1:])
				break
			}
			operands = append(operands, args[i])
			continue
		}
		if !hasValue && (name == "help" || name == "h") {
			return routed{command: command, help: true}, nil
		}
		f := flagNamed(command, name)
		if f == nil {
			return routed{}, console.Usage(command.Name, "unknown flag %s%s", args[i], p.otherFlag(command, name))
		}
		if command.Misplaced != nil {
			if err := command.Misplaced(name, args); err != nil {
				return routed{}, err
			}
		}
		if hasValue && !takesValue(f) && !isTruth(args[i]) {
			return routed{}, console.Usage(command.Name, "%s: %s takes no value", args[i], Dashed(name))
		}
		flags = append(flags, args[i])
		if takesValue(f) && !hasValue {
			if i++; i == len(args) || isFlag(command, args[i]) {
				return routed{}, console.Usage(command.Name, "%s needs a value: %s %s", args[i-1], args[i-1], placeholder(f))
			}
			flags = append(flags, args[i])
		}
	}
	r.args = append(append(flags, "--"), operands...)
	return r, nil
}

// isFlag reports whether an argument in place of a value is a long flag of the command: the value was forgotten.
func isFlag(command *Command, arg string) bool {
	name, _ := cutFlag(arg)
	return strings.HasPrefix(arg, "--") && name != "" && flagNamed(command, name) != nil
}

// isTruth reports whether --flag=value gives a Boolean flag a valid value.
func isTruth(arg string) bool {
	_, value, _ := strings.Cut(arg, "=")
	_, err := strconv.ParseBool(value)
	return err == nil
}

// ownFlags returns those arguments of a script that are also flags of amlfix.
func ownFlags(command *Command, args []string) (list []string) {
	for _, arg := range args {
		if name, _ := cutFlag(arg); name != "" && flagNamed(command, name) != nil && strings.HasPrefix(arg, Dashed(name)) {
			list = append(list, Dashed(name))
		}
	}
	return list
}
