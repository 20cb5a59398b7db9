package start

import (
	"os"
	"runtime"
	"runtime/debug"
)

// TuneMemory delays garbage collection while the heap is small: a run allocates much and keeps little. See
// docs/performance.md for measurements. GOGC and GOMEMLIMIT take precedence.
func TuneMemory() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := collection(0)
	debug.SetGCPercent(percent)
	var look func()
	look = func() {
		var m runtime.MemStats // runtime/metrics would cost every start 2 % of its time
		runtime.ReadMemStats(&m)
		alive := m.NextGC * 100 / uint64(100+percent)   //nolint:gosec // between 145 and 500
		if next := collection(alive); next != percent { // a change stops all goroutines
			percent = next
			debug.SetGCPercent(percent)
		}
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

// Bytes: a heap may always grow to size; where more than large is alive, garbage must not take up as much again.
const (
	size  = 24 << 20
	large = 40 << 20
)

// collection returns how much garbage there may be, in percent of the bytes that are alive after a collection.
func collection(alive uint64) (percent int) {
	switch {
	case alive > large:
		return 45
	case alive > size/5:
		return max(150, int(size*100/alive)-100)
	}
	return 400
}
