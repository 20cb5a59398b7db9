package disk

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/amlfix/amlfix/schema/plain"
)

// ErrBusy tells that another process holds a lock.
var ErrBusy = errors.New("another amlfix is at work there")

// Lock is held by this process until Close, or until the process ends, however it
// ends.
type Lock struct{ held *flock.Flock }

// Close releases the lock; the file that is locked stays.
func (l *Lock) Close() { _ = l.held.Close() }

const lockPause = 10 * time.Millisecond // between two tries

// Lock takes the lock of the file at name, which is made when it is absent, and
// waits up to the given time for another holder. The error is ErrBusy or why the
// file cannot be made. In a browser there are no other processes, and no locks.
func (d *Dir) Lock(name string, wait time.Duration) (*Lock, error) {
	f, err := d.Edit(name, 0o600, false)
	if err != nil {
		return nil, err
	}
	_ = f.Close()
	// The path is opened once more by flock: it can only be opened, not made.
	held := flock.New(d.Name(name), flock.SetFlag(os.O_RDWR))
	for start := time.Now(); ; time.Sleep(lockPause) {
		ok, err := held.TryLock()
		switch {
		case ok, errors.Is(err, errors.ErrUnsupported):
			return &Lock{held}, nil
		case err == nil && time.Since(start) < wait:
			continue
		case err == nil:
			err = ErrBusy
		}
		_ = held.Close()
		return nil, plain.Cause(err)
	}
}

// Locked reports whether another process holds a lock. It makes nothing.
func (d *Dir) Locked(name string) bool {
	f, err := d.OpenRead(name)
	if err != nil {
		return false
	}
	_ = f.Close()
	held := flock.New(d.Name(name), flock.SetFlag(os.O_RDONLY))
	ok, err := held.TryRLock()
	_ = held.Close()
	return !ok && err == nil
}

// Exists reports whether something, if only a dangling link, is at name.
func (d *Dir) Exists(name string) bool {
	_, err := d.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
