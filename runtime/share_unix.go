//go:build unix

package runtime

import "golang.org/x/sys/unix"

// writable reports whether this user may write to a folder.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }
