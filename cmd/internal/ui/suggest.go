package ui

import "github.com/amlfix/amlfix/schema/plain"

// DidYouMean returns a question to append to a message about a wrong word, or "".
func DidYouMean(word string, candidates []string) string {
	if near := plain.Nearest(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// DidYouMeanOne returns a question about one or several names to append to a message; "" if there are none.
func DidYouMeanOne(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "; did you mean " + names[0] + "?"
	}
	return "; did you mean one of " + ShortList(names) + "?"
}
