package secret

import (
	"cmp"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Kind is how a token is recognized.
type Kind int

// The kinds of tokens.
const (
	Signature  Kind = iota // sig= of a shared access signature
	NamedKey               // AccountKey= and similar keys in a connection string
	Login                  // user:password@ in a URL
	StorageKey             // the key of a storage account by itself
	Vendor                 // a word with the shape of a vendor's tokens
	Channel                // the token in the URL of a conda channel: https://host/t/TOKEN/main
	Bearer                 // a token after the word Bearer
	PrivateKey             // a PEM block
)

// Token is a secret that is recognizable by its own form, whatever it is called.
type Token struct {
	Kind Kind
	// What names the token in a sentence, "a GitHub token"; only for Vendor.
	What string
	// Span is what a finding points at; Value, inside it, is the secret itself.
	Span, Value source.Span
}

// Tokens returns the tokens in a text, in order and without overlap. Because findings are based on it, it returns only
// certain tokens, unlike Spans. It is fast because it searches for marks rather than checking every byte.
func Tokens(text []byte) []Token {
	found := tokensIn(text)
	plain.SortFunc(found, func(a, b Token) int {
		return cmp.Or(cmp.Compare(a.Value.Start, b.Value.Start), cmp.Compare(a.Kind, b.Kind))
	})
	apart := found[:0]
	for _, t := range found {
		if n := len(apart); n > 0 && t.Value.Start < apart[n-1].Value.End {
			// the same bytes in another form, such as the key of a connection string
			last := &apart[n-1]
			last.Value.End = max(last.Value.End, t.Value.End)
			last.Span.End = max(last.Span.End, last.Value.End)
			continue
		}
		apart = append(apart, t)
	}
	return apart
}

// tokensIn returns the tokens in no order; they may overlap.
func tokensIn(text []byte) []Token {
	words, argument := longWords(text)
	found := assigned(text)
	found = addressed(text, found)
	if argument {
		found = positional(text, found)
	}
	found = privateKeys(text, found)
	found = logins(text, found)
	return append(found, words...)
}

// add appends a token unless its value is a placeholder.
func add(found []Token, text []byte, t Token) []Token {
	if t.Value.Len() == 0 || harmless(string(text[t.Value.Start:min(t.Value.End, t.Value.Start+longestPlaceholder+1)])) {
		return found
	}
	return append(found, t)
}
