package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const (
	memory   = "/dev/shm"
	noExec   = 8       // ST_NOEXEC of statfs(2): programs in it cannot be started
	roomy    = 4 << 30 // bytes; the /dev/shm of a container often has 64 MB
	tempName = "TMPDIR"
)

// Tests that write thousands of files wait for the disk most of their time, so their temporary folders are on a file
// system in memory, where there is one that has room and starts programs. What the user asks for by TMPDIR goes first.
func init() { //nolint:gochecknoinits // every package with tests would have to call it
	var fs syscall.Statfs_t
	if os.Getenv(tempName) != "" || syscall.Statfs(memory, &fs) != nil || fs.Flags&noExec != 0 || int64(fs.Bavail) < roomy/int64(fs.Bsize) { //nolint:gosec,unconvert // a number of blocks
		return
	}
	hasRoom = true
	dir := filepath.Join(memory, fmt.Sprintf("amlfix-test-%d", os.Getuid()))
	if err := os.Mkdir(dir, 0o755); err == nil || os.IsExist(err) {
		_ = os.Setenv(tempName, dir) // without it, tests only take longer
		inMemory = true
	}
}

// hasRoom means that temporary folders may be in memory, and inMemory that TMPDIR names one in /dev.
var hasRoom, inMemory bool

// OnDisk puts a package's temporary folders where they would be without testkit: Wine hides /dev.
func OnDisk() {
	if inMemory {
		_ = os.Unsetenv(tempName) // it was set
		inMemory = false          // what the package sets afterwards stays
	}
}

// Shared calls run, the tests of a package, with temporary folders that containers can share, unlike those below /dev:
// in a file system in memory of the package's own if the tests may mount one, else on the disk. It is unmounted and
// removed in the end, unless the tests are killed.
func Shared(run func() int) int {
	OnDisk()
	if !hasRoom || os.Getenv(tempName) != "" || os.Getuid() != 0 {
		return run()
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("amlfix-%d", os.Getpid())) // short: sockets are below it
	if err := os.Mkdir(dir, 0o700); err != nil {
		return run()
	}
	defer func() { _ = os.Remove(dir) }()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=1777"); err != nil {
		return run()
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }() // even if something still uses it
	_ = os.Setenv(tempName, dir)                                    // without it, tests only take longer
	return run()
}
