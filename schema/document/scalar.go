package document

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/source"
)

// scalar sets the kind and style of a scalar and returns where it ends.
func (b *builder) scalar(n *yaml.Node, node *Node, indent int) int {
	node.Kind = Scalar
	start := node.Span.Start
	var end int
	found := true
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		node.Style = DoubleQuoted
		end, found = b.doubleQuotedEnd(start)
	case n.Style&yaml.SingleQuotedStyle != 0:
		node.Style = SingleQuoted
		end, found = b.singleQuotedEnd(start)
	case n.Style&yaml.LiteralStyle != 0:
		node.Style = Literal
		end = b.blockScalarEnd(start, indent)
	case n.Style&yaml.FoldedStyle != 0:
		node.Style = Folded
		end = b.blockScalarEnd(start, indent)
	default:
		end, found = b.plainEnd(start, n.Value)
	}
	if !found {
		return b.lose(n, "end of the value", start)
	}
	return end
}

func (l *locator) doubleQuotedEnd(p int) (int, bool) {
	if p >= len(l.text) || l.text[p] != '"' {
		return p, false
	}
	for p++; p < len(l.text); p++ {
		switch l.text[p] {
		case '\\':
			p++
		case '"':
			return p + 1, true
		}
	}
	return p, false
}

func (l *locator) singleQuotedEnd(p int) (int, bool) {
	if p >= len(l.text) || l.text[p] != '\'' {
		return p, false
	}
	for p++; p < len(l.text); p++ {
		if l.text[p] != '\'' {
			continue
		}
		if p+1 < len(l.text) && l.text[p+1] == '\'' {
			p++
			continue
		}
		return p + 1, true
	}
	return p, false
}

// plainEnd walks the source and the value side by side: spaces around one line break are one space in the value, n+1
// breaks are n newlines.
func (l *locator) plainEnd(p int, value string) (int, bool) {
	for i := 0; i < len(value); {
		if p >= len(l.text) {
			return p, false
		}
		after, breaks := l.fold(p)
		if breaks == 0 {
			after = max(after, p+1)
			same := string(l.text[p:after])
			if !strings.HasPrefix(value[i:], same) {
				return p, false
			}
			p = after
			i += len(same)
			continue
		}
		folded := " "
		if breaks > 1 {
			folded = strings.Repeat("\n", breaks-1)
		}
		if !strings.HasPrefix(value[i:], folded) {
			return p, false
		}
		p = after
		i += len(folded)
	}
	return p, true
}

// fold returns the offset after the spaces and line breaks at p and how many breaks there were: 0 when the spaces at p
// stay on their line.
func (l *locator) fold(p int) (after, breaks int) {
	if c := l.text[p]; c > ' ' && c < 0xC2 {
		return p, 0
	}
	q := p
	for q < len(l.text) {
		if isSpace(l.text[q]) {
			q++
			continue
		}
		w := source.BreakWidth(l.text, q)
		if w == 0 {
			break
		}
		q += w
		breaks++
	}
	return q, breaks
}

// blockScalarEnd returns the end of the last content line of a literal or folded scalar whose header is at p; trailing
// empty lines are left out.
func (l *locator) blockScalarEnd(p, indent int) int {
	content := -1 // column of the content; unknown until the first line of it
	for ; p < len(l.text) && !isSpace(l.text[p]) && source.BreakWidth(l.text, p) == 0; p++ {
		if c := l.text[p]; c >= '1' && c <= '9' {
			content = max(indent, 0) + int(c-'0')
		}
	}
	for p < len(l.text) && source.BreakWidth(l.text, p) == 0 {
		p++
	}
	end := p
	for p < len(l.text) {
		p += source.BreakWidth(l.text, p)
		line := p
		for p < len(l.text) && l.text[p] == ' ' && (content < 0 || p-line < content) {
			p++
		}
		if p >= len(l.text) {
			break
		}
		if source.BreakWidth(l.text, p) > 0 {
			continue
		}
		if content < 0 {
			if p-line <= indent {
				break
			}
			content = p - line
		} else if p-line < content {
			break
		}
		for p < len(l.text) && source.BreakWidth(l.text, p) == 0 {
			p++
		}
		end = p
	}
	return end
}
