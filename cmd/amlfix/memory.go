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
	const (
		percent = 400
		limit   = 32 << 20 // bytes; beyond it the collector works harder
		small   = 8 << 20  // live bytes; beyond them, the limit would keep the collector constantly busy
		large   = 40 << 20 // live bytes; beyond them, garbage must not take up as much again
	)
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
	// A finalizer runs once, after a collection that finds its object unused.
	var look func(*[16]byte)
	look = func(*[16]byte) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		switch alive := live[0].Value.Uint64(); {
		case alive > large:
			debug.SetMemoryLimit(math.MaxInt64)
			debug.SetGCPercent(45)
			return
		case alive > small:
			debug.SetMemoryLimit(math.MaxInt64)
			debug.SetGCPercent(150)
		}
		runtime.SetFinalizer(new([16]byte), look)
	}
	runtime.SetFinalizer(new([16]byte), look)
}
