// Package pool works on many items at once and hands the results on in the
// order of the items, with only a bounded number of results waiting.
package pool

import (
	"context"
	"runtime"
)

// ahead is how many results per worker may wait for a slow one before them.
const ahead = 4

// Each calls work for every item, on as many goroutines as Go runs at once, and
// emit with every result, in the order of items and never two at a time. It
// ends early when ctx is cancelled or emit returns false: no further work is
// begun, and what has begun is waited for, and emitted if emit still wants it.
// It returns the cause of ctx, or nil.
func Each[T, R any](ctx context.Context, items []T, work func(T) R, emit func(R) bool) error {
	workers := min(runtime.GOMAXPROCS(0), len(items))
	if workers <= 1 {
		return OneByOne(ctx, items, work, emit)
	}
	return each(ctx, workers, items, work, emit)
}

// OneByOne is Each on the caller's goroutine alone: an item is begun when the
// result of the one before has been emitted.
func OneByOne[T, R any](ctx context.Context, items []T, work func(T) R, emit func(R) bool) error {
	for _, item := range items {
		if ctx.Err() != nil || !emit(work(item)) {
			break
		}
	}
	return context.Cause(ctx)
}

// job is an item on its way: the result goes to the place kept for it.
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
			// whoever waits for the result has it in the queue: it must be made
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
