package report

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// lineWidth is the number of columns shown of a source line, unless the terminal is narrower; at least leastWidth.
const (
	lineWidth  = 120
	leastWidth = 30
)

// Resolver resolves the findings of one project. It must be used from one goroutine.
type Resolver struct {
	// Dir is the working directory.
	Dir string
	// Snippets requests source lines.
	Snippets bool
	// Columns is the width of the terminal that shows them: a line that wraps would separate carets from what they
	// mark. 0 if there is none.
	Columns int
	// Unshown reports which findings are only counted: they get no source lines, and their messages are not masked. Nil
	// for none.
	Unshown func(finding.Finding) bool
	// Tokenless reports whether secret.Tokens is known to find nothing in a file, which is then not searched again.
	Tokenless func(*source.Source) bool
	// Fingerprints requests fingerprints, with paths relative to this folder; "" for none.
	Fingerprints string
	// Edits returns what a finding's fix replaces, or why it is not made; nil if that must not be shown.
	Edits func(finding.Finding) ([]fixers.FileEdits, error)
	// OnlySafe omits the edits of all but safe fixes: SARIF has no others.
	OnlySafe bool
	// Top is the folder to which paths in the IDs of fixes are relative, "" for Dir. With the root of the repository, a
	// fix has the same ID wherever amlfix is started.
	Top string
	// Project is the folder of the findings' project.
	Project string
	// Apart says that the IDs of fixes are only compared with each other: a fix that is obviously unlike all others of
	// its list gets none.
	Apart bool

	shown   map[string]string // paths as shown, by path
	alike   map[beginning]int // how many fixes of the list begin so
	ids     map[sharedChanges]string
	parsed  *document.Stream // of the last file with fix IDs
	seen    map[string]int   // how often the beginning of a fingerprint occurred
	secrets map[*source.Source]secrets

	// the last line shown: thousands of findings may be on one line of 1 MB
	src    *source.Source
	number int
	line   string
	hidden []ui.Mark
}

// Findings resolves a list.
func (r *Resolver) Findings(list []finding.Finding) []Finding {
	out := make([]Finding, 0, len(list))
	r.alike = map[beginning]int{}
	for _, f := range list {
		if r.Apart && f.Fix != nil && (r.Unshown == nil || !r.Unshown(f)) {
			r.alike[beginningOf(f)]++
		}
	}
	for _, f := range list {
		out = append(out, r.Finding(f))
	}
	return out
}

// Finding resolves one finding. It masks secrets, including those in messages.
func (r *Resolver) Finding(f finding.Finding) Finding {
	if r.Unshown != nil && r.Unshown(f) {
		return r.counted(f)
	}
	out := Finding{
		Place: r.place(f.Location), Rule: f.Rule, Severity: f.Severity, Message: r.hide(f.Source, f.Message),
		Project: r.rel(r.Project),
	}
	for _, l := range f.Related {
		out.Related = append(out.Related, Note{Place: r.place(l), Message: r.hide(l.Source, l.Message)})
	}
	if f.Fix != nil {
		out.Fix = &Fix{Title: r.hide(f.Source, f.Fix.Title), Applicability: f.Fix.Applicability, Notice: f.Fix.Notice}
		if r.alike[beginningOf(f)] != 1 {
			out.Fix.ID = r.FixID(f)
		}
		for _, a := range f.Fix.Answers {
			out.Fix.Answers = append(out.Fix.Answers, Answer{Flag: "--" + string(a.Flag) + " " + escape.Word(a.Argument()), Title: r.hide(f.Source, a.Title)})
		}
		out.Fix.Edits, out.Fix.Kept = r.edits(f)
	}
	if by := f.Suppression; by != nil {
		out.Suppression = &finding.Suppression{Kind: by.Kind, Justification: r.hide(f.Source, by.Justification)}
	}
	if r.Fingerprints != "" {
		out.Fingerprint = r.Fingerprint(f, Rel(r.Fingerprints, f.Source.Path))
	}
	return out
}

