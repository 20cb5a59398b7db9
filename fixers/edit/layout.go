package edit

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// layout knows the lines around a place.
type layout struct {
	src    *source.Source
	text   []byte
	loneCR bool // the file's lines end in "\r" alone
}

// lineStart returns the offset where the line of offset begins.
func (l layout) lineStart(offset int) int {
	if i := bytes.LastIndexByte(l.text[:offset], l.newline()); i >= l.src.Start() {
		return i + 1
	}
	return l.src.Start()
}

// newline returns the last byte of the file's line ends.
func (l layout) newline() byte {
	if l.loneCR {
		return '\r'
	}
	return '\n'
}

// leading returns the spaces before offset; ok is false if its line has something else before it.
func (l layout) leading(offset int) (spaces string, ok bool) {
	start := offset
	for start > l.src.Start() && (l.text[start-1] == ' ' || l.text[start-1] == '\t') {
		start--
	}
	if start > l.src.Start() && l.text[start-1] != l.newline() {
		return "", false
	}
	return string(l.text[start:offset]), true
}

// beginsLine reports whether only spaces are before offset on its line.
func (l layout) beginsLine(offset int) bool {
	_, ok := l.leading(offset)
	return ok
}

// sameLine reports whether no line break is between two offsets.
func (l layout) sameLine(a, b int) bool { return !multiline(l.text[a:b]) }

// skipSpaces returns the first offset from p on that is not a space.
func (l layout) skipSpaces(p int) int {
	for p < len(l.text) && (l.text[p] == ' ' || l.text[p] == '\t') {
		p++
	}
	return p
}

// lineRest returns where the line of p ends, provided that nothing follows p on it but spaces and a comment.
func (l layout) lineRest(p int) (end int, comment, ok bool) {
	q := l.skipSpaces(p)
	if q < len(l.text) && l.text[q] == '#' {
		comment = true
		for q < len(l.text) && source.BreakWidth(l.text, q) == 0 {
			q++
		}
	}
	return q, comment, q == len(l.text) || source.BreakWidth(l.text, q) > 0
}

// lineEnd returns the line end at p and the offset after it; "" at the end of the text. ok is false for breaks that
// YAML recognizes and editors do not.
func (l layout) lineEnd(p int) (eol string, next int, ok bool) {
	q := p
	for q < len(l.text) && l.text[q] == '\r' {
		q++
	}
	switch {
	case q < len(l.text) && l.text[q] == '\n':
		q++
	case q == p && q == len(l.text):
	case q > p && l.loneCR:
		q = p + 1
	default:
		return "", p, false
	}
	return string(l.text[p:q]), q, true
}

// place is where a new line can be inserted.
type place struct {
	at  int
	eol string // the line end for the new line
	end bool   // the text ends here without one, and must go on doing so
}

// lines returns the text that puts new lines at the place.
func (p place) lines(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		if p.end {
			b.WriteString(p.eol + line)
		} else {
			b.WriteString(line + p.eol)
		}
	}
	return b.String()
}

// after returns the place below the line on which something ends at p. ok is false when more than a comment follows on
// that line.
func (l layout) after(p int) (place, bool) {
	rest, _, ok := l.lineRest(p)
	if !ok {
		return place{}, false
	}
	eol, next, ok := l.lineEnd(rest)
	if !ok {
		return place{}, false
	}
	if eol == "" {
		return place{at: next, eol: l.eolAbove(next), end: true}, true
	}
	return place{at: next, eol: eol}, true
}

// eolAbove returns the line end of the line above offset, or the file's usual one.
func (l layout) eolAbove(offset int) string {
	if n := l.src.LineAt(offset); n > 1 {
		return l.src.LineEndAt(n - 1)
	}
	return l.src.LineEnd()
}

// indentation returns the text that brings a new line to the column of a node that begins at start. ok is false if that
// node shares its line with anything but dashes.
func (l layout) indentation(start int) (indent string, ok bool) {
	if spaces, ok := l.leading(start); ok {
		return spaces, true
	}
	first := start
	for first > l.src.Start() && (l.text[first-1] == ' ' || l.text[first-1] == '-') {
		first--
	}
	if first > l.src.Start() && l.text[first-1] != l.newline() {
		return "", false
	}
	return strings.Repeat(" ", start-first), true
}

// lastLeaf returns the node that ends where n ends.
func lastLeaf(n *document.Node) *document.Node {
	for {
		switch {
		case len(n.Entries()) > 0 && n.Style == document.Block:
			n = n.Entries()[len(n.Entries())-1].Value
		case len(n.Items()) > 0 && n.Style == document.Block:
			n = n.Items()[len(n.Items())-1]
		default:
			return n
		}
	}
}

// blockText returns the header of the block scalar that ends where n ends, or "".
func (l layout) blockText(n *document.Node) string {
	leaf := lastLeaf(n)
	if leaf.Style != document.Literal && leaf.Style != document.Folded || leaf.Kind != document.Scalar {
		return ""
	}
	end := leaf.Span.Start
	for end < leaf.Span.End && source.BreakWidth(l.text, end) == 0 && l.text[end] != ' ' && l.text[end] != '#' {
		end++
	}
	return string(l.text[leaf.Span.Start:end])
}
