package secret

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// shortestKey is the number of bytes that the key in a connection string has at
// least; it keeps AccountKey=short in a text about such strings from being one.
const shortestKey = 16

// assigned finds signatures and keys in addresses, and keys in connection strings.
func assigned(text []byte, found []Token) []Token {
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '=')
		if i < 0 {
			return found
		}
		at += i
		kind, start, ok := assignment(text, at)
		if !ok {
			continue
		}
		end := at + 1 + valueLength(text[at+1:])
		if kind == Signature || end-at > shortestKey {
			what := ""
			if kind == Vendor {
				what = "a key of an Azure function"
			}
			found = add(found, text, Token{Kind: kind, What: what, Span: source.Span{Start: start, End: end}, Value: source.Span{Start: at + 1, End: end}})
		}
	}
}

// assignment reports whether the equals sign at i follows the name of a secret,
// and where that begins: sig and code as parameters of an address, AccountKey and
// SharedAccessKey anywhere.
func assignment(text []byte, i int) (kind Kind, start int, ok bool) {
	word := func(name string) bool { return i >= len(name) && bytes.EqualFold(text[i-len(name):i], []byte(name)) }
	switch {
	case word("sig"):
		return parameter(text, i, len("sig"), "?", "&", ";", `\u0026`)
	case word("Signature"): // of Amazon's and Google's stores
		return parameter(text, i, len("Signature"), "?", "&", `\u0026`, "X-Amz-", "X-Goog-")
	case word("code"): // of an Azure function: how-to "Work with access keys in Azure Functions"
		if _, start, ok := parameter(text, i, len("code"), "?", "&", `\u0026`); ok {
			return Vendor, start, true // a shorter word is a status or a country
		}
	case word("AccountKey"):
		return NamedKey, i - len("AccountKey"), true
	case word("SharedAccessKey"):
		return NamedKey, i - len("SharedAccessKey"), true
	}
	return 0, 0, false
}

// parameter reports whether one of some texts is before the name of length n that
// ends at i, and where that begins.
func parameter(text []byte, i, n int, before ...string) (kind Kind, start int, ok bool) {
	for _, b := range before {
		if bytes.HasSuffix(text[:i-n], []byte(b)) {
			return Signature, i - n - len(b), true
		}
	}
	return 0, 0, false
}

// valueLength returns how many bytes of a text belong to a value in base64, with
// "=" at its end or escaped as in an address. What begins with "<", "$" or "{"
// holds the place of one.
func valueLength(text []byte) int {
	n := 0
	for n < len(text) && (isBase64(text[n]) || strings.IndexByte("%-_.~*", text[n]) >= 0) {
		n++
	}
	if n == 0 {
		return 0
	}
	for n < len(text) && text[n] == '=' {
		n++
	}
	return n
}
