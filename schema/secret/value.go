package secret

import (
	"bytes"
	"strings"
)

// valueAfter hides the value after the colon of a secret's key, on the line that begins at line and whose text begins
// at indent; flow means that the key is in braces, and note that it is in a comment, with which its value ends at the
// latest. It returns where to continue: after what was hidden, or after the colon.
func (s *scanner) valueAfter(colon, line, indent int, flow, note bool) int {
	if note {
		whole := s.text
		s.text = whole[:s.commentEnd(colon)]
		defer func() { s.text = whole }()
	}
	at := s.skip(colon+1, " \t")
	if next := s.skip(at, "\r\n"); flow && next > at {
		at = s.skip(next, " \t\r\n")
		if s.isPair(at, s.memberEnd(at)) {
			return colon + 1 // the value is missing, and the next key begins
		}
	}
	if end := s.quoted(at); s.byteAt(at) == '\\' && end > at { // JSON inside a quoted scalar
		if harmless(string(s.text[at:end])) {
			return colon + 1
		}
		s.hide(at, end)
		return end
	}
	stop, closed := s.enclosed(at)
	first := len(s.text)
	if !closed || !s.endsValue(stop) {
		if isQuote(s.byteAt(at)) {
			first = s.lineEnd(at) // the quote that seemed to close it may open another value
		}
		stop = s.plainEnd(stop, flow)
	}
	value := bytes.TrimRight(s.text[at:stop], " \t\r\n")
	if !flow && !closed && (!note || s.text[indent] == '#') {
		s.open(line, indent, colon, len(value) == 0 || strings.IndexByte("#|>&!\"'", value[0]) >= 0)
	}
	if len(value) == 0 || harmless(string(value)) {
		return colon + 1
	}
	if value[0] == '*' {
		if s.aliases == nil {
			s.aliases = map[string]bool{}
		}
		s.aliases[string(value[1:])] = true
	}
	s.hide(at, at+len(value))
	return min(at+len(value), first)
}

// anchored hides the anchored values that secrets' keys refer to by aliases.
func (s *scanner) anchored() {
	for at := 0; len(s.aliases) > 0; at++ {
		i := bytes.IndexByte(s.text[at:], '&')
		if i < 0 {
			return
		}
		at += i
		end := s.nameEnd(at + 1)
		if from := s.skip(end, " \t"); from > end && s.aliases[string(s.text[at+1:end])] {
			stop, closed := s.enclosed(from)
			if !closed {
				stop = s.plainEnd(from, false)
			}
			s.hide(from, stop)
			end = max(end, stop)
		}
		at = end - 1
	}
}

// endsValue reports whether a value in quotes or brackets is the whole value, unlike "hunter"2.
func (s *scanner) endsValue(at int) bool {
	next := s.skip(at, " \t\r")
	c := s.byteAt(next)
	return strings.IndexByte(",}]\n\r", c) >= 0 || c == '#' && next > at
}

// plainEnd returns the end of the plain scalar that contains at.
func (s *scanner) plainEnd(at int, flow bool) int {
	for i := at; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '#' && i > at && (s.text[i-1] == ' ' || s.text[i-1] == '\t'):
			return i
		case c == s.eol && !flow:
			return i
		case c == s.eol: // in braces, a scalar continues on the next line
			next := s.skip(i, " \t\r\n")
			if s.isPair(next, s.memberEnd(next)) || strings.IndexByte(",}]", s.byteAt(next)) >= 0 {
				return i
			}
			i = next - 1
		case c == ',' && flow:
			next := s.skip(i+1, " \t\r\n")
			end := s.memberEnd(next)
			if end == next || s.isPair(next, end) {
				return i
			}
		case (c == '}' || c == ']') && flow && (isSpace(s.byteAt(i+1)) || strings.IndexByte(",}]", s.byteAt(i+1)) >= 0):
			return i
		}
	}
	return len(s.text)
}

// memberEnd returns where the member of a mapping that begins at offset at ends, at the latest at the end of its line.
func (s *scanner) memberEnd(at int) int {
	if i := bytes.IndexAny(s.text[at:], ",}]\r\n"); i >= 0 {
		return at + i
	}
	return len(s.text)
}

// isPair reports whether a span of text looks like a key and a value.
func (s *scanner) isPair(start, end int) bool {
	for i := start; i < end; i++ {
		if s.text[i] == ':' && (isSpace(s.byteAt(i+1)) || i > start && isQuote(s.text[i-1])) {
			return true
		}
	}
	return false
}

// enclosed returns the offset after the value in quotes or brackets that begins at offset at, and whether it is closed.
func (s *scanner) enclosed(at int) (end int, closed bool) {
	switch c := s.byteAt(at); {
	case isQuote(c):
		return s.quoteEnd(at)
	case c == '[' || c == '{':
		return s.bracketEnd(at)
	}
	return at, false
}

func (s *scanner) quoteEnd(start int) (end int, closed bool) {
	quote := s.text[start]
	for i := start + 1; i < len(s.text); i++ {
		switch {
		case s.text[i] == '\\' && quote == '"':
			i++
		case s.text[i] == quote && quote == '\'' && s.byteAt(i+1) == quote:
			i++
		case s.text[i] == quote:
			return i + 1, true
		}
	}
	return start, false
}

// maxUnclosed is the maximum number of unclosed brackets, each of which is searched through the rest of the text; a
// text with more is hidden from there on.
const maxUnclosed = 8

// bracketEnd matches brackets of both kinds with each other, because in malformed text either may be the wrong one.
func (s *scanner) bracketEnd(start int) (end int, closed bool) {
	if s.unclosed > maxUnclosed {
		return len(s.text), true
	}
	depth, fresh := 0, true
	for i := start; i < len(s.text); i++ {
		c := s.text[i]
		switch {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case isQuote(c) && fresh:
			if end, closed := s.quoteEnd(i); closed {
				i = end - 1
			}
		}
		fresh = isSpace(c) || strings.IndexByte("[{,:", c) >= 0
	}
	s.unclosed++
	return start, false
}
