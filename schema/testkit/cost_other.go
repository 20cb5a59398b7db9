//go:build !linux

package testkit

import "time"

// Cost returns the time that f takes.
func Cost(f func()) time.Duration {
	begin := time.Now()
	f()
	return time.Since(begin)
}
