package secret

import (
	"cmp"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Kind is the way in which a token shows that it is one.
type Kind int

// The kinds of tokens.
const (
	Signature  Kind = iota // sig= of a shared access signature
	NamedKey               // AccountKey= and its like in a connection string
	Login                  // user:password@ in an address
	StorageKey             // the key of a storage account alone
	Vendor                 // a word of the shape that a vendor gives its tokens
	Channel                // the token in the address of a conda channel: https://host/t/TOKEN/main
	Bearer                 // what follows the word Bearer
	PrivateKey             // a block of PEM
)

// Token is a secret that shows by its own form, whatever it is called.
type Token struct {
	Kind Kind
	// What names the token in a sentence, "a GitHub token"; for Vendor alone.
	What string
	// Span is what a finding points at; Value, in it, is the secret itself.
	Span, Value source.Span
}

// Tokens returns the tokens in a text, in its order and apart. It is what reports
// rest on, so it is sure where Spans only doubts, and it is quick: it looks for
// marks, not at every byte.
func Tokens(text []byte) []Token {
	found := tokensIn(text)
	plain.SortFunc(found, func(a, b Token) int {
		return cmp.Or(cmp.Compare(a.Value.Start, b.Value.Start), cmp.Compare(a.Kind, b.Kind))
	})
	apart := found[:0]
	for _, t := range found {
		if n := len(apart); n > 0 && t.Value.Start < apart[n-1].Value.End {
			// the same bytes seen another way, as the key of a connection string
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
	found := assigned(text, nil)
	found = addressed(text, found)
	found = positional(text, found)
	found = privateKeys(text, found)
	return longWords(text, found)
}

// add appends a token unless its value is a placeholder.
func add(found []Token, text []byte, t Token) []Token {
	if t.Value.Len() == 0 || harmless(string(text[t.Value.Start:min(t.Value.End, t.Value.Start+longestPlaceholder+1)])) {
		return found
	}
	return append(found, t)
}
