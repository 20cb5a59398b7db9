package secret

import (
	"bytes"
	"strings"
)

// dash hides what belongs to the "-" at offset at: the private key of "-----BEGIN
// PRIVATE KEY-----", or what follows an option whose name is a secret's.
func (s *scanner) dash(at int, commands bool) int {
	name := at
	for name < len(s.text) && s.text[name] == '-' {
		name++
	}
	if name-at == 5 {
		return s.privateKey(at, name)
	}
	if name-at > 2 || !isLower(s.byteAt(name)) && !isUpper(s.byteAt(name)) || at > 0 && inName(s.text[at-1]) {
		return name
	}
	end := name
	for end < len(s.text) && inName(s.text[end]) {
		end++
	}
	if !NameIsSecret(string(s.text[name:end])) {
		return end
	}
	from, stop := s.item(end)
	if commands && from == stop {
		if from = s.skip(end, " \t"); from > end {
			from, stop = s.argument(from)
		}
	}
	if from >= stop || s.text[from] == '-' || s.text[from] == '#' || harmless(string(s.text[from:stop])) {
		return end
	}
	s.hide(from, stop)
	return stop
}

// item returns the list item behind the option that ends at offset end, in
// ["--password", "x"] and in its block form; an empty one when there is none.
func (s *scanner) item(end int) (from, stop int) {
	at := s.skip(s.skip(end, `"'`), " \t\r\n")
	separator := s.byteAt(at)
	if separator != ',' && separator != '-' || s.byteAt(at+1) == '-' {
		return end, end
	}
	from = s.skip(at+1, " \t\r\n")
	if separator == '-' && from == at+1 {
		return end, end
	}
	if isQuote(s.byteAt(from)) {
		if stop, closed := s.quoteEnd(from); closed {
			return from, stop
		}
	}
	if separator == '-' {
		return from, s.plainEnd(from, false)
	}
	for stop = from; stop < len(s.text); stop++ {
		c := s.text[stop]
		if c == ',' || c == s.eol || c == ']' && (isBlank(s.byteAt(stop+1)) || strings.IndexByte(",]}", s.byteAt(stop+1)) >= 0) {
			break
		}
	}
	return from, stop
}

// privateKey hides a key as OpenSSL and OpenSSH write them; name is where "BEGIN"
// should stand. One without an end goes on to the end of the text.
func (s *scanner) privateKey(at, name int) int {
	const dashes = "-----"
	title, _, _ := bytes.Cut(s.text[name:s.lineEnd(name)], []byte(dashes))
	if !bytes.HasPrefix(title, []byte("BEGIN ")) || !bytes.Contains(title, []byte("PRIVATE KEY")) {
		return name
	}
	stop := len(s.text)
	if i := bytes.Index(s.text[name:], []byte(dashes+"END ")); i >= 0 {
		last := name + i + len(dashes)
		stop = s.lineEnd(last)
		if j := bytes.Index(s.text[last:stop], []byte(dashes)); j >= 0 {
			stop = last + j + len(dashes)
		}
	}
	s.hide(at, stop)
	return stop
}
