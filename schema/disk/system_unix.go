//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/amlfix/amlfix/schema/plain"
)

const noBlock = unix.O_NONBLOCK // opening a pipe that appeared in between must not wait

// umask returns the process's mask of mode bits. Reading it means setting it, so that is done once.
func umask() fs.FileMode { return mask.Get() }

var mask = plain.Once[fs.FileMode]{Make: func() fs.FileMode {
	old := unix.Umask(0o077)
	unix.Umask(old)
	return fs.FileMode(old)
}}

func hardLinks(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink) //nolint:unconvert // its type differs by system
	}
	return 1
}

// Full reports whether an error is that a disk, or the user's share of it, is full.
func Full(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// OwnedByUser reports whether a file belongs to the user who runs the program, even if that is root.
func OwnedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(stat.Uid) == os.Geteuid()
}

// errOwner reports that a new file cannot be given to the owner of the old one.
var errOwner = errors.New("belongs to another user or group, which only root can give the repaired file to: let its owner repair it, or make it yours first (cp it, then mv the copy over it)")

// copyAttributes gives a new file the owner, the extended attributes and the mode of another. Only root can change a
// file's owner: others get errOwner.
func copyAttributes(to *os.File, info fs.FileInfo, extended []attribute) error {
	if err := copyOwner(to, info); err != nil {
		return err
	}
	for _, a := range extended {
		// Those of the system are kept if it allows that.
		if err := unix.Fsetxattr(int(to.Fd()), a.name, a.value, 0); err != nil && strings.HasPrefix(a.name, "user.") {
			return err
		}
	}
	const setID = fs.ModeSetuid | fs.ModeSetgid
	return to.Chmod(info.Mode() & (fs.ModePerm | setID | fs.ModeSticky)) // last, because changing the owner clears mode bits
}

// copyOwner does nothing if the owner is the same: some file systems refuse even that.
func copyOwner(to *os.File, info fs.FileInfo) error {
	made, err := to.Stat()
	if err != nil {
		return err
	}
	old, ok := info.Sys().(*syscall.Stat_t)
	now, ok2 := made.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || old.Uid == now.Uid && old.Gid == now.Gid {
		return nil
	}
	const everybody = 0o002 // may write to it: its owner matters little, and an editor would change it too
	if to.Chown(int(old.Uid), int(old.Gid)) != nil && (info.Mode()&everybody == 0 || info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0) {
		return errOwner
	}
	return nil
}

// attributes returns the extended attributes of a file. It is an error if one of the user's cannot be read.
func attributes(f *os.File) (list []attribute, err error) {
	size, err := unix.Flistxattr(int(f.Fd()), nil)
	if err != nil || size == 0 {
		return nil, nil //nolint:nilerr // the file system has none
	}
	names := make([]byte, size)
	if size, err = unix.Flistxattr(int(f.Fd()), names); err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(names[:size]), "\x00"), "\x00") {
		size, err := unix.Fgetxattr(int(f.Fd()), name, nil)
		if err != nil {
			continue
		}
		value := make([]byte, size)
		if size, err = unix.Fgetxattr(int(f.Fd()), name, value); err == nil {
			list = append(list, attribute{name, value[:size]})
		} else if strings.HasPrefix(name, "user.") {
			return nil, err
		}
	}
	return list, nil
}
