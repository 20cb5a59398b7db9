package secret

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// shortestKey is the minimum length, in bytes, of the key in a connection string, so that AccountKey=short in prose
// does not count.
const shortestKey = 16

// assigned finds signatures and keys in URLs, and keys in connection strings.
func assigned(text []byte) (found []Token) {
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

// assignment reports whether the equals sign at i follows the name of a secret, and returns the start of the name: sig
// and code as parameters of a URL, AccountKey and SharedAccessKey anywhere.
func assignment(text []byte, i int) (kind Kind, start int, ok bool) {
	word := func(name string) bool { return i >= len(name) && bytes.EqualFold(text[i-len(name):i], []byte(name)) }
	switch {
	case word("sig"):
		return parameter(text, i, len("sig"), "?", "&", ";", `\u0026`)
	case word("Signature"): // in Amazon's and Google's storage URLs
		return parameter(text, i, len("Signature"), "?", "&", `\u0026`, "X-Amz-", "X-Goog-")
	case word("code"): // of an Azure function; source: how-to "Work with access keys in Azure Functions"
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

// parameter reports whether one of the texts in before precedes the name of length n that ends at i, and returns the
// start of the name.
func parameter(text []byte, i, n int, before ...string) (kind Kind, start int, ok bool) {
	for _, b := range before {
		if bytes.HasSuffix(text[:i-n], []byte(b)) {
			return Signature, i - n - len(b), true
		}
	}
	return 0, 0, false
}

// valueLength returns the number of bytes of a base64 value, which may end with "=" or be escaped as in a URL. A value
// that begins with "<", "$" or "{" is a placeholder.
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
