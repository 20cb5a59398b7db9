package edit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// block makes the edits of a block mapping or sequence.
func (e *editor) block(w *work) error {
	if len(w.removed) > 0 {
		if err := e.removeBlock(w); err != nil {
			return err
		}
	}
	for _, k := range w.insertedAfter() {
		lines, change, err := w.insertions(k, func(in insert) (string, error) { return e.blockLine(w, in) })
		if err != nil {
			return err
		}
		var p place
		if k < 0 {
			p, err = e.above(change, w.parts[0])
		} else {
			p, err = e.below(change, w.parts[k])
		}
		if err != nil {
			return err
		}
		e.add(change, p.at, p.at, p.lines(lines...))
		e.planned[len(e.planned)-1].rank = len(lines[0]) - len(strings.TrimLeft(lines[0], " \t"))
	}
	return nil
}

// blockLine returns the line of an insertion, without its line end.
func (e *editor) blockLine(w *work, in insert) (string, error) {
	sibling := w.parts[max(in.after, 0)]
	if !in.isEntry {
		indent, gap, ok := e.dashes(w, sibling)
		if !ok {
			return "", e.refuse(in.change, "the items of the list share their lines with other text")
		}
		item, err := e.written(w, in, "")
		return indent + "-" + gap + item, err
	}
	indent, ok := e.indentation(sibling.start)
	if other := slices.IndexFunc(w.parts, func(p part) bool { return e.beginsLine(p.start) }); other >= 0 {
		indent, ok = e.leading(w.parts[other].start)
	}
	if !ok || strings.Contains(indent, "\t") {
		return "", e.refuse(in.change, "the entry %q does not begin its line", sibling.key.Value)
	}
	entry, err := e.written(w, in, ": ")
	return indent + entry, err
}

// dashes returns what is before and after the dash of a list's items.
func (e *editor) dashes(w *work, sibling part) (indent, gap string, ok bool) {
	dash := sibling.value.Dash()
	if dash < 0 {
		return "", "", false
	}
	indent, ok = e.indentation(dash)
	if other := slices.IndexFunc(w.parts, func(p part) bool { return p.value.Dash() >= 0 && e.beginsLine(p.value.Dash()) }); other >= 0 {
		indent, ok = e.leading(w.parts[other].value.Dash())
	}
	gap = " "
	if between := string(e.text[dash+1 : max(sibling.start, dash+1)]); between != "" && strings.Trim(between, " ") == "" {
		gap = between
	}
	return indent, gap, ok && !strings.Contains(indent, "\t")
}

// above returns the place for a line before a part.
func (e *editor) above(change int, p part) (place, error) {
	end := p.start
	for end < len(e.text) && source.BreakWidth(e.text, end) == 0 {
		end++
	}
	eol, _, ok := e.lineEnd(end)
	if !ok || !e.beginsLine(p.start) {
		return place{}, e.refuse(change, "the first entry does not begin its line")
	}
	return place{at: e.lineStart(p.start), eol: cmp.Or(eol, "\n")}, nil
}

// below returns the place for a line after a part: after its comment and, if it holds a collection or nothing, after
// the deeper comments that follow.
func (e *editor) below(change int, p part) (place, error) {
	header := e.blockText(p.value)
	at, ok := e.after(p.end)
	switch {
	case !ok:
		return place{}, e.refuse(change, "there is other text after it on the line")
	case header == "":
	case at.end && !strings.Contains(header, "-"):
		return place{}, e.refuse(change, "the text block before it runs to the end of the file, so an added line end would become part of it")
	case strings.Contains(header, "+"):
		return place{}, e.refuse(change, "the text block before it keeps the empty lines that follow it")
	}
	if p.key != nil && !at.end && header == "" && (p.value.Kind == document.Mapping || p.value.Kind == document.Sequence ||
		p.value.Kind == document.Scalar && p.value.Span.Len() == 0) {
		at = e.belowComments(at, p.start-e.lineStart(p.start))
	}
	return at, nil
}

// belowComments moves a place down over comment lines that are indented deeper than column, and over empty lines
// between them.
func (l layout) belowComments(p place, column int) place {
	for from := p.at; from < len(l.text); {
		rest, comment, ok := l.lineRest(from)
		eol, next, known := l.lineEnd(rest)
		if !ok || !known {
			break
		}
		if comment {
			if l.skipSpaces(from)-from <= column {
				break
			}
			p.at = next
			if eol == "" {
				return place{at: next, eol: p.eol, end: true}
			}
			p.eol = eol
		}
		if next == from {
			break
		}
		from = next
	}
	return p
}
