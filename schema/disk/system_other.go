//go:build !unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const noBlock = 0

func umask() fs.FileMode { return 0 }

func hardLinks(fs.FileInfo) uint64 { return 1 }

// Full reports whether an error is that a disk is full: ERROR_DISK_FULL of Windows.
func Full(err error) bool { return errors.Is(err, syscall.Errno(112)) }

// OwnedByUser is true on systems where files have no owner as on Unix.
func OwnedByUser(fs.FileInfo) bool { return true }

func attributes(*os.File) ([]attribute, error) { return nil, nil }

func copyAttributes(to *os.File, info fs.FileInfo, _ []attribute) error {
	return to.Chmod(info.Mode().Perm())
}
