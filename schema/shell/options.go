package shell

import (
	"slices"
	"strings"
)

// given is the result of parsing a program's options, and what follows them.
type given struct {
	rest []Word
	// module, command and program mean that the first of the rest is the name of a module, a command line or a program;
	// ended means that nothing is run.
	module, command, program, ended bool
}

// options parses the options of a program; ok is false if one is not known.
func (p program) options(words []Word) (g given, ok bool) {
	for len(words) > 0 && !g.ended && (!g.module || p.kind != interpreter) {
		text := words[0].Beginning()
		switch {
		case text == "--":
			g.rest = words[1:]
			return g, true
		case !strings.HasPrefix(text, "-") && (!strings.HasPrefix(text, "+") || p.takes != Shell), text == "-" && !listed(p.flags, text):
			g.rest = words
			return g, true
		}
		used := p.option(words[0], &g)
		if used == 0 || used > len(words) {
			return g, false
		}
		words = words[used:]
	}
	g.rest = words
	return g, true
}

// option parses one option and returns its number of words, or 0 if it is not known.
func (p program) option(w Word, g *given) int {
	name, _, joined := strings.Cut(w.Beginning(), "=")
	if _, literal := w.Literal(); !literal && !joined {
		return 0
	}
	if p.kind == launcher && strings.HasPrefix(name, "--") { // these accept both
		name = "--" + strings.ReplaceAll(name[2:], "-", "_")
	}
	switch {
	case name == p.module && name != "", p.kind == launcher && name == "-m":
		g.module = true
		return 1
	case name == p.command && name != "":
		g.command = true
		return 1
	case name == "--no_python" && p.kind == launcher:
		g.program = true
		return 1
	case slices.Contains(p.ends, name):
		g.ended = true
		return 1
	case listed(p.values, name) && joined, listed(p.flags, name):
		return 1
	case listed(p.values, name):
		return 2
	case listed(p.pairs, name):
		return 3
	case len(name) < 3 || strings.HasPrefix(name, "--"):
		return 0
	case slices.Contains(p.values, name[:2]): // the value follows directly
		return 1
	case p.letters:
		return p.together(name, g)
	}
	return 0
}

// together parses one-letter options that are written as one word.
func (p program) together(name string, g *given) int {
	for i := 1; i < len(name); i++ {
		letter := name[:1] + name[i:i+1]
		switch last := i == len(name)-1; {
		case slices.Contains(p.flags, letter):
		case last && letter == p.module:
			g.module = true
		case last && letter == p.command:
			g.command = true
		case last && slices.Contains(p.values, letter):
			return 2
		default:
			return 0
		}
	}
	return 1
}

func listed(list []string, name string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		begin, wild := strings.CutSuffix(entry, "*")
		return entry == name || wild && strings.HasPrefix(name, begin)
	})
}
