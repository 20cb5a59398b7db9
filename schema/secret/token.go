package secret

import (
	"bytes"
	"strings"
)

// tokens hides the secrets inside longer values: those recognizable by their form, "sig=…", "--password=…",
// "AccountKey=…", {"password": "…"}, and what follows the option "--password" in a list. With commands, it also hides
// what follows the option after a space, which in a sentence would be just the next word.
func (s *scanner) tokens(commands bool) {
	var found []Token
	if !s.tokenless {
		found = tokensIn(s.text)
	}
	for _, t := range bearers(s.text, found) {
		s.hide(t.Value.Start, t.Value.End)
	}
	if commands {
		s.configured()
	}
	marks := [...]mark{{sign: '-'}, {sign: '='}, {sign: ':'}, {sign: '('}, {sign: '<'}}
	for i := 0; ; {
		for m := range marks {
			marks[m].seek(s.text, i)
		}
		i = min(marks[0].at, marks[1].at, marks[2].at, marks[3].at, marks[4].at)
		if i == len(s.text) {
			return
		}
		next := 0
		switch s.text[i] {
		case '-':
			next = s.dash(i, commands)
		case '=':
			next = s.assignment(i)
		case ':':
			next = s.member(i)
		case '(':
			next = s.call(i)
		case '<':
			next = s.element(i)
		}
		i = max(i+1, next)
	}
}

// mark is the next occurrence of a character that most of a text does not contain.
type mark struct {
	sign  byte
	at    int
	found bool
}

// seek sets at to the first occurrence of the character from an offset on, or to the text's length if there is none.
func (m *mark) seek(text []byte, from int) {
	if m.found && m.at >= from {
		return
	}
	m.at, m.found = len(text), true
	if i := bytes.IndexByte(text[min(from, len(text)):], m.sign); i >= 0 {
		m.at = from + i
	}
}

