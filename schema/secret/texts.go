package secret

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// authorizations are schemes of the header Authorization, which stand in front of the secret.
var authorizations = []string{"apikey", "basic", "bearer", "token"}

// Texts returns the secrets at spans of text in the forms in which they may occur elsewhere: as they are, without their
// quotes, escapes and scheme, and the items of a list separately. It omits those shorter than Shortest and those that
// are harmless by themselves. The result is sorted by length, longest first, without duplicates.
func Texts(text []byte, spans []source.Span) []string {
	var list []string
	add := func(s string) {
		if s = strings.TrimSpace(s); len(s) >= Shortest && !harmless(s) {
			list = append(list, s)
		}
	}
	for _, span := range spans {
		s := string(text[span.Start:span.End])
		add(s)
		if scheme, rest, ok := strings.Cut(strings.Trim(s, `"'`), " "); ok && slices.Contains(authorizations, strings.ToLower(scheme)) {
			add(rest)
		}
		if strings.Contains(s, `\`) { // part of a double-quoted scalar
			if plain, err := strconv.Unquote(`"` + strings.Trim(s, `"`) + `"`); err == nil {
				add(plain)
				add(strings.Trim(plain, `"'`))
			}
		}
		if s[0] == '\'' {
			add(strings.ReplaceAll(strings.Trim(s, "'"), "''", "'"))
		}
		if strings.IndexByte("[{\"'-\\", s[0]) < 0 && strings.IndexByte("]},", s[len(s)-1]) < 0 {
			continue
		}
		add(strings.Trim(s, `\"'`))
		for item := range strings.SplitSeq(s, ",") {
			add(strings.Trim(item, " \t[]{}\"'-"))
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(list)
}
