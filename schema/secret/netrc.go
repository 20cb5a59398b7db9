package secret

import (
	"bytes"
	"strings"

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
		n := len(words)
		machine := n >= 4 && bytes.HasSuffix(words[n-4], []byte("machine")) || n >= 3 && bytes.HasSuffix(words[n-3], []byte("default"))
		if !machine || string(words[n-2]) != before {
			continue
		}
		from := at + len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t"))
		to := from
		for to < len(text) && text[to] > ' ' && strings.IndexByte("\"'\\`;", text[to]) < 0 {
			to++
		}
		if opens(text[from:to]) {
			continue
		}
		found = add(found, text, spanned("the password of a .netrc file", from, to))
	}
}

// opens reports whether a word is the beginning of what a shell or a template replaces.
func opens(word []byte) bool {
	return bytes.HasPrefix(word, []byte("$(")) || bytes.HasPrefix(word, []byte("{{")) || bytes.HasPrefix(word, []byte("<("))
}

// spanned returns a vendor's token that is itself the secret.
func spanned(what string, start, end int) Token {
	span := source.Span{Start: start, End: end}
	return Token{Kind: Vendor, What: what, Span: span, Value: span}
}
