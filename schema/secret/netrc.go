package secret

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/source"
)

// logins finds the passwords of entries of a .netrc file: machine HOST login NAME password WORD.
func logins(text []byte, found []Token) []Token {
	const before, after, longest = "login", " password ", 256
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(after))
		if i < 0 {
			return found
		}
		words := bytes.Fields(text[max(at, at+i-longest) : at+i])
		at += i + len(after)
		if len(words) < 2 || string(words[len(words)-2]) != before {
			continue
		}
		from := at + len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t"))
		end := from
		for end < len(text) && text[end] > ' ' && bytes.IndexByte([]byte("\"'\\`;"), text[end]) < 0 {
			end++
		}
		found = add(found, text, spanned(Vendor, "the password of a .netrc file", from, end))
	}
}

// spanned returns a token that is itself the secret.
func spanned(kind Kind, what string, start, end int) Token {
	span := source.Span{Start: start, End: end}
	return Token{Kind: kind, What: what, Span: span, Value: span}
}
