package plain

import (
	"strings"
	"sync"
)

// Memo keeps results for texts that many files have in common. It is safe for concurrent use. As a package variable it
// costs nothing at start.
type Memo[T any] struct {
	Most    int // results are kept; concurrent callers may exceed it by their number
	Longest int // text that is kept, in bytes
	mu      sync.RWMutex
	known   map[string]T
}

// Get returns the result for a text. room reports whether Put may keep one that is not known.
func (m *Memo[T]) Get(text string) (result T, known, room bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	result, known = m.known[text]
	return result, known, len(m.known) < m.Most && len(text) <= m.Longest
}

// Put keeps the result for a text for which Get reported room. The text may be part of a larger one.
func (m *Memo[T]) Put(text string, result T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[string]T{}
	}
	m.known[strings.Clone(text)] = result
}
