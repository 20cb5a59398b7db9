package record

import (
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// acquire takes a lock. Whoever only looks whether it is taken holds it for a moment, so it is tried more than once. The
// system releases it when the process ends, however it ends.
func acquire(name string) (*flock.Flock, error) {
	lock := flock.New(name)
	for range 10 {
		ok, err := lock.TryLock()
		if ok {
			return lock, nil
		}
		if err != nil {
			_ = lock.Close()
			return nil, fmt.Errorf("%s: the lock cannot be taken: %w", name, plain(err))
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = lock.Close()
	return nil, ErrBusy
}

// locked reports whether a program holds the lock.
func locked(name string) bool {
	if _, err := os.Lstat(name); err != nil {
		return false
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDONLY))
	ok, err := lock.TryRLock()
	_ = lock.Close()
	return !ok && err == nil
}
