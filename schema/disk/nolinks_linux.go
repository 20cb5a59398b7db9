package disk

import "golang.org/x/sys/unix"

// openNoLinks opens a folder, only to look at it, by an absolute path in which no element may be a link.
func openNoLinks(real string) (fd int, err error) {
	return unix.Openat2(unix.AT_FDCWD, real, &unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
}
