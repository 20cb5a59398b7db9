package requirement

import (
	"strings"
	"sync"
)

// What was parsed is kept, because several rules ask about each image, and most projects have the same images and
// packages.
var (
	images     kept[Image]
	condaItems kept[Requirement]
	pipItems   kept[Requirement]
)

// maxKept is the maximum number of results of one kind that are kept, and longestKept the maximum length, in bytes, of
// their texts.
const maxKept, longestKept = 512, 128

// kept are results of a parser by what was parsed. Errors are not kept. It is safe for concurrent use.
type kept[T any] struct {
	mu    sync.RWMutex
	known map[string]T
}

// of returns the result of parse for a text.
func (k *kept[T]) of(text string, parse func(string) (T, error)) (T, error) {
	k.mu.RLock()
	result, known := k.known[text]
	full := len(k.known) >= maxKept || len(text) > longestKept
	k.mu.RUnlock()
	if known {
		return result, nil
	}
	if full {
		return parse(text)
	}
	text = strings.Clone(text) // it may be part of a file's
	result, err := parse(text)
	if err != nil {
		return result, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[string]T{}
	}
	k.known[text] = result
	return result, nil
}
