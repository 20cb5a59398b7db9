package disk

import "golang.org/x/sys/unix"

// openNoLinks opens a folder, only to look at it, by an absolute path in which no element may be a link.
func openNoLinks(real string) (fd int, err error) {
	return unix.Open(real, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW_ANY, 0)
}
