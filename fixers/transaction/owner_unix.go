//go:build unix

package transaction

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of another. Only root can give files away;
// for others the file becomes theirs, as with any editor.
func keepOwner(name string, info fs.FileInfo) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = os.Lchown(name, int(stat.Uid), int(stat.Gid))
	}
}
