package secret

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// Texts returns the secrets that are at spans of text as they may be repeated
// elsewhere: as they are, without their quotes and escapes, and the items of a
// list one by one. It leaves out what is shorter than Shortest and what is
// harmless by itself. Longest first, each once.
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
		if strings.Contains(s, `\`) { // a part of a scalar in double quotes
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
