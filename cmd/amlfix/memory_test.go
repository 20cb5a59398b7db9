package main

import (
	"math"
	"testing"
)

// The limit applies while little is alive, also after there was more.
func TestCollection(t *testing.T) {
	for _, c := range []struct {
		alive   uint64
		percent int
		limited bool
	}{{0, 400, true}, {small, 400, true}, {small + 1, 150, false}, {large, 150, false}, {large + 1, 45, false}} {
		if percent, limit := collection(c.alive); percent != c.percent || limit < math.MaxInt64 != c.limited {
			t.Errorf("%d bytes alive: %d %%, %d bytes", c.alive, percent, limit)
		}
	}
}
