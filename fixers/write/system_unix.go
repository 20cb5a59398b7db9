//go:build unix

package write

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

// syncFolder makes a rename durable where the file system allows it; when it
// does not, the file is whole all the same.
func syncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
