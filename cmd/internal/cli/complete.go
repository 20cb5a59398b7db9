package cli

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/escape"
)

// complete writes the words that can complete the last one of args, one per line, with a tab before the description.
// Where a file is expected, it writes nothing: shells complete files better. quotes says that the shell quotes words
// that need it.
func (p *Program) complete(args []string, quotes bool) {
	before, word := completing(args)
	for _, k := range p.candidates(before, word) {
		if strings.HasPrefix(k.Word, word) && (isPlain(k.Word) || quotes && isQuotable(k.Word)) {
			_, _ = fmt.Fprintf(p.Out, "%s\t%s\n", k.Word, ui.Printable(k.About))
		}
	}
}

// isPlain reports whether no shell reads more in a word than its letters. bash inserts what it is offered as it is, and
// a repository may have a target called "$(command)".
func isPlain(word string) bool {
	word = strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf && unicode.In(r, unicode.L, unicode.M, unicode.N) {
			return 'x'
		}
		return r
	}, word)
	return escape.Word(word) == word
}

// isQuotable reports whether a word shows all that it contains, and is not the home folder of a user (~me), which not
// every shell quotes.
func isQuotable(word string) bool {
	return word != "" && strings.IndexByte("~=", word[0]) < 0 && ui.Printable(word) == word && !strings.ContainsFunc(word, unicode.IsControl)
}

// completing splits the words on the command line into those before the cursor and the one at the cursor. bash passes
// "--flag=value" as three words, and PowerShell cannot pass an empty one.
func completing(args []string) (before []string, word string) {
	if len(args) == 0 {
		return nil, ""
	}
	before, word = slices.Clone(args[:len(args)-1]), args[len(args)-1]
	if word == `""` || word == "=" {
		word = ""
	}
	return slices.DeleteFunc(before, func(w string) bool { return w == "=" }), word
}

func (p *Program) candidates(before []string, word string) []Candidate {
	command, rest := p.Commands.named("check"), before
	at := firstOperand(before, p.Commands.all())
	if at >= 0 {
		if before[at] == "help" {
			return commandList(p.Commands.all())
		}
		if named := p.Commands.named(before[at]); named != nil {
			command, rest = named, slices.Concat(before[:at], before[at+1:])
		}
	}
	operands := firstOperand(rest, slices.Values([]*Command{command})) >= 0
	if operands && command.HasScript {
		return nil // the script's own arguments
	}
	if len(rest) > 0 {
		if name, hasValue := cutFlag(rest[len(rest)-1]); name != "" && !hasValue {
			if f := flagNamed(command, name); f != nil && takesValue(f) {
				return p.values(command, f)
			}
		}
	}
	switch {
	case strings.HasPrefix(word, "-"):
		return flagList(command)
	case at < 0:
		return commandList(p.Commands.all())
	case operands || command.Operands == nil:
		return nil
	}
	return command.Operands()
}

// values returns the possible values of a flag.
func (p *Program) values(command *Command, f Flag) []Candidate {
	name := f.Names()[0]
	for _, list := range []map[string]func() []Candidate{command.Values, p.Values()} {
		if of, ok := list[name]; ok {
			return of()
		}
	}
	return nil
}

func commandList(commands iter.Seq[*Command]) (list []Candidate) {
	for c := range commands {
		list = append(list, Candidate{c.Name, c.Usage})
	}
	return append(list, Candidate{"help", "show the help of a command"})
}

func flagList(command *Command) (list []Candidate) {
	for _, f := range command.Flags {
		_, text := flagText(f)
		for _, name := range f.Names() {
			list = append(list, Candidate{Dashed(name), text})
		}
	}
	return append(list, Candidate{"--help", "show help"})
}
