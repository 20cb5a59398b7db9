package pool

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func TestEachKeepsOrder(t *testing.T) { synctest.Test(t, eachKeepsOrder) }

func eachKeepsOrder(t *testing.T) {
	for _, workers := range []int{2, 3, 16} {
		items := numbers(500)
		var got []int
		err := each(t.Context(), workers, items, func(i int) int {
			if rand.IntN(20) == 0 {
				time.Sleep(time.Millisecond)
			}
			return i
		}, func(i int) bool { got = append(got, i); return true })
		if d := cmp.Diff(items, got); d != "" || err != nil {
			t.Errorf("%d workers: %v\n%s", workers, err, d)
		}
	}
}

// The sleeps use the fake clock of testing/synctest: other goroutines work meanwhile, and no real time passes.
func TestEachKeepsFewResults(t *testing.T) { synctest.Test(t, eachKeepsFewResults) }

func eachKeepsFewResults(t *testing.T) {
	const workers = 4
	var begun, emitted atomic.Int64
	var most atomic.Int64
	err := each(t.Context(), workers, numbers(300), func(i int) int {
		if i == 0 {
			time.Sleep(50 * time.Millisecond) // all others wait for this one
		}
		kept := begun.Add(1) - emitted.Load()
		for old := most.Load(); kept > old && !most.CompareAndSwap(old, kept); old = most.Load() {
		}
		return i
	}, func(int) bool { emitted.Add(1); return true })
	if limit := int64(workers*ahead + workers + 2); most.Load() > limit || err != nil {
		t.Errorf("%d results were kept, want at most %d; %v", most.Load(), limit, err)
	}
}

func TestEachStops(t *testing.T) {
	cause := errors.New("enough")
	for name, run := range map[string]func(context.Context, []int, func(int) int, func(int) bool) error{
		"one at a time": func(ctx context.Context, items []int, work func(int) int, emit func(int) bool) error {
			return Each(ctx, items[:1], work, emit)
		},
		"many": func(ctx context.Context, items []int, work func(int) int, emit func(int) bool) error {
			return each(ctx, 4, items, work, emit)
		},
	} {
		t.Run(name+", cancelled", func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			err := run(ctx, numbers(100), func(i int) int { cancel(cause); return i }, func(int) bool { return true })
			if !errors.Is(err, cause) {
				t.Errorf("Each = %v, want %v", err, cause)
			}
		})
		t.Run(name+", no reader", func(t *testing.T) {
			emitted := 0
			err := run(t.Context(), numbers(100), func(i int) int { return i }, func(int) bool { emitted++; return false })
			if emitted != 1 || err != nil {
				t.Errorf("emit was called %d times, want once; %v", emitted, err)
			}
		})
	}
	if err := Each(t.Context(), nil, func(i int) int { return i }, func(int) bool { return true }); err != nil {
		t.Error(err)
	}
}
