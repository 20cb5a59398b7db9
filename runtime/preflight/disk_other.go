//go:build !linux && !darwin

package preflight

// FreeSpace returns false: the free space is not known on this system.
func FreeSpace(string) (free int64, ok bool) { return 0, false }

// Writable returns true: the permission is not known on this system.
func Writable(string) bool { return true }
