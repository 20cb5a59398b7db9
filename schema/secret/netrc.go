package secret

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/source"
)

// logins finds the passwords of entries of a .netrc file: machine HOST login NAME password WORD.
func logins(text []byte, found []Token) []Token {
	const before, begin, end, longest = "login", " pass", "word ", 256
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(end)) // begins with a rare letter, which is found fast
		if i < 0 {
			return found
		}
		entry := text[max(at, at+i-longest) : at+i]
		at += i + len(end)
		if !bytes.HasSuffix(entry, []byte(begin)) || !bytes.Contains(entry, []byte(before)) {
			continue
		}
		words := bytes.Fields(entry[:len(entry)-len(begin)])
		if len(words) < 2 || string(words[len(words)-2]) != before {
			continue
		}
		from := at + len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t"))
		to := from
		for to < len(text) && text[to] > ' ' && bytes.IndexByte([]byte("\"'\\`;"), text[to]) < 0 {
			to++
		}
		found = add(found, text, spanned(Vendor, "the password of a .netrc file", from, to))
	}
}

// spanned returns a token that is itself the secret.
func spanned(kind Kind, what string, start, end int) Token {
	span := source.Span{Start: start, End: end}
	return Token{Kind: kind, What: what, Span: span, Value: span}
}
