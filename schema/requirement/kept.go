package requirement

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// What was parsed is kept, because several rules ask about each image, and most projects have the same images and
// packages. Errors are not kept.
var (
	images     = plain.Memo[Image]{Longest: longestKept}
	condaItems = plain.Memo[Requirement]{Longest: longestKept}
	pipItems   = plain.Memo[Requirement]{Longest: longestKept}
)

// longestKept is the maximum length, in bytes, of the texts whose results are kept.
const longestKept = 128

// parsed returns the result of parse for a text.
func parsed[T any](text string, parse func(string) (T, error), memo *plain.Memo[T]) (T, error) {
	result, known, room := memo.Get(text)
	switch {
	case known:
		return result, nil
	case !room:
		return parse(text)
	}
	result, err := parse(strings.Clone(text)) // it may be part of a file's, and the result holds parts of it
	if err == nil {
		memo.Put(text, result)
	}
	return result, err
}
