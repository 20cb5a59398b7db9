package secret

import (
	"cmp"
	"slices"
	"strings"
)

// Known is a set of secrets that are masked wherever they occur. The zero value is empty. It is safe for concurrent
// use.
type Known struct {
	begin map[string][]string // by their first Shortest bytes, the longest first
}

// NewKnown returns the Known for a list of secrets, as Texts returns them.
func NewKnown(texts []string) Known {
	var k Known
	if len(texts) > 0 {
		k.begin = map[string][]string{}
	}
	for _, text := range texts {
		if len(text) >= Shortest {
			k.begin[text[:Shortest]] = append(k.begin[text[:Shortest]], text)
		}
	}
	for _, list := range k.begin {
		slices.SortFunc(list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	}
	return k
}

// perByte is the maximum number of comparisons per byte of a text. A hostile text that needs more is masked from there
// on; real ones need one or two.
const perByte = 64

// Replace returns a text with the known secrets replaced with mask, including truncated ones. It takes time linear in
// the length of the text.
func (k Known) Replace(text, mask string) string {
	if len(k.begin) == 0 {
		return text
	}
	var out strings.Builder
	done, budget := 0, perByte*(len(text)+1024)
	for i := 0; i+Shortest <= len(text); {
		n := 0
		for _, s := range k.begin[text[i:i+Shortest]] {
			if budget -= 1 + min(len(s), len(text)-i)/perByte; budget < 0 {
				n = len(text) - i
				break
			}
			if strings.HasPrefix(text[i:], s) {
				n = len(s)
				break
			}
			n = max(n, cutOff(s, text[i:]))
		}
		if n == 0 {
			i++
			continue
		}
		out.WriteString(text[done:i])
		out.WriteString(mask)
		i += n
		done = i
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// A truncated secret is searched up to maxCut bytes; it must have at least minCut bytes unless "…" follows.
const minCut, maxCut = 12, 256

// cutOff returns how many bytes of a text are the beginning of a secret that is truncated there: by "…", by a quote or
// by the end.
func cutOff(secret, text string) (n int) {
	for most := min(len(secret), len(text), maxCut); n < most && secret[n] == text[n]; {
		n++
	}
	rest := text[n:]
	if n >= Shortest && strings.HasPrefix(rest, "…") || n >= minCut && (rest == "" || isQuote(rest[0]) || rest[0] == '`') {
		return n
	}
	return 0
}
