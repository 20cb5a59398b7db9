package secret

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/source"
)

// scanner searches one text for secrets, from beginning to end.
type scanner struct {
	text  []byte
	start int  // after the byte order mark
	eol   byte // ends lines: "\n", but "\r" in a text that has no "\n"
	flow  bool // the whole text is in JSON style
	// tokenless says that there are no tokens in the text.
	tokenless bool
	spans     []source.Span
	key       int         // where the colon of the first secret's key is, or the text's length
	colon     mark        // the next one that pairs looks at
	asked     source.Span // part of a line with its end, which lineEnd found last

	// value and note are the values that the next lines may belong to: one of the file itself, and one that is
	// commented out.
	value, note block
	// aliases are the names of anchors of secret values: password: *name.
	aliases map[string]bool
	// commented is where the last comment that commentEnd was asked about ends.
	commented int
	// unclosed counts the brackets that turned out never to close.
	unclosed int
}

func newScanner(text []byte) scanner {
	s := scanner{text: text, eol: '\n', key: len(text), colon: mark{sign: ':'}}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		s.start = 3
	}
	if bytes.IndexByte(text, '\n') < 0 {
		s.eol = '\r'
	}
	first := bytes.TrimLeft(text[s.start:], " \t\r\n")
	s.flow = bytes.HasPrefix(first, []byte("{")) || bytes.HasPrefix(first, []byte("[{"))
	return s
}

// line scans the line that begins at start, and returns where the next begins.
func (s *scanner) line(start int) int {
	end := s.lineEnd(start)
	if s.belongs(start, end) {
		s.hide(start, end)
		return end + 1
	}
	if first := s.textOf(start, end); first < end && s.text[first] != '#' {
		s.bare(first, end)
	}
	return s.pairs(start, end)
}

// pairs scans the pairs in the line between start and end, and returns where the next line begins.
func (s *scanner) pairs(start, end int) int {
	depth, counted := 0, start // the open brackets before counted
	note := false              // a comment begins before counted
	first := -1                // where the line's text begins
	for i := start; i < end; i++ {
		s.colon.seek(s.text, i)
		if i = s.colon.at; i >= end {
			break
		}
		if first < 0 {
			first = s.textOf(start, end)
		}
		if !s.secretBefore(i, i == first) {
			continue
		}
		s.key = min(s.key, i)
		note = note || s.text[first] == '#' || beginsComment(s.text[counted:i])
		depth, counted = nested(depth, s.text[counted:i]), i
		if next := s.valueAfter(i, start, first, s.flow || depth > 0, note); next > i+1 {
			i, counted = next-1, next
			end = s.lineEnd(max(next, end)) // values in JSON style may span lines
		}
	}
	return end + 1
}

// beginsComment reports whether a comment certainly begins in a part of a line: no quotes are before it.
func beginsComment(part []byte) bool {
	before, _, found := bytes.Cut(part, []byte(" #"))
	return found && !bytes.ContainsAny(before, `"'`)
}

// nested returns how many brackets are open after a text, given how many are before it.
func nested(depth int, text []byte) int {
	for _, c := range text {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return depth
}

// secretBefore reports whether the key before the colon at offset colon is a secret's; if first, the colon is the first
// character of its line, and its key is above.
func (s *scanner) secretBefore(colon int, first bool) bool {
	end := s.unspaced(colon)
	if first {
		end = len(bytes.TrimRight(s.text[:colon], " \t\r\n"))
	}
	quoted := end > 0 && isQuote(s.text[end-1])
	if quoted {
		end = len(bytes.TrimRight(s.text[:end-1], `\'"`))
	}
	start := s.wordStart(end)
	if start > 0 && s.text[start-1] == '/' && !quoted && end == colon && colon+1 < len(s.text) && !isSpace(s.text[colon+1]) {
		return false // registry/image:tag
	}
	return s.isSecret(string(s.text[start:end]), colon) || bytes.EqualFold(s.text[start:end], []byte("value")) && s.namedBefore(start)
}

// namedBefore reports whether the member before the key at offset start contains the name of a secret, as in {name:
// DB_PASSWORD, value: …}.
func (s *scanner) namedBefore(start int) bool {
	const quoted = " \t\"'\\"
	name := s.text[:len(bytes.TrimRight(s.text[:start], quoted+",\r\n"))]
	from := s.wordStart(len(name))
	colon := len(bytes.TrimRight(s.text[:from], quoted))
	if colon == 0 || s.text[colon-1] != ':' {
		return false
	}
	key := bytes.TrimRight(s.text[:colon-1], quoted)
	return isOneOf([]string{"name", "key"}, string(key[s.wordStart(len(key)):])) && NameIsSecret(string(name[from:]))
}

// wordStart returns where the word that ends at end begins.
func (s *scanner) wordStart(end int) int {
	for end > 0 && inName(s.text[end-1]) {
		end--
	}
	return end
}

// unspaced returns where the spaces and tabs before an offset begin.
func (s *scanner) unspaced(at int) int {
	for at > 0 && (s.text[at-1] == ' ' || s.text[at-1] == '\t') {
		at--
	}
	return at
}

// hide adds the span from start to end, line by line and without the spaces around each line's text.
func (s *scanner) hide(start, end int) {
	for start < end {
		stop := end
		if i := bytes.IndexByte(s.text[start:end], s.eol); i >= 0 {
			stop = start + i
		}
		from := start + len(s.text[start:stop]) - len(bytes.TrimLeft(s.text[start:stop], " \t\r"))
		to := from + len(bytes.TrimRight(s.text[from:stop], " \t\r"))
		if from < to {
			s.spans = append(s.spans, source.Span{Start: from, End: to})
		}
		start = stop + 1
	}
}

// lineEnd returns where the line that contains an offset ends. It is asked many times about a long line.
func (s *scanner) lineEnd(at int) int {
	if at >= s.asked.Start && at < s.asked.End {
		return s.asked.End - 1
	}
	end := len(s.text)
	if at < end {
		if i := bytes.IndexByte(s.text[at:], s.eol); i >= 0 {
			end = at + i
		}
	}
	s.asked = source.Span{Start: at, End: end + 1}
	return end
}

// commentEnd returns where the comment that contains an offset ends, with the lines after it that begin with "#".
func (s *scanner) commentEnd(at int) int {
	for at >= s.commented {
		s.commented = s.lineEnd(at)
		if next := s.skip(s.commented, " \t\r\n"); s.byteAt(next) == '#' {
			at = next
		}
	}
	return s.commented
}

// textOf returns where the text of the line between start and end begins.
func (s *scanner) textOf(start, end int) int {
	for start < end && (s.text[start] == ' ' || s.text[start] == '\t') {
		start++
	}
	return start
}

// skip returns the offset of the first byte from at on that is not in set.
func (s *scanner) skip(at int, set string) int {
	return len(s.text) - len(bytes.TrimLeft(s.text[at:], set))
}

// byteAt returns the byte at an offset, and "\n" beyond the text.
func (s *scanner) byteAt(at int) byte {
	if at < len(s.text) {
		return s.text[at]
	}
	return '\n'
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// nameEnd returns where the name at an offset ends.
func (s *scanner) nameEnd(at int) int {
	for inName(s.byteAt(at)) {
		at++
	}
	return at
}

// cover hides what is from start to end unless that is harmless, and returns end.
func (s *scanner) cover(start, end int) int {
	if !harmless(string(s.text[start:end])) {
		s.hide(start, end)
	}
	return end
}
