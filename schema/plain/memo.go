package plain

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// Memo keeps results for texts that many files have in common: the first ones, as far as there is room. It is safe for
// concurrent use, without locks, which all projects would wait for. As a package variable it costs nothing at start.
type Memo[T any] struct {
	Longest int                                                // text that is kept, in bytes
	slots   atomic.Pointer[[memoSlots]atomic.Pointer[kept[T]]] // nil until there is a result
}

// memoSlots is how many results there are at most. A text has two places, depending on its hash.
const memoSlots = 1024

// kept is a result. It is never changed.
type kept[T any] struct {
	text   string
	result T
}

var memoSeed = Once[maphash.Seed]{Make: maphash.MakeSeed}

// Get returns the result for a text. room reports whether Put may keep one that is not known.
func (m *Memo[T]) Get(text string) (result T, known, room bool) {
	if len(text) > m.Longest {
		return result, false, false
	}
	slots := m.slots.Load()
	if slots == nil {
		return result, false, true
	}
	for _, i := range memoPlaces(text) {
		k := slots[i].Load()
		if k == nil {
			return result, false, true
		}
		if k.text == text {
			return k.result, true, false
		}
	}
	return result, false, false
}

// Put keeps the result for a text for which Get reported room. The text may be part of a larger one.
func (m *Memo[T]) Put(text string, result T) {
	if m.slots.Load() == nil {
		m.slots.CompareAndSwap(nil, new([memoSlots]atomic.Pointer[kept[T]]))
	}
	slots, k := m.slots.Load(), &kept[T]{strings.Clone(text), result}
	for _, i := range memoPlaces(text) {
		if slots[i].CompareAndSwap(nil, k) {
			return
		}
	}
}

// Of returns the result for a text: the kept one, or what result returns for it, which it keeps if there is room. It
// calls result with a copy, so that a text that is made for the call needs no memory of its own when it is known.
func (m *Memo[T]) Of(text string, result func(string) T) T {
	r, known, room := m.Get(text)
	if known {
		return r
	}
	if r = result(strings.Clone(text)); room {
		m.Put(text, r)
	}
	return r
}

func memoPlaces(text string) [2]uint64 {
	i := maphash.String(memoSeed.Get(), text) % memoSlots
	return [2]uint64{i, i ^ 1}
}
