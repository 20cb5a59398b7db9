package shell

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// FaultKind says what is wrong at a Fault.
type FaultKind uint8

// The kinds: a quote that is never closed, an operator with no command before it, an option at the beginning of a line,
// which the shell takes for a program, and characters that only look like those of a command: spaces and others that
// have no width, quotes, and the dash of an option.
const (
	Open FaultKind = iota
	Leading
	Option
	Space
	Invisible
	Quote
	Dash
	Cut
)

// Fault is a place in a command line that a shell cannot run, or does not run as it was meant.
type Fault struct {
	Kind FaultKind
	// Span is the span of the quote, the operator, the option or the character in the text.
	Span source.Span
	// Meant is what a character that only looks like another was meant to be.
	Meant string
}

// hides reports whether the fault makes other words of the line than were meant.
func (f Fault) hides() bool { return f.Kind == Space || f.Kind == Invisible || f.Kind == Quote }

// allFaults returns the faults of what was parsed: lines with options first.
func (p *parser) allFaults() (all []Fault) {
	for i, c := range p.commands {
		if continues(p.commands[:i], c) {
			all = append(all, Fault{Kind: Option, Span: c.Words[0].Span})
		}
	}
	return append(all, p.faults...)
}

// continues reports whether a command is only a line with options of the last of those before it.
func continues(before []Command, c Command) bool {
	return len(before) > 0 && before[len(before)-1].Operator == "\n" && len(c.Assignments) == 0 && len(c.Words) > 0 && isOption(c.Words[0].Beginning())
}

// joined returns commands in which lines with options end the line before them.
func joined(commands []Command) (all []Command) {
	for _, c := range commands {
		if !continues(all, c) {
			all = append(all, c)
			continue
		}
		last := &all[len(all)-1]
		last.Words, last.Files, last.Operator = append(last.Words, c.Words...), append(last.Files, c.Files...), c.Operator
	}
	return all
}

// isOption reports whether a word is an option and no program, such as --data, -d or -d=1.
func isOption(word string) bool {
	name := strings.TrimLeft(word, "-")
	return len(name) < len(word) && nameLength(name) > 0
}

// cut records a redirection at the next character as a fault if it is in a package that pip or conda is to install.
func (p *parser) cut() {
	if p.word == nil || len(p.faults) >= MostLookalikes {
		return
	}
	start := p.word.Span.Start
	if nameLength(p.text[start:]) == 0 || !p.install.begun(p.current.Words) {
		return
	}
	rest := p.rest()[1:]
	condition := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789.*,<>=!~"))]
	ends := len(condition) == len(rest) || strings.IndexByte(" \t\r\n\\'\"$`&|;()", rest[len(condition)]) >= 0
	if ends && strings.TrimPrefix(condition, "=") != "" {
		p.fault(Cut, start, p.at+1+len(condition))
	}
}

// installation is what the words of a command that have been looked at say of packages.
type installation struct {
	words             int
	manager, installs bool // pip or conda, and then install
}

// begun reports whether the words of a command begin with pip install, with conda install, or with what runs them. Each
// word is looked at once.
func (i *installation) begun(words []Word) bool {
	for ; !i.installs && i.words < len(words); i.words++ {
		name := words[i.words].Beginning()
		i.installs = i.manager && name == "install"
		switch path.Base(name) {
		case "pip", "pip3", "conda", "mamba", "micromamba":
			i.manager = true
		}
	}
	return i.installs
}

func (p *parser) fault(kind FaultKind, start, end int) {
	p.faults = append(p.faults, Fault{Kind: kind, Span: source.Span{Start: start, End: end}})
}
