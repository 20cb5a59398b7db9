package testkit

import (
	"os"
	"runtime/debug"
)

// Tests allocate much and keep little: a quarter of their processor time would go to the garbage collector. What the
// user asks for by GOGC goes first.
func init() { //nolint:gochecknoinits // every package with tests would have to call it
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
