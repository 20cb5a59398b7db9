package main

import (
	"os"
	"runtime/debug"
)

// tuneMemory lets garbage wait longer while the heap is small: a run allocates
// much and keeps little. Measured in docs/performance.md. What the user asks for
// by GOGC or GOMEMLIMIT goes first.
func tuneMemory() {
	const (
		percent = 400
		limit   = 32 << 20 // bytes; beyond it the collector works harder
	)
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}
