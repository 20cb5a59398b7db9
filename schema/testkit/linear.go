package testkit

import (
	"math"
	"testing"
	"time"
)

// Linear fails the test if four times the input costs much more than four times the processor time, as the square
// would, which costs sixteen times. of makes the input of a size and returns what reads it. It fails only if the least
// costs of five tries are so far apart: other work on the machine makes a try dearer. The small input is read before
// and after the large one, so that one dear try does not hide the square.
func Linear(t testing.TB, about string, size int, of func(size int) func()) {
	t.Helper()
	const (
		most  = 10
		noise = time.Millisecond // a smaller cost counts as this much
	)
	small, large := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range 5 {
		small, large = min(small, Cost(of(size))), min(large, Cost(of(4*size)))
		small = min(small, Cost(of(size)))
		if large <= most*max(small, noise) {
			return
		}
	}
	t.Errorf("%s: four times the input costs %v, not %v", about, large, small)
}
