// Package secret finds what must not be shown: passwords, keys, signatures and
// tokens in files, messages and variables.
//
// It reads raw text instead of a parsed tree, because a file that does not parse
// must not show its password either, and it takes time in proportion to the
// text. In doubt it hides: too much hidden costs a reader little. It cannot know
// a secret that nothing around it calls one.
package secret

import (
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// Mask is shown in the place of a secret, whatever its length.
const Mask = "***"

// Shortest is the number of bytes from which on a secret is looked for elsewhere
// than in its own place; a shorter one would hide words that only look alike.
const Shortest = 4

// Spans returns the spans of a file's text that are never shown, in order and
// apart from one another, none over the end of a line: the values of keys such
// as password, whatever their style; the values of options and assignments with
// such names; SAS signatures; keys in connection strings; passwords in addresses;
// private keys. Quotes belong to the span. Placeholders such as <password>, null,
// true, false and references to a store of secrets are no secrets.
func Spans(text []byte) []source.Span {
	s := newScanner(text)
	s.tokens(true)
	for at := s.start; at < len(text); {
		at = s.line(at)
	}
	s.anchored()
	return source.Merge(s.spans)
}

// Hide returns a message or a title with the secrets masked that show by
// themselves: signatures, "AccountKey=…", passwords in addresses. It does not
// read the message as a file: "password: x" stays. To hide what a message quotes
// of a file, replace the file's Texts first.
func Hide(text string) string {
	if len(text) < Shortest {
		return text
	}
	return settled(text, func(s *scanner) { s.tokens(false) })
}

// HideValue returns a value of a file with the secrets in it masked. It reads the
// value as a command or as a file, as Contains does, and so hides more than Hide.
func HideValue(value string) string {
	return settled(value, func(s *scanner) {
		s.tokens(true)
		for at := s.start; at < len(s.text); {
			at = s.pairs(at)
		}
	})
}

// maxPasses bounds how often a text is masked. Hardly any needs more than one: what
// is beside a mask may look like a secret then.
const maxPasses = 8

// settled returns a text masked until nothing more is found in it.
func settled(text string, find func(*scanner)) string {
	for range maxPasses {
		s := newScanner([]byte(text))
		find(s)
		masked := s.masked()
		if masked == text {
			break
		}
		text = masked
	}
	return text
}

// masked returns the text without what was found.
func (s *scanner) masked() string {
	var shown strings.Builder
	at := 0
	for _, span := range source.Merge(s.spans) {
		shown.Write(s.text[at:span.Start])
		shown.WriteString(Mask)
		at = span.End
	}
	shown.Write(s.text[at:])
	return shown.String()
}

// Contains reports whether a value holds a secret under any name: a token, an
// option, an assignment or a pair whose name is a secret's.
func Contains(value string) bool {
	s := newScanner([]byte(value))
	s.tokens(true)
	for at := s.start; at < len(value) && len(s.spans) == 0; {
		at = s.pairs(at)
	}
	return len(s.spans) > 0
}

// Variable reports whether an environment variable's value must not be shown,
// because of its name or because of what it holds.
func Variable(name, value string) bool {
	workingFolder := name == "PWD" || name == "OLDPWD"
	return !workingFolder && NameIsSecret(name) && !harmless(value) || Contains(value)
}
