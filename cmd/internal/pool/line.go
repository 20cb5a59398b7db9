package pool

import (
	"context"
	"sync"
)

// line is what the workers of one call of Each share: which items are done, and the results that wait to be emitted.
type line struct {
	items int

	mu      sync.Mutex
	changed sync.Cond // a result is ready or was taken, or the line ended
	started int       // how many items, from the first, somebody took
	emitted int       // how many results, from the first, the caller took
	ended   bool      // no more items are started
	ready   []any     // results by their number modulo its length; nil for items in progress
}

// next returns the next item to work on, or, for the worker that emits, the next result. It waits until there is one of
// them, and returns -1 and nil when there will be none.
func (l *line) next(ctx context.Context, emits bool) (item int, result any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		l.ended = l.ended || ctx.Err() != nil
		head := &l.ready[l.emitted%len(l.ready)]
		left := !l.ended && l.started < l.items
		switch {
		case emits && *head != nil:
			result, *head = *head, nil
			l.emitted++
			l.changed.Broadcast()
			return -1, result
		case left && l.started < l.emitted+len(l.ready):
			l.started++
			return l.started - 1, nil
		case !left && (!emits || l.emitted == l.started):
			return -1, nil
		}
		l.changed.Wait()
	}
}

// put keeps the result of an item until it is emitted.
func (l *line) put(item int, result any) {
	l.mu.Lock()
	l.ready[item%len(l.ready)] = result
	l.mu.Unlock()
	l.changed.Broadcast()
}

// end starts no more items.
func (l *line) end() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.changed.Broadcast()
}
