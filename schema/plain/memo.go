package plain

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// Memo keeps results for texts that many files have in common: the first ones, as far as there is room. It is safe for
// concurrent use, without locks, which all projects would wait for. As a package variable it costs nothing at start.
type Memo[T any] struct {
	Longest int // text that is kept, in bytes
	memo
}

// memo is a Memo of results of any type, and is compiled once.
type memo struct {
	slots atomic.Pointer[[memoSlots]atomic.Pointer[kept]] // nil until there is a result
}

// memoSlots is how many results there are at most. A text has two places, depending on its hash.
const memoSlots = 1024

// kept is a text and the keptResult that it is part of, and never changed.
type kept struct {
	text string
	in   any
}

type keptResult[T any] struct {
	kept
	result T
}

var memoSeed = Once[maphash.Seed]{Make: maphash.MakeSeed}

// Get returns the result for a text. room reports whether Put may keep one that is not known.
func (m *Memo[T]) Get(text string) (result T, known, room bool) {
	if len(text) > m.Longest {
		return result, false, false
	}
	k, room := m.find(text)
	if k != nil {
		result = k.in.(*keptResult[T]).result //nolint:forcetypeassert // Put keeps nothing else
	}
	return result, k != nil, room
}

// find returns what is kept for a text, or reports whether there is room for it.
func (m *memo) find(text string) (k *kept, room bool) {
	slots := m.slots.Load()
	if slots == nil {
		return nil, true
	}
	i := memoPlace(text)
	if k = slots[i].Load(); k != nil && k.text != text {
		if k = slots[i^1].Load(); k != nil && k.text != text {
			return nil, false
		}
	}
	return k, k == nil
}

// Put keeps the result for a text for which Get reported room. The text may be part of a larger one.
func (m *Memo[T]) Put(text string, result T) {
	k := &keptResult[T]{kept{text: strings.Clone(text)}, result}
	k.in = k // in one piece of memory, since many results are kept
	m.put(&k.kept)
}

func (m *memo) put(k *kept) {
	if m.slots.Load() == nil {
		m.slots.CompareAndSwap(nil, new([memoSlots]atomic.Pointer[kept]))
	}
	slots := m.slots.Load()
	if i := memoPlace(k.text); !slots[i].CompareAndSwap(nil, k) {
		slots[i^1].CompareAndSwap(nil, k)
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

// memoPlace returns the first of the places of a text; the other one is its neighbour.
func memoPlace(text string) uint64 { return maphash.String(memoSeed.Get(), text) % memoSlots }
