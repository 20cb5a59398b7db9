// Package secret finds what must not be shown: passwords, keys, signatures and tokens in files, messages and variables.
//
// It scans raw text instead of a parsed tree, because a file that cannot be parsed must not show its password either,
// and takes time linear in the length of the text. In doubt it hides, because hiding too much does little harm. It
// cannot recognize a secret that neither its form nor its surroundings give away.
package secret

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Mask is shown instead of a secret, whatever its length.
const Mask = "***"

// Shortest is the minimum length, in bytes, of a secret that is also masked elsewhere; a shorter one would hide
// unrelated words.
const Shortest = 4

// Spans returns the spans of a file's text that must never be shown, in order and without overlap; no span crosses the
// end of a line. They are the values of keys such as password, in any style; the values of options and assignments with
// such names; SAS signatures; keys in connection strings; passwords in URLs; and private keys. Quotes belong to the
// span. Placeholders such as <password>, null, true, false and references to a secret store are not secrets.
func Spans(text []byte) []source.Span { return Search(text, false).Spans }

// Hide returns a message or a title with the secrets masked that are recognizable by themselves: signatures,
// "AccountKey=…", passwords in URLs. It does not read the message as a file: "password: x" is not masked. To hide what
// a message quotes from a file, replace the file's Texts first.
func Hide(text string) string {
	if len(text) < Shortest {
		return text
	}
	_, known, room := clean.Get(text)
	if known {
		return text
	}
	hidden := settled(text, false)
	if room && hidden == text {
		clean.Put(text, struct{}{})
	}
	return hidden
}

// clean are texts in which Hide masks nothing: many findings say the same.
var clean = plain.Memo[struct{}]{Longest: 512}

// HideValue returns a value from a file with its secrets masked. Like Contains, it reads the value as a command or as a
// file, and so hides more than Hide.
//
//go:noinline
func HideValue(value string) string {
	return settled(value, true)
}

// maxPasses is the maximum number of times a text is masked. Hardly any text needs more than one pass: what is next to
// a mask may then look like a secret.
const maxPasses = 8

// settled masks a text until nothing more is found in it: a message, or a value, which is searched for pairs too.
func settled(text string, value bool) string {
	for range maxPasses {
		s := newScanner([]byte(text))
		s.tokens(value)
		for at := s.start; value && at < len(s.text); {
			at = s.pairs(at, s.lineEnd(at))
		}
		if len(s.spans) == 0 {
			break
		}
		masked := Masked(s.text, source.Span{End: len(s.text)}, source.Merge(s.spans))
		if masked == text {
			break
		}
		text = masked
	}
	return text
}

// Masked returns a part of a text with the secrets at spans, which are in order, masked.
func Masked(text []byte, at source.Span, spans []source.Span) string {
	var shown strings.Builder
	first, _ := slices.BinarySearchFunc(spans, at.Start, func(s source.Span, start int) int { return cmp.Compare(s.End, start+1) })
	for _, s := range spans[first:] {
		if s.Start >= at.End {
			break
		}
		shown.Write(text[at.Start:max(s.Start, at.Start)])
		shown.WriteString(Mask)
		at.Start = min(s.End, at.End)
	}
	shown.Write(text[at.Start:at.End])
	return shown.String()
}

// Contains reports whether a value contains a secret, whatever its own name is: a token, or an option, an assignment or
// a pair whose name is a secret's.
func Contains(value string) bool {
	s := newScanner([]byte(value))
	s.tokens(true)
	for at := s.start; at < len(value) && len(s.spans) == 0; {
		at = s.pairs(at, s.lineEnd(at))
	}
	return len(s.spans) > 0
}

// Variable reports whether an environment variable's value must not be shown, because of its name or its contents.
func Variable(name, value string) bool {
	workingFolder := name == "PWD" || name == "OLDPWD"
	return !workingFolder && NameIsSecret(name) && !harmless(value) && !isCount(name, value) || Contains(value)
}
