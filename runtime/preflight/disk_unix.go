//go:build linux || darwin

package preflight

import "golang.org/x/sys/unix"

// FreeSpace returns how many bytes this user may still write to the file system of a folder. ok is false if that is not
// known, for example because the folder does not exist.
func FreeSpace(dir string) (free int64, ok bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil || s.Blocks == 0 { // some network and FUSE file systems report nothing
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true //nolint:unconvert,gosec // the types differ between systems
}

// Writable reports whether this user may create files in a folder.
func Writable(dir string) bool { return unix.Access(dir, unix.W_OK|unix.X_OK) == nil }
