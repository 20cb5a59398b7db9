//go:build !linux

package testkit

// InMemory does nothing here.
func InMemory() (remove func()) { return func() {} }
