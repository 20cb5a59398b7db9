package rules

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/source"
)

// tokenKind is a way in which access is written down.
type tokenKind int

const (
	signature tokenKind = iota // sig= of a shared access signature
	namedKey                   // AccountKey= and its like in a connection string
	login                      // user:password@ in an address
	bareKey                    // the key of a storage account alone
)

// token is a secret found in a text. value is the secret itself.
type token struct {
	kind        tokenKind
	span, value source.Span
}

// tokensIn returns the secrets in a text, in its order. It reads every byte of
// every file, so it looks for marks by hand: regular expressions take longer
// than all other checks together.
func tokensIn(text []byte) (found []token) {
	add := func(kind tokenKind, span, value source.Span) {
		word := string(text[value.Start:value.End])
		if !placeholder(word) && (kind != login || strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "") {
			found = append(found, token{kind, span, value})
		}
	}
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '=')
		if i < 0 {
			break
		}
		at += i
		if kind, start, ok := assignment(text, at); ok {
			if end := at + 1 + tokenLength(text[at+1:]); end > at+1 && (kind == signature || end-at > 16) {
				add(kind, source.Span{Start: start, End: end}, source.Span{Start: at + 1, End: end})
			}
		}
	}
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '@')
		if i < 0 {
			break
		}
		at += i
		if start, colon, ok := loginBefore(text, at); ok {
			add(login, source.Span{Start: start, End: at + 1}, source.Span{Start: colon + 1, End: at})
		}
	}
	for _, span := range accountKeys(text) {
		add(bareKey, span, span)
	}
	slices.SortFunc(found, func(a, b token) int {
		return cmp.Or(cmp.Compare(a.value.Start, b.value.Start), cmp.Compare(a.kind, b.kind))
	})
	last := 0
	return slices.DeleteFunc(found, func(t token) bool {
		if t.value.Start < last {
			return true // the same bytes seen another way, as the key of a connection string
		}
		last = t.value.End
		return false
	})
}

// assignment tells whether the equals sign at i follows the name of a secret,
// and where that begins: sig as a parameter of an address, AccountKey and
// SharedAccessKey anywhere.
func assignment(text []byte, i int) (kind tokenKind, start int, ok bool) {
	word := func(name string) bool { return i >= len(name) && bytes.EqualFold(text[i-len(name):i], []byte(name)) }
	switch {
	case word("sig"):
		for _, before := range []string{"?", "&", ";", `\u0026`} {
			if bytes.HasSuffix(text[:i-len("sig")], []byte(before)) {
				return signature, i - len("sig") - len(before), true
			}
		}
	case word("AccountKey"):
		return namedKey, i - len("AccountKey"), true
	case word("SharedAccessKey"):
		return namedKey, i - len("SharedAccessKey"), true
	}
	return 0, 0, false
}

// tokenLength returns how many bytes of a text belong to a token in base64, with
// "=" at its end or escaped as in an address. What begins with "<", "$" or "{"
// holds the place of one.
func tokenLength(text []byte) int {
	n := 0
	for n < len(text) && (base64Byte(text[n]) || strings.IndexByte("%-_.~*", text[n]) >= 0) {
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

func base64Byte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/'
}

// maxLogin is the longest login looked for, so that a text of nothing but "@"
// costs no more than its length.
const maxLogin = 512

// loginBefore tells whether the "@" at i ends a login with a password, and where
// that and its colon stand: "://user:password@".
func loginBefore(text []byte, i int) (start, colon int, ok bool) {
	from := max(i-maxLogin, 0)
	at := bytes.LastIndex(text[from:i], []byte("://"))
	if at < 0 {
		return 0, 0, false
	}
	start = from + at
	user, password, found := bytes.Cut(text[start+len("://"):i], []byte(":"))
	if !found || len(password) == 0 || bytes.ContainsAny(text[start+len("://"):i], " \t\r\n/@;\"'<>{}$") || bytes.IndexByte(password, ':') >= 0 {
		return 0, 0, false
	}
	return start, start + len("://") + len(user), true
}

// accountKeys returns where the keys of storage and Cosmos DB accounts stand: 64
// bytes in base64, which are 86 digits and two equals signs. A run of so many
// digits covers one of any 86 bytes, so only these are looked at.
func accountKeys(text []byte) (found []source.Span) {
	const digits = 86
	for i := digits - 1; i < len(text); i += digits {
		if !base64Byte(text[i]) {
			continue
		}
		start, end := i, i
		for start > 0 && base64Byte(text[start-1]) {
			start--
		}
		for end < len(text) && base64Byte(text[end]) {
			end++
		}
		if end-start == digits && bytes.HasPrefix(text[end:], []byte("==")) {
			found = append(found, source.Span{Start: start, End: end + 2})
		}
		for i+digits < end {
			i += digits
		}
	}
	return found
}

// placeholder reports whether a secret's place is held by some words: SIGNATURE,
// YOUR_KEY, xxx.
func placeholder(value string) bool {
	return catalog.CredentialKind(value) != catalog.CredentialLiteral || strings.Trim(value, "xX.*…%") == "" ||
		asksForYours(strings.ToUpper(value))
}

// asksForYours reports words about what is yours: YOUR_KEY_1, yourStorageKey. In a
// key the letters can stand by chance, but not without digits around them.
func asksForYours(value string) bool {
	_, after, ok := strings.Cut(value, "YOUR")
	return ok && (!strings.ContainsAny(value, "0123456789+/=") || strings.IndexAny(after, " _-") == 0)
}
