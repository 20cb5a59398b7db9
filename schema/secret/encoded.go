package secret

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// shortestEncoded is the minimum length, in bytes, of a word in base64 that can contain a name and a secret.
const shortestEncoded = 24

// encoded returns the token that is the whole word between start and end if that is text in base64 with a secret in it,
// such as a file of settings that somebody made a variable of.
func encoded(text []byte, start, end int) (Token, bool) {
	for end > start && !isBase64(text[end-1]) {
		end--
	}
	if end-start < shortestEncoded {
		return Token{}, false
	}
	decoded := make([]byte, base64.RawStdEncoding.DecodedLen(end-start))
	const few = 8 // bytes, which hardly any other word passes
	if n, err := base64.RawStdEncoding.Decode(decoded, text[start:start+few]); err != nil || !readable(decoded[:n]) {
		return Token{}, false
	}
	n, err := base64.RawStdEncoding.Decode(decoded, text[start:end])
	if err != nil || !readable(decoded[:n]) || !certain(decoded[:n]) {
		return Token{}, false
	}
	for pad := 0; pad < 2 && end < len(text) && text[end] == '='; pad++ {
		end++
	}
	return spanned("base64 text that contains a secret", start, end), true
}

// certain reports whether a text contains a secret, and not only a word that says where it is or stands in for one.
func certain(text []byte) bool {
	return slices.ContainsFunc(Spans(text), func(at source.Span) bool {
		value := string(bytes.Trim(text[at.Start:at.End], `"' `))
		return value != "" && !strings.Contains(value, "(") && !harmless(value)
	})
}

// readable reports whether a text consists of ASCII that people write.
func readable(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r > '~' || r < ' ' && r != '\t' && r != '\n' && r != '\r' })
}
