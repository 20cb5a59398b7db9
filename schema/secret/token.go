package secret

import (
	"bytes"
	"strings"
)

// tokens hides the secrets inside longer values: "sig=…", "--password=…",
// "AccountKey=…", the password of "://user:password@host", private keys, keys of
// storage accounts, and what follows the option "--password" in a list. With commands it also hides
// what follows the option behind a blank; in sentences that is any next word.
func (s *scanner) tokens(commands bool) {
	for i := 0; i < len(s.text); i++ {
		next := i
		switch s.text[i] {
		case '-':
			next = s.dash(i, commands)
		case '=':
			next = s.assignment(i)
		case ':':
			next = s.address(i)
		}
		i = max(i, next-1)
	}
}

// assignment hides the value after the "=" at offset at, if it is a secret's, and
// returns where to go on, as the other methods here do.
func (s *scanner) assignment(at int) int {
	end := len(bytes.TrimRight(s.text[:at], " \t"))
	spaced := end < at
	if end > 0 && isQuote(s.text[end-1]) {
		end--
	}
	start := s.wordStart(end)
	name := string(s.text[start:end])
	from := at + 1
	if s.byteAt(from) == '=' {
		s.accountKey(at)
	}
	if isSignature(name) {
		stop := from
		for stop < len(s.text) && strings.IndexByte("&#;, \t\r\n\"'<>", s.text[stop]) < 0 {
			stop++
		}
		if !harmless(string(s.text[from:stop])) {
			s.hide(from, stop)
		}
		return stop
	}
	if !NameIsSecret(name) {
		return from
	}
	if spaced {
		from = s.skip(from, "= \t")
	}
	from, stop := s.argument(from)
	value := string(s.text[from:stop])
	// AzureMlSecret=… is a reference together with its name
	if stop-start <= longestPlaceholder && harmless(string(s.text[start:stop])) || harmless(value) || isVersion(value) {
		return at + 1
	}
	s.hide(from, stop)
	return stop
}

// isSignature reports whether a name ends in the word "sig"; in JSON an address
// may have "\u0026sig" for "&sig".
func isSignature(name string) bool {
	n := len(name) - len("sig")
	return n >= 0 && strings.EqualFold(name[n:], "sig") && (n == 0 || !isLower(name[n-1]) && !isUpper(name[n-1]))
}

// accountKey hides the key of a storage account, under any name or none, whose
// first "=" is at offset at: 64 bytes in base64 are 86 digits and "==".
func (s *scanner) accountKey(at int) {
	const digits = 86
	start := at
	for start > 0 && at-start <= digits && isBase64(s.text[start-1]) {
		start--
	}
	if at-start == digits {
		s.hide(start, at+len("=="))
	}
}

func isBase64(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) || c == '+' || c == '/' }

// argument returns where the argument that stands at offset at, in a command or
// a connection string, begins behind its quote, and where it ends.
func (s *scanner) argument(at int) (from, end int) {
	from = at
	escape := s.byteAt(at) == '\\' // the quotes are inside a quoted scalar
	if escape {
		at++
	}
	if quote := s.byteAt(at); isQuote(quote) {
		from = at + 1
		n := bytes.IndexAny(s.text[from:], string(rune(quote))+"\r\n")
		if n >= 0 && s.text[from+n] == quote {
			end = from + n
			if escape && s.text[end-1] == '\\' {
				end--
			}
			return from, end
		}
	}
	if s.byteAt(from) == '<' {
		if n := bytes.IndexAny(s.text[from+1:], "<>\r\n"); n >= 0 && s.text[from+1+n] == '>' {
			return from, from + n + 2
		}
	}
	for end = from; end < len(s.text); end++ {
		switch c := s.text[end]; c {
		case ' ', '\t', '\r', '\n', '"', '\'':
			return from, end
		case '&', ';':
			if s.endsPart(end) || s.isAssignment(end+1) {
				return from, end
			}
		case ',':
			if s.endsPart(end) || s.text[end+1] == '-' {
				return from, end
			}
		}
	}
	return from, end
}

// endsPart reports whether nothing of the same argument follows a separator.
func (s *scanner) endsPart(at int) bool {
	c := s.byteAt(at + 1)
	return isBlank(c) || isQuote(c)
}

// isAssignment reports whether "name=" stands at an offset.
func (s *scanner) isAssignment(at int) bool {
	end := at
	for end < len(s.text) && (inName(s.text[end]) || s.text[end] == ' ') {
		end++
	}
	return end > at && s.byteAt(end) == '='
}

// longestUser is the number of bytes from which on the only word before the host
// of an address is taken for a token instead of a user.
const longestUser = 20

// address hides the password of the address whose "://" begins at colon.
func (s *scanner) address(colon int) int {
	if !bytes.HasPrefix(s.text[colon:], []byte("://")) {
		return colon + 1
	}
	from := colon + len("://")
	end := from
	for end < len(s.text) && s.text[end] != '/' && !isBlank(s.text[end]) {
		end++
	}
	at := bytes.LastIndexByte(s.text[from:end], '@')
	if at < 0 {
		return from
	}
	user := s.text[from : from+at]
	if i := bytes.IndexByte(user, ':'); i >= 0 {
		from += i + 1
		user = user[i+1:]
	} else if len(user) < longestUser {
		return from
	}
	if harmless(string(user)) {
		return from
	}
	s.hide(from, from+len(user))
	return from + len(user)
}
