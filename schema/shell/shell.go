// Package shell parses the command lines of jobs: how a POSIX shell would read an Azure ML v2 command, with its ${{…}}
// and $[[…]], and which scripts of the job it runs. It reports what it does not understand and does not guess.
package shell

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// Command is one simple command: a program and its arguments.
type Command struct {
	// Assignments are the variables set before it, as in A=b.
	Assignments []Word
	// Words are the program and its arguments, without redirections; may be empty.
	Words []Word
	// Files are the files of its redirections.
	Files []Word
	// Operator separates it from the next one: "", "\n", ";", "&", "&&", "||" or "|".
	Operator string
}

// Word is one word of a command.
type Word struct {
	// Span is the word's span in the text, including its quotes.
	Span  source.Span
	Parts []Part
	// Group is the 1-based number of the $[[…]] that the word is in; 0 for none.
	Group int
	// Mixed means that only part of the word is in a $[[…]].
	Mixed bool
}

// PartKind is the kind of a Part.
type PartKind uint8

// The kinds: literal text, a ${{…}}, and what is known only when the shell runs, such as a variable or the output of a
// command.
const (
	Text PartKind = iota
	Binding
	Unknown
)

// Part is a part of a word.
type Part struct {
	Kind PartKind
	// Text is the text without quotes; for a binding, the text in its braces.
	Text string
	// Quoted means that the part remains in one word whatever its value is.
	Quoted bool
}

// Literal returns the text of a literal word; ok is false for other words, and for patterns, which the shell replaces
// with names of files.
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

// Beginning returns the literal text that a word begins with.
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

// replaced reports whether the shell expands an unquoted text to other words.
func replaced(text string) bool {
	_, open, bracket := strings.Cut(text, "[")
	return strings.ContainsAny(text, "*?") || bracket && strings.Contains(open, "]") || strings.Contains(text, "{") && strings.Contains(text, "}") && (strings.Contains(text, ",") || strings.Contains(text, ".."))
}

// clean returns the shortest form of a path, or "" for a path that leaves its starting folder or is not valid.
func clean(name string) string {
	const longest = 4096
	if name = path.Clean(name); name == ".." || strings.HasPrefix(name, "../") || len(name) > longest {
		return ""
	}
	return name
}