// assignment hides the value after the "=" at offset at if its name is a secret's, and returns where to continue, as
// the other methods here do.
func (s *scanner) assignment(at int) int {
	end := s.unspaced(at)
	spaced := end < at
	if end > 1 && s.text[end-1] == ']' && isQuote(s.text[end-2]) { // os.environ["NAME"]
		end = len(bytes.TrimRight(s.text[:end-2], `\`))
	} else if end > 0 && isQuote(s.text[end-1]) {
		end--
	}
	start := s.wordStart(end)
	name := string(s.text[start:end])
	from := at + 1
	if isSignature(name) {
		stop := from
		for stop < len(s.text) && strings.IndexByte("&#;, \t\r\n\"'<>\\", s.text[stop]) < 0 {
			stop++
		}
		return s.cover(from, stop)
	}
	if !s.isSecret(name, at) {
		return from
	}
	if spaced {
		from = s.skip(from, "=> \t")
	}
	from, stop := s.argument(from)
	value := string(s.text[from:stop])
	// AzureMlSecret=… is a reference only together with its name
	if stop-start <= longestPlaceholder && harmless(string(s.text[start:stop])) || harmless(value) || isVersion(value) {
		return at + 1
	}
	s.hide(from, stop)
	return stop
}

// isSignature reports whether a name ends in the word "sig"; in JSON, a URL may have "\u0026sig" for "&sig".
func isSignature(name string) bool {
	n := len(name) - len("sig")
	return n >= 0 && strings.EqualFold(name[n:], "sig") && (n == 0 || !isLower(name[n-1]) && !isUpper(name[n-1]))
}

func isBase64(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) || c == '+' || c == '/' }

// argument returns where the argument at offset at, in a command or a connection string, begins after its quote, and
// where it ends.
func (s *scanner) argument(at int) (from, end int) {
	from = at
	escape := s.byteAt(at) == '\\' // the quotes are inside a quoted scalar
	if escape {
		at++
	}
	if quote := s.byteAt(at); isQuote(quote) {
		from = at + 1
		if end := s.closing(from, quote); end >= 0 {
			if escape && s.text[end-1] == '\\' {
				return from, end - 1
			}
			next := s.nameEnd(end + 1)
			other := s.byteAt(next) == '=' && isQuote(s.byteAt(next+1)) && !s.joins(next+1) // "ab"token="$x"
			if other || !isAlnum(s.byteAt(end+1)) && !s.joins(end+1) {                      // but "ab"cd and "ab"'cd' are one word
				return from, end
			}
			return from, s.wordEnd(end + 1)
		}
	}
	if s.byteAt(from) == '<' {
		if n := bytes.IndexAny(s.text[from+1:], "<>\r\n"); n >= 0 && s.text[from+1+n] == '>' {
			return from, from + n + 2
		}
	}
	return from, s.wordEnd(from)
}

// wordEnd returns where the argument whose rest begins at offset from ends.
func (s *scanner) wordEnd(from int) int {
	for end := from; end < len(s.text); end++ {
		switch c := s.text[end]; c {
		case ' ', '\t':
			next := s.skip(end, " \t")
			if !isOneOf(authorizations, string(s.text[from:end])) || !isBase64(s.byteAt(next)) {
				return end
			}
			end = next // Basic dXNlcjpwYXNz
		case '\r', '\n':
			return end
		case '"', '\'':
			if !s.joins(end) {
				return end
			}
			end = s.closing(end+1, c)
		case '&', ';':
			if s.endsPart(end) || s.isAssignment(end+1) {
				return end
			}
		case ',':
			if s.endsPart(end) || s.text[end+1] == '-' {
				return end
			}
		}
	}
	return len(s.text)
}

// closing returns where the quoted text that begins at offset from ends; -1 if it does not end on its line.
func (s *scanner) closing(from int, quote byte) int {
	if n := bytes.IndexAny(s.text[from:], string(rune(quote))+"\r\n"); n >= 0 && s.text[from+n] == quote {
		return from + n
	}
	return -1
}

// joins reports whether the quote at an offset begins another part of the same word, as in r"x" and ab'cd', rather than
// closing what is around it.
func (s *scanner) joins(at int) bool {
	c := s.byteAt(at)
	return isQuote(c) && isAlnum(s.byteAt(at+1)) && s.closing(at+1, c) >= 0
}

// endsPart reports whether nothing that belongs to the same argument follows a separator.
func (s *scanner) endsPart(at int) bool {
	c := s.byteAt(at + 1)
	return isSpace(c) || isQuote(c)
}

// isAssignment reports whether "name=" is at an offset.
func (s *scanner) isAssignment(at int) bool {
	end := at
	for end < len(s.text) && (inName(s.text[end]) || s.text[end] == ' ') {
		end++
	}
	return end > at && s.byteAt(end) == '='
}

// member hides the value of the member whose colon is at offset at, in JSON embedded in another text: {"password":
// "x"}, possibly with escaped quotes.
func (s *scanner) member(at int) int {
	end := s.unspaced(at)
	if end == 0 || !isQuote(s.text[end-1]) {
		return at + 1
	}
	doubled := bytes.HasSuffix(s.text[:end], []byte("''"))
	end = len(bytes.TrimRight(s.text[:end-1], `\'"`))
	start := s.wordStart(end)
	from := s.skip(at+1, " \t")
	if doubled && s.byteAt(from) == '\'' && s.byteAt(from+1) == '\'' {
		from++ // inside a single-quoted scalar
	}
	if start == end || from >= len(s.text) || !s.isSecret(string(s.text[start:end]), at) {
		return at + 1
	}
	stop := s.quoted(from)
	if stop == from || harmless(string(s.text[from:stop])) {
		return at + 1
	}
	s.hide(from, stop)
	return stop
}

// quoted returns the offset after the quoted text at offset at, or at if there is none. Escaped quotes end at equally
// escaped ones.
func (s *scanner) quoted(at int) int {
	mark := s.skip(at, `\`)
	if mark >= len(s.text) || !isQuote(s.text[mark]) {
		return at
	}
	quote := s.text[at : mark+1]
	line := s.text[mark+1 : s.lineEnd(mark)]
	for from := 0; ; {
		i := bytes.Index(line[from:], quote)
		if i < 0 {
			return mark + 1 + len(line)
		}
		end := from + i + len(quote)
		if i += from; i == 0 || line[i-1] != '\\' {
			return mark + 1 + end
		}
		from = end
	}
}
