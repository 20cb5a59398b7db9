package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// add adds a part that begins at start to the current word.
func (p *parser) add(part Part, start int) {
	if p.word == nil {
		p.word, p.texts = &Word{Span: source.Span{Start: start}, Group: p.group}, p.texts[:0]
	}
	w := p.word
	w.Mixed = w.Mixed || w.Group != p.group
	w.Span.End = p.at
	if last := len(w.Parts) - 1; last >= 0 && part.Kind == Text && w.Parts[last].Kind == Text && w.Parts[last].Quoted == part.Quoted {
		p.texts[last] = append(p.texts[last], part.Text...)
		return
	}
	w.Parts = append(w.Parts, part)
	p.texts = append(p.texts, []byte(part.Text))
}

func (p *parser) endWord() {
	w := p.word
	if w == nil {
		return
	}
	p.word = nil
	for i := range w.Parts {
		part := &w.Parts[i]
		if part.Text = string(p.texts[i]); part.Kind == Text && template.In(part.Text) {
			part.Kind = Unknown // filled in before the shell reads it
		}
	}
	switch {
	case p.file:
		p.file = false
		p.current.Files = append(p.current.Files, *w)
	case len(p.current.Words) == 0 && assignment(*w):
		p.current.Assignments = append(p.current.Assignments, *w)
	default:
		if first := len(p.current.Words) == 0; first && len(w.Parts) == 1 && !w.Parts[0].Quoted && slices.Contains(reserved, w.Parts[0].Text) {
			p.fail(fmt.Sprintf("%q", w.Parts[0].Text))
		}
		p.current.Words = append(p.current.Words, *w)
	}
}

// assignment reports whether a word sets a variable.
func assignment(w Word) bool {
	if w.Parts[0].Kind != Text || w.Parts[0].Quoted {
		return false
	}
	name, _, ok := strings.Cut(w.Parts[0].Text, "=")
	name = strings.TrimSuffix(name, "+")
	return ok && name != "" && nameLength(name) == len(name)
}

// nameLength returns the length of the variable name that a text begins with.
func nameLength(text string) int {
	for i := range len(text) {
		c := text[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}
