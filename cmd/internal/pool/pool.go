// Package pool processes many items concurrently and passes the results on in the order of the items, with only a
// bounded number of results waiting.
package pool

import (
	"context"
	"runtime"
)

// ahead is how many results per worker may wait for a slow one before them.
const ahead = 4

// Each calls work for every item, on as many goroutines as Go runs in parallel, and emit with every result, in the
// order of items and never concurrently. It ends early if ctx is cancelled or emit returns false: it starts no more
// work, waits for the work in progress, and emits those results if emit still accepts them. It returns the cause of
// ctx, or nil.
func Each[T, R any](ctx context.Context, items []T, work func(T) R, emit func(R) bool) error {
	workers := min(runtime.GOMAXPROCS(0), len(items))
	if workers <= 1 {
		return OneByOne(ctx, items, work, emit)
	}
	return each(ctx, workers, items, work, emit)
}

// OneByOne is like Each but uses only the caller's goroutine: it starts an item when the previous result has been
// emitted.
func OneByOne[T, R any](ctx context.Context, items []T, work func(T) R, emit func(R) bool) error {
	for _, item := range items {
		if ctx.Err() != nil || !emit(work(item)) {
			break
		}
	}
	return context.Cause(ctx)
}

// job is an item in progress: its result goes to the slot reserved for it.
type job[T, R any] struct {
	item   T
	result chan R
}

func each[T, R any](ctx context.Context, workers int, items []T, work func(T) R, emit func(R) bool) error {
	jobs := make(chan job[T, R])
	queue := make(chan chan R, workers*ahead)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(queue)
		defer close(jobs)
		for _, item := range items {
			j := job[T, R]{item, make(chan R, 1)}
			select {
			case <-stop:
				return
			case <-ctx.Done():
				return
			case queue <- j.result:
			}
			// whoever waits for the result has it in the queue, so it must be made
			jobs <- j
		}
	}()
	for range workers {
		go func() {
			for j := range jobs {
				j.result <- work(j.item)
			}
			done <- struct{}{}
		}()
	}
	emitting := true
	for result := range queue {
		r := <-result
		if emitting && !emit(r) {
			emitting = false
			close(stop)
		}
	}
	for range workers {
		<-done
	}
	return context.Cause(ctx)
}
