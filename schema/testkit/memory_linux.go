package testkit

import (
	"os"
	"syscall"
)

const (
	memory   = "/dev/shm"
	noExec   = 8       // ST_NOEXEC of statfs(2): programs in it cannot be started
	roomy    = 4 << 30 // bytes; the /dev/shm of a container often has 64 MB
	tempName = "TMPDIR"
)

// InMemory puts the temporary folders of a package's tests on a file system in
// memory, where there is one that has room and starts programs; remove removes them.
// Tests that write thousands of files otherwise wait for the disk most of their time.
func InMemory() (remove func()) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(memory, &fs); err != nil || fs.Flags&noExec != 0 || fs.Bavail*uint64(fs.Bsize) < roomy {
		return func() {}
	}
	dir, err := os.MkdirTemp(memory, "amlfix-test-")
	if err != nil || os.Setenv(tempName, dir) != nil {
		return func() {}
	}
	return func() { _ = os.RemoveAll(dir) }
}