// counted resolves only what matters for a finding that is not shown: how it is sorted and counted.
func (r *Resolver) counted(f finding.Finding) Finding {
	out := Finding{
		Place: Place{Path: r.rel(f.Source.Path), Region: regionOf(f.Source, f.Span)},
		Rule:  f.Rule, Severity: f.Severity, Message: f.Message, Suppression: f.Suppression, Project: r.rel(r.Project),
	}
	if f.Fix != nil {
		out.Fix = &Fix{Applicability: f.Fix.Applicability}
	}
	return out
}

func (r *Resolver) place(l finding.Location) Place {
	p := Place{Path: r.rel(l.Source.Path), Region: regionOf(l.Source, l.Span)}
	if r.Snippets && len(l.Source.Text) > 0 {
		p.Snippet = r.snippet(l.Source, p.Line, l.Span)
	}
	return p
}

func regionOf(src *source.Source, span source.Span) Region {
	at := src.Position(span.Start)
	if text := src.Slice(span); len(text) == span.Len() && onLine(text) && span.Start >= src.Start() {
		return Region{at.Line, at.Column, at.Line, at.Column + utf8.RuneCount(text)}
	}
	end := src.Position(span.End)
	return Region{at.Line, at.Column, end.Line, end.Column}
}

// onLine reports whether a short text is certainly on one line, and begins with a whole character.
func onLine(text []byte) bool {
	const short = 200
	return len(text) < short && bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 && (len(text) == 0 || utf8.RuneStart(text[0]))
}

func (r *Resolver) snippet(src *source.Source, line int, at source.Span) ui.Snippet {
	whole := src.LineWith(at.Start)
	if r.src != src || r.number != line {
		r.src, r.number, r.line, r.hidden = src, line, string(src.Slice(whole)), r.hiddenIn(src, whole)
	}
	mark := ui.Mark{Start: at.Start - whole.Start, End: at.End - whole.Start}
	width := lineWidth
	if r.Columns > 0 {
		width = min(width, max(r.Columns-len("1234 | ")-2, leastWidth))
	}
	return ui.NewSnippet(r.line, mark, r.hidden, width)
}

// hiddenIn returns the secrets in a line, in order.
func (r *Resolver) hiddenIn(src *source.Source, line source.Span) (hidden []ui.Mark) {
	spans := r.secretsOf(src).Spans // in order, disjoint
	first, _ := slices.BinarySearchFunc(spans, line.Start, func(s source.Span, at int) int { return cmp.Compare(s.End, at+1) })
	for _, s := range spans[first:] {
		if s.Start >= line.End {
			break
		}
		hidden = append(hidden, ui.Mark{Start: max(s.Start-line.Start, 0), End: s.End - line.Start})
	}
	return hidden
}

// hide returns a sentence about a file with the file's secrets masked.
func (r *Resolver) hide(src *source.Source, text string) string {
	return secret.Hide(r.secretsOf(src).known.Replace(text, secret.Mask))
}

// secrets are the secrets of one file.
type secrets struct {
	secret.Found
	known secret.Known // wherever they are repeated
}

func (r *Resolver) secretsOf(src *source.Source) secrets {
	found, ok := r.secrets[src]
	if !ok {
		if r.secrets == nil {
			r.secrets = map[*source.Source]secrets{}
		}
		found.Found = secret.Search(src.Text, r.Tokenless != nil && r.Tokenless(src))
		found.known = secret.NewKnown(secret.Texts(src.Text, found.Spans))
		r.secrets[src] = found
	}
	return found
}

// rel is Rel from the working directory; a project has few files, and each may have many findings.
func (r *Resolver) rel(name string) string {
	shown, known := r.shown[name]
	if !known {
		if shown = Rel(r.Dir, name); r.shown == nil {
			r.shown = map[string]string{}
		}
		r.shown[name] = shown
	}
	return shown
}
