package rules

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// reported returns the tokens in a text that findings report: those that are not placeholders.
func reported(text []byte) []secret.Token { return reportedOf(text, secret.Tokens(text)) }

func reportedOf(text []byte, all []secret.Token) (found []secret.Token) {
	for _, t := range all {
		word := string(text[t.Value.Start:t.Value.End])
		switch {
		case placeholder(word):
			continue
		case t.Kind == secret.Login:
			if strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" || strings.ContainsAny(word, "/;<>{}$") || glued(text, t.Span.Start) {
				continue
			}
		}
		found = append(found, t)
	}
	return found
}

// glued reports whether a login without a scheme, whose password begins at start, is the first word of its line: a key
// without a space after its colon looks like that.
func glued(text []byte, start int) bool {
	if text[start] == ':' {
		return false // "://"
	}
	line := bytes.LastIndexByte(text[max(0, start-maxAddress):start], '\n') + max(0, start-maxAddress) + 1
	return !bytes.ContainsAny(bytes.TrimLeft(text[line:start], " \t"), " \t\"'")
}

// placeholder reports whether words stand in for a secret: SIGNATURE, YOUR_KEY, xxx.
func placeholder(value string) bool {
	return catalog.CredentialKind(value) != catalog.CredentialLiteral || strings.Trim(value, "xX.*…%") == "" ||
		asksForYours(strings.ToUpper(value)) || toReplace.Get().MatchString(value)
}

// toReplace matches words that ask to be replaced.
var toReplace = plain.Regexp{Text: `(?i)^[^a-z0-9]*replace[-_ ]?(?:me|this|with|by)\b`}

// asksForYours reports whether a value contains the word "your": YOUR_KEY_1, yourStorageKey. A real key can contain the
// letters by chance, but then has digits around them.
func asksForYours(value string) bool {
	_, after, ok := strings.Cut(value, "YOUR")
	return ok && (!strings.ContainsAny(value, "0123456789+/=") || strings.IndexAny(after, " _-") == 0)
}
