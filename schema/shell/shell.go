// Package shell reads the command lines of jobs: what a POSIX shell would make of
// a command of Azure ML v2, with its ${{…}} and $[[…]], and which script of the
// job's own that runs. What it does not understand it says; it guesses nothing.
package shell

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// Command is one simple command: a program and what it is given.
type Command struct {
	// Assignments are the variables set in front of it, as in A=b.
	Assignments []Word
	// Words are the program and its arguments, without redirections; there may
	// be none.
	Words []Word
	// Files are what its output and input are redirected to.
	Files []Word
	// Operator is what separates it from the next: "", "\n", ";", "&", "&&", "||"
	// or "|".
	Operator string
}

// Word is one word of a command.
type Word struct {
	// Span is where the word is in the text, with its quotes.
	Span  source.Span
	Parts []Part
	// Group is the number, from 1, of the $[[…]] that the word is in; 0 for none.
	Group int
	// Mixed reports that only a part of the word is in a $[[…]].
	Mixed bool
}

// PartKind is what a part of a word is.
type PartKind uint8

// The kinds: text as it is, a ${{…}}, and what only the shell at work knows, such
// as a variable or what a command prints.
const (
	Text PartKind = iota
	Binding
	Unknown
)

// Part is a part of a word.
type Part struct {
	Kind PartKind
	// Text is the text without quotes; of a binding what is in its braces.
	Text string
	// Quoted reports that the part stays in one word whatever it is.
	Quoted bool
}

// Literal returns the text of a word that is known; ok is false for others, and
// for patterns, which the shell replaces by names of files.
func (w Word) Literal() (text string, ok bool) {
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind != Text || !p.Quoted && replaced(p.Text) {
			return "", false
		}
		b.WriteString(p.Text)
	}
	text = b.String()
	return text, !w.Mixed && (len(w.Parts) == 0 || w.Parts[0].Quoted || !strings.HasPrefix(text, "~"))
}

// Beginning returns the known text that a word begins with.
func (w Word) Beginning() string {
	var b strings.Builder
	for _, p := range w.Parts {
		if p.Kind != Text || !p.Quoted && replaced(p.Text) {
			break
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// replaced reports whether the shell makes other words of a text without quotes.
func replaced(text string) bool {
	_, open, bracket := strings.Cut(text, "[")
	return strings.ContainsAny(text, "*?") || bracket && strings.Contains(open, "]") || strings.Contains(text, "{") && strings.Contains(text, "}") && (strings.Contains(text, ",") || strings.Contains(text, ".."))
}

// clean returns a path without what it does not need; "" for one that leaves the
// folder where it begins, and for one that no system has.
func clean(name string) string {
	const longest = 4096
	if name = path.Clean(name); name == ".." || strings.HasPrefix(name, "../") || len(name) > longest {
		return ""
	}
	return name
}
