// Package pool processes many items concurrently and passes the results on in the order of the items, with only a
// bounded number of results waiting.
package pool

import (
	"context"
	"runtime"
	"sync"
)

// ahead is how many results per worker may wait for a slow one before them.
const ahead = 4

// Each calls work for every item, on as many goroutines as Go runs in parallel, and emit with every result, in the
// order of items and never concurrently. It ends early if ctx is cancelled or emit returns false: it starts no more
// work, waits for the work in progress, and emits those results if emit still accepts them. It returns the cause of
// ctx, or nil.
func Each[T, R any](ctx context.Context, items []T, work func(T) R, emit func(R) bool) error {
	return each(ctx, min(runtime.GOMAXPROCS(0), len(items)), items, work, emit)
}

// OneByOne is like Each but uses only the caller's goroutine: it starts an item when the previous result has been
// emitted.
func OneByOne[T, R any](ctx context.Context, items []T, work func(T) R, emit func(R) bool) error {
	return each(ctx, 1, items, work, emit)
}

// each is Each for a number of workers.
func each[T, R any](ctx context.Context, workers int, items []T, work func(T) R, emit func(R) bool) error {
	l := &line{items: len(items), ready: make([]any, max(workers*ahead, 1))}
	l.run(ctx, workers, func(i int) any {
		result := work(items[i])
		return &result
	}, func(result any) bool { return emit(*result.(*R)) }) //nolint:forcetypeassert // work returns nothing else
	return context.Cause(ctx)
}

// run is Each for items by their numbers, and is compiled once. The caller is one of the workers, and emits between two
// items: handing each item to one goroutine and its result to another costs more than many items themselves.
func (l *line) run(ctx context.Context, workers int, work func(int) any, emit func(any) bool) {
	l.changed.L = &l.mu
	var others sync.WaitGroup
	for range workers - 1 {
		others.Go(func() {
			for i, _ := l.next(ctx, false); i >= 0; i, _ = l.next(ctx, false) {
				l.put(i, work(i))
			}
		})
	}
	emitting := true
	for i, result := l.next(ctx, true); i >= 0 || result != nil; i, result = l.next(ctx, true) {
		if result == nil {
			l.put(i, work(i))
		} else if emitting = emitting && emit(result); !emitting {
			l.end()
		}
	}
	others.Wait()
}
