package secret

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/source"
)

// shortestBearer is the number of bytes that what follows the word Bearer has at
// least to be a token, and clearBearer from which on it is one without a digit: in
// sentences, "bearer authentication" follows.
const shortestBearer, clearBearer = 8, 24

// bearers finds what follows the word Bearer, as in the header Authorization.
func bearers(text []byte, found []Token) []Token {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("earer"))
		if i < 0 {
			return found
		}
		start := at + i - 1
		at += i + len("earer")
		if start < 0 || text[start]|0x20 != 'b' || start > 0 && isAlnum(text[start-1]) || at >= len(text) || !isBlank(text[at]) {
			continue
		}
		from := at + len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t"))
		end := from
		digits := 0
		for end < len(text) && (isBase64(text[end]) || bytes.IndexByte([]byte("-._~="), text[end]) >= 0) {
			if isDigit(text[end]) {
				digits++
			}
			end++
		}
		if n := end - from; n >= clearBearer || n >= shortestBearer && digits > 0 {
			found = add(found, text, Token{Kind: Bearer, Span: source.Span{Start: start, End: end}, Value: source.Span{Start: from, End: end}})
			at = end
		}
	}
}

// privateKeys finds keys as OpenSSL, OpenSSH and PGP write them. One without an end
// goes on to the end of the text.
func privateKeys(text []byte, found []Token) []Token {
	const begin, dashes = "-----BEGIN ", "-----"
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(begin))
		if i < 0 {
			return found
		}
		start := at + i
		at = start + len(begin)
		title, _, _ := bytes.Cut(text[at:min(at+maxTitle, len(text))], []byte(dashes))
		if !bytes.Contains(title, []byte("PRIVATE KEY")) {
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
		found = append(found, Token{Kind: PrivateKey, Span: source.Span{Start: start, End: at + len(title)}, Value: span})
		at = end
	}
}

// maxTitle bounds, in bytes, the words between the dashes around a key.
const maxTitle = 100
