//go:build !linux

package testkit

// OnDisk does nothing here.
func OnDisk() {}
