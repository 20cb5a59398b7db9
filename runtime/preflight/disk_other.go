//go:build !linux && !darwin

package preflight

// FreeSpace tells nothing on this system.
func FreeSpace(string) (free int64, ok bool) { return 0, false }
