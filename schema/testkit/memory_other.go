//go:build !linux

package testkit

// OnDisk does nothing here.
func OnDisk() {}

// Shared calls run.
func Shared(run func() int) int { return run() }
