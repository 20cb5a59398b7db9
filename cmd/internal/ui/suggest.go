package ui

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Nearest returns the candidate that word was most likely meant to be: the one at the smallest edit distance, of at
// most two and less than half of the word's length without the dashes of a flag, or the one that differs in the case of
// its letters alone; "" if there is none.
func Nearest(word string, candidates []string) string {
	best, found := min(2, (len(strings.TrimLeft(word, "-"))-1)/2)+1, ""
	for _, c := range candidates {
		if strings.EqualFold(word, c) {
			return c
		}
		if d := plain.Distance(word, c); d < best {
			best, found = d, c
		}
	}
	return found
}

// DidYouMean returns a question to append to a message about a wrong word, or "".
func DidYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
