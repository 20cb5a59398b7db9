package python

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// string scans the current string, after its prefix.
func (s *scanner) string(prefix string, start int) {
	quote := s.text[s.at : s.at+1]
	if strings.HasPrefix(s.text[s.at+1:], quote) && strings.HasPrefix(s.text[s.at+2:], quote) {
		quote = s.text[s.at : s.at+3]
	}
	s.at += len(quote)
	begin, stops := s.at, quote[:1]+"\\\n"
	for {
		n := strings.IndexAny(s.text[s.at:], stops)
		if n < 0 {
			s.at, s.broken = len(s.text), true
			return
		}
		s.at += n
		switch {
		case strings.HasPrefix(s.text[s.at:], quote):
			body := s.text[begin:s.at]
			s.at += len(quote)
			s.finish(prefix, body, start)
			return
		case s.text[s.at] == '\\':
			s.at++
			if strings.HasPrefix(s.text[s.at:], "\r\n") {
				s.at++ // the end of a line has two bytes
			}
			s.at = min(s.at+1, len(s.text))
		case s.text[s.at] == '\n' && len(quote) == 1:
			s.broken = true
			return
		default:
			s.at++
		}
	}
}

func (s *scanner) finish(prefix, body string, start int) {
	if s.only || strings.ContainsAny(prefix, "bft") {
		s.emit(Other, body, start)
		return
	}
	if !strings.Contains(prefix, "r") {
		var ok bool
		if body, ok = unescape(body); !ok {
			s.emit(Other, body, start)
			return
		}
	}
	s.emit(String, body, start)
}

// unescape returns the value of the body of a string.
func unescape(body string) (string, bool) {
	if !strings.Contains(body, `\`) {
		return body, true
	}
	var b strings.Builder
	for body != "" {
		n := strings.IndexByte(body, '\\')
		if n < 0 || n+1 == len(body) {
			b.WriteString(body)
			return b.String(), n < 0
		}
		b.WriteString(body[:n])
		c := body[n+1]
		body = body[n+2:]
		if i := strings.IndexByte("\\'\"abfnrtv", c); i >= 0 {
			b.WriteByte("\\'\"\a\b\f\n\r\t\v"[i])
			continue
		}
		digits, base := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c], 16
		switch {
		case c == '\n' || c == '\r':
			if c == '\r' {
				body = strings.TrimPrefix(body, "\n")
			}
			continue
		case c >= '0' && c <= '7':
			body, digits, base = string(c)+body, 1, 8
			for digits < 3 && digits < len(body) && body[digits] >= '0' && body[digits] <= '7' {
				digits++
			}
		case c == 'N':
			return "", false
		case digits == 0:
			b.WriteString(`\` + string(rune(c)))
			if c >= utf8.RuneSelf {
				return "", false
			}
			continue
		}
		if len(body) < digits {
			return "", false
		}
		r, err := strconv.ParseUint(body[:digits], base, 32)
		if err != nil || r > utf8.MaxRune {
			return "", false
		}
		b.WriteRune(rune(r))
		body = body[digits:]
	}
	return b.String(), true
}
