//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

const noBlock = 0

func umask() fs.FileMode { return 0 }

func hardLinks(fs.FileInfo) uint64 { return 1 }

// OwnedByUser is true on systems where files have no owner as on Unix.
func OwnedByUser(fs.FileInfo) bool { return true }

func attributes(*os.File) ([]attribute, error) { return nil, nil }

func copyAttributes(to *os.File, info fs.FileInfo, _ []attribute) error {
	return to.Chmod(info.Mode().Perm())
}
