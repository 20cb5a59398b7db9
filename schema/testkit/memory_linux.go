package testkit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
// removed in the end; what killed tests leave is removed by the next call.
func Shared(run func() int) int {
	OnDisk()
	if !hasRoom || os.Getenv(tempName) != "" || os.Getuid() != 0 {
		return run()
	}
	removeLeft()
	dir := sharedPrefix + strconv.Itoa(os.Getpid())
	if err := os.Mkdir(dir, 0o700); err != nil {
		return run()
	}
	defer removeShared(dir)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=1777"); err != nil {
		return run()
	}
	_ = os.Setenv(tempName, dir) // without it, tests only take longer
	defer func() { _ = os.Unsetenv(tempName) }()
	return run()
}

// sharedPrefix is followed by the number of the process. It is short because paths of sockets are.
var sharedPrefix = filepath.Join(os.TempDir(), "amlfix-")

// removeLeft removes the folders of processes that are gone.
func removeLeft() {
	names, _ := filepath.Glob(sharedPrefix + "[0-9]*")
	for _, dir := range names {
		if pid, err := strconv.Atoi(strings.TrimPrefix(dir, sharedPrefix)); err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			removeShared(dir)
		}
	}
}

func removeShared(dir string) {
	_ = syscall.Unmount(dir, syscall.MNT_DETACH) // even if something still uses it; fails if it is on the disk
	_ = os.Remove(dir)                           // if it is not empty, nothing was mounted there
}
