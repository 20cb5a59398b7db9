// Package suppression reads the comments that tell amlfix to suppress a finding:
//
//	baseDockerImage: our/image  # amlfix: ignore image/unpinned -- rebuilt daily
//	# amlfix: ignore gpu/framework, image/removed -- until the new cluster is there
//	Framework: PySpark
//	# amlfix: ignore-file schema/deprecated -- the old format stays
//
// A comment at the end of a line applies to that line, one on its own line to the next line that is not a comment, and
// ignore-file to the whole file.
package suppression

import (
	"bytes"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// Directive is one such comment.
type Directive struct {
	// Span is the comment, from its "#" to the end of its line.
	Span source.Span
	// File reports that it applies to the whole file; otherwise Line is the line, from 1, to which it applies, or 0.
	File bool
	Line int
	// Names are the rules it names, known or not, in order.
	Names []Name
	// Reason is the text after " -- ".
	Reason string
	// Rest is what follows the names and is neither a name nor a reason.
	Rest Name
	// Verb is the word that says what to do: "ignore" or "ignore-file". With any other word, the comment has no effect.
	Verb Name
	// Meant is what Verb, which may be more than a word, was certainly meant as, or "".
	Meant string
}

// Name is a word of a directive.
type Name struct {
	Text string
	Span source.Span
}

const (
	marker = "amlfix:"
	name   = "amlfix"
)

// Read returns the directives of a file in file order. A comment is a directive if it begins with "amlfix:" and a verb,
// or a word that begins like one. It is also one, of no effect, if it was certainly meant as one: it has the verb and a
// rule, but no colon, or another linter's word in place of the verb.
func Read(s *document.Stream) (list []Directive) {
	if !holdsName(s.Source.Text) {
		return nil
	}
	comments := s.Comments()
	alone := map[int]bool{} // lines with only a comment
	next := map[int]int{}   // for each of these, the line after all that follow it
	for _, span := range comments {
		if line := s.Source.LineAt(span.Start); empty(s.Source.Slice(source.Span{Start: s.Source.Line(line).Start, End: span.Start})) {
			alone[line] = true
		}
	}
	for _, span := range slices.Backward(comments) {
		if line := s.Source.LineAt(span.Start); alone[line] {
			next[line] = line + 1
			if alone[line+1] {
				next[line] = next[line+1]
			}
		}
	}
	for _, span := range comments {
		d, ok := parse(s.Source, span)
		if !ok {
			continue
		}
		if d.Verb.Text != IgnoreFile {
			d.Line = about(s.Source, span, next)
		}
		list = append(list, d)
	}
	return list
}

// holdsName reports whether a text holds the name that directives begin with. It searches for the name's rarest letter:
// no other is searched for in every file.
func holdsName(text []byte) bool {
	const before = len(name) - 1
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], name[before])
		if i < 0 {
			return false
		}
		if at += i; at >= before && bytes.HasPrefix(text[at-before:], []byte(name)) {
			return true
		}
	}
}

// about returns the line to which a comment applies, or 0. next leads from lines with only a comment to the line below
// them.
func about(src *source.Source, comment source.Span, next map[int]int) int {
	line := src.LineAt(comment.Start)
	if below, alone := next[line]; alone {
		line = below
	}
	if empty(src.Slice(src.Line(line))) { // also if there is no such line
		return 0
	}
	return line
}

func empty(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// parse reads one comment.
func parse(src *source.Source, span source.Span) (Directive, bool) {
	w := words{src: src, at: span.Start + 1, end: span.End}
	d := Directive{Span: span}
	if !w.verb(&d) {
		return Directive{}, false
	}
	for {
		word := w.next()
		switch {
		case word.Text == "":
			return d, true
		case word.Text == "--":
			d.Reason = strings.TrimSpace(string(src.Slice(source.Span{Start: word.Span.End, End: span.End})))
			return d, true
		case len(d.Names) > 0 && !strings.Contains(word.Text, "/"):
			d.Rest = Name{Span: source.Span{Start: word.Span.Start, End: span.End}}
			d.Rest.Text = strings.TrimRight(string(src.Slice(d.Rest.Span)), " \t")
			d.Rest.Span.End = d.Rest.Span.Start + len(d.Rest.Text)
			return d, true
		}
		d.Names = append(d.Names, word)
	}
}

// words splits a comment at spaces and commas.
type words struct {
	src     *source.Source
	at, end int
}

// next returns the next word, or an empty one at the end.
func (w *words) next() Name {
	separator := func(c byte) bool { return c == ' ' || c == '\t' || c == ',' }
	for w.at < w.end && separator(w.src.Text[w.at]) {
		w.at++
	}
	start := w.at
	for w.at < w.end && !separator(w.src.Text[w.at]) {
		w.at++
	}
	span := source.Span{Start: start, End: w.at}
	return Name{Text: string(w.src.Slice(span)), Span: span}
}

// Understood reports whether the directive has a known verb.
func (d *Directive) Understood() bool { return d.Verb.Text == Ignore || d.Verb.Text == IgnoreFile }

// Without returns the comment without one of its names, or "" if no other is left.
func (d *Directive) Without(src *source.Source, i int) string {
	if len(d.Names) == 1 {
		return ""
	}
	var rest []string
	for k, name := range d.Names {
		if k != i {
			rest = append(rest, name.Text)
		}
	}
	return string(src.Slice(source.Span{Start: d.Span.Start, End: d.Names[0].Span.Start})) + strings.Join(rest, ", ") +
		string(src.Slice(source.Span{Start: d.Names[len(d.Names)-1].Span.End, End: d.Span.End}))
}

// Text returns the comment that ignores rules for a line, with a reason.
func Text(rules []string, reason string) string {
	return "# " + marker + " " + Ignore + " " + strings.Join(rules, ", ") + " -- " + strings.Join(strings.Fields(reason), " ")
}
