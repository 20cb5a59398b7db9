package secret

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// shortestBearer is the minimum length, in bytes, of a token after the word Bearer, and clearBearer of one without a
// digit: in sentences, words such as "authentication" follow.
const shortestBearer, clearBearer = 8, 24

// bearers finds tokens that follow the word Bearer, as in the header Authorization.
func bearers(text []byte, found []Token) []Token {
	for _, word := range []string{"Bearer", "bearer", "BEARER"} {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(word))
			if i < 0 {
				break
			}
			if at += i + len(word); at < len(text) && isSpace(text[at]) {
				found, at = bearer(text, at, found)
			}
		}
	}
	return found
}

// bearer finds the token after the word Bearer that ends at offset at, and returns where to continue.
func bearer(text []byte, at int, found []Token) ([]Token, int) {
	start := at - len("bearer")
	value, ok := borne(text, at)
	if !ok || start > 0 && isAlnum(text[start-1]) && !escaped(text, start-1) {
		return found, at
	}
	return add(found, text, Token{Kind: Bearer, Span: source.Span{Start: start, End: value.End}, Value: value}), value.End
}

// borneAt finds the long word at start if the word Bearer precedes it.
func borneAt(text []byte, start int, found []Token) []Token {
	word := len("bearer")
	if start <= word || text[start-1] != ' ' {
		return found
	}
	at := len(bytes.TrimRight(text[:start], " "))
	if at >= word && bytes.EqualFold(text[at-word:at], []byte("bearer")) {
		found, _ = bearer(text, at, found)
	}
	return found
}

// borne returns the token that follows the word Bearer, which ends at offset at.
func borne(text []byte, at int) (value source.Span, ok bool) {
	from := at + len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t"))
	end := from
	digits := 0
	for end < len(text) && (isBase64(text[end]) || strings.IndexByte("-._~=", text[end]) >= 0) {
		if isDigit(text[end]) {
			digits++
		}
		end++
	}
	n := end - from
	return source.Span{Start: from, End: end}, n >= clearBearer || n >= shortestBearer && digits > 0
}

// privateKeys finds keys as OpenSSL, OpenSSH and PGP write them. A key without an end line extends to the end of the
// text.
func privateKeys(text []byte, found []Token) []Token {
	const begin, dashes, title = "-----BEGIN ", "-----", "PRIVATE KEY"
	if !bytes.Contains(text, []byte(title[len("PRI"):])) {
		return found // the search begins at V, because dashes and P are common
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(begin))
		if i < 0 {
			return found
		}
		start := at + i
		at = start + len(begin)
		words, _, _ := bytes.Cut(text[at:min(at+maxTitle, len(text))], []byte(dashes))
		if !bytes.Contains(words, []byte(title)) || len(bytes.Trim(words, titleLetters)) > 0 {
			continue
		}
		end := len(text)
		if j := bytes.Index(text[at:], []byte(dashes+"END ")); j >= 0 {
			last := at + j + len(dashes)
			end = min(last+maxTitle, len(text))
			if k := bytes.IndexAny(text[last:end], "\r\n"); k >= 0 {
				end = last + k
			}
			if k := bytes.Index(text[last:end], []byte(dashes)); k >= 0 {
				end = last + k + len(dashes)
			}
		}
		span := source.Span{Start: start, End: end}
		found = append(found, Token{Kind: PrivateKey, Span: source.Span{Start: start, End: at + len(words)}, Value: span})
		at = end
	}
}

const titleLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "

// maxTitle is the maximum length, in bytes, of the words between the dashes around a key ("BEGIN OPENSSH PRIVATE KEY"
// has 25).
const maxTitle = 100
