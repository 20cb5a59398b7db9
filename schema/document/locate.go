package document

import (
	"sort"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/source"
)

// locator finds bytes from yaml.v3's line and column numbers, which count scanner lines and code points from 1 and
// leave the byte order mark out.
type locator struct {
	text  []byte
	lines []int // scanner lines

	// the latest place found: the next is usually later on the same line, and a file may be a single line
	line, at, found int
}

// offset returns the byte offset of a yaml.v3 position, clamped to the text.
func (l *locator) offset(line, column int) int {
	if line < 1 || line > len(l.lines) {
		return len(l.text)
	}
	p, c := l.lines[line-1], 1
	if line == l.line && column >= l.at {
		p, c = l.found, l.at
	}
	for ; c < column && p < len(l.text); c++ {
		if l.text[p] < utf8.RuneSelf {
			p++
			continue
		}
		_, w := utf8.DecodeRune(l.text[p:])
		p += w
	}
	l.line, l.at, l.found = line, c, p
	return p
}

// columnAt returns the 0-based column of a byte offset.
func (l *locator) columnAt(offset int) int {
	line := max(sort.SearchInts(l.lines, offset+1)-1, 0)
	return utf8.RuneCount(l.text[l.lines[line]:offset])
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

// skipSpace returns the first offset from p on that is neither space, nor line break, nor part of a comment.
func (l *locator) skipSpace(p int) int {
	for p < len(l.text) {
		switch c := l.text[p]; {
		case isSpace(c):
			p++
		case c == '#' && (p == 0 || isSpace(l.text[p-1]) || endsToken(l.text[p-1])):
			for p < len(l.text) && source.BreakWidth(l.text, p) == 0 {
				p++
			}
		default:
			w := source.BreakWidth(l.text, p)
			if w == 0 {
				return p
			}
			p += w
		}
	}
	return p
}

// endsToken reports whether a "#" straight after c can begin a comment.
func endsToken(c byte) bool {
	return c == '\n' || c == '\r' || strings.IndexByte(",[]{}\"'", c) >= 0
}

// skipProperties returns the offset of a node's content, after its anchor and tag when it has them.
func (l *locator) skipProperties(n *yaml.Node, p int) int {
	if n.Anchor == "" && n.Style&yaml.TaggedStyle == 0 && (p >= len(l.text) || l.text[p] != '!') {
		return p
	}
	unwritten := n.Kind == yaml.ScalarNode && n.Value == "" &&
		n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	for p < len(l.text) && (l.text[p] == '&' || l.text[p] == '!') {
		ends := ",[]{}"
		if l.text[p] == '&' {
			ends = ",[]{}:?%@`" // the text may follow the anchor directly
		}
		for p < len(l.text) && !isSpace(l.text[p]) && source.BreakWidth(l.text, p) == 0 &&
			strings.IndexByte(ends, l.text[p]) < 0 {
			p++
		}
		next := l.skipSpace(p)
		if unwritten && (next >= len(l.text) || l.text[next] != '&' && l.text[next] != '!' || source.BreakWidth(l.text, p) > 0) {
			return p
		}
		p = next
	}
	return p
}
