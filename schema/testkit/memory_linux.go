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
	dir := filepath.Join(memory, fmt.Sprintf("amlfix-test-%d", os.Getuid()))
	if err := os.Mkdir(dir, 0o755); err == nil || os.IsExist(err) {
		_ = os.Setenv(tempName, dir) // without it, tests only take longer
		inMemory = true
	}
}

// inMemory means that TMPDIR was set here.
var inMemory bool

// OnDisk puts a package's temporary folders where they would be without testkit: a folder below /dev cannot be shared
// with containers, and Wine hides it.
func OnDisk() {
	if inMemory {
		_ = os.Unsetenv(tempName) // it was set
		inMemory = false          // what the package sets afterwards stays
	}
}
