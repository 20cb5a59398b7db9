package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// tuneMemory delays garbage collection while the heap is small: a run allocates much and keeps little. See
// docs/performance.md for measurements. GOGC and GOMEMLIMIT take precedence.
func tuneMemory() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	now := 0
	set := func(alive uint64) {
		percent, limit := collection(alive)
		if percent != now { // a change stops all goroutines
			debug.SetGCPercent(percent)
			debug.SetMemoryLimit(limit)
		}
		now = percent
	}
	set(0)
	var look func()
	look = func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		alive := live[0].Value.Uint64()
		set(alive)
		if alive <= large {
			afterCollection(look)
		}
	}
	afterCollection(look)
}

// afterCollection calls do once, after the next garbage collection: a finalizer runs when its object is found unused.
func afterCollection(do func()) {
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) { do() })
}

// Bytes that are alive after a collection. Beyond small, the limit would keep the collector constantly busy; beyond
// large, garbage must not take up as much again.
const (
	small = 8 << 20
	large = 40 << 20
)

// collection returns how much garbage there may be, in percent of what is alive, and the memory beyond which the
// collector works harder. A heap that was larger for a while is again treated as a small one.
func collection(alive uint64) (percent int, limit int64) {
	switch {
	case alive > large:
		return 45, math.MaxInt64
	case alive > small:
		return 150, math.MaxInt64
	}
	return 400, 32 << 20
}
