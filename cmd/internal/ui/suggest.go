package ui

import "github.com/amlfix/amlfix/schema/plain"

// DidYouMean returns a question to append to a message about a wrong word, or "".
func DidYouMean(word string, candidates []string) string {
	if near := plain.Nearest(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
