package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/amlfix/amlfix/schema/plain"
)

// ErrBusy reports that another process holds a lock.
var ErrBusy = errors.New("another amlfix process is working there")

// Lock is a lock that this process holds until Close or until the process ends, however it ends.
type Lock struct{ held *flock.Flock }

// Close releases the lock; the file that is locked stays.
func (l *Lock) Close() { _ = l.held.Close() }

const lockPause = 10 * time.Millisecond // between two tries

// Lock locks the file at name, which is created if it is missing, and waits up to the given time for another holder.
// The error is ErrBusy or says why the file cannot be created. In a browser there are no other processes, and no locks.
func (d *Dir) Lock(name string, wait time.Duration) (*Lock, error) {
	return d.LockContext(context.Background(), name, wait)
}

// LockContext is like Lock, and also ends with the cause of ctx.
func (d *Dir) LockContext(ctx context.Context, name string, wait time.Duration) (*Lock, error) {
	f, err := d.Edit(name, 0o600, false)
	if err != nil {
		return nil, err
	}
	_ = f.Close()
	// flock opens the path again: there it can only be opened, not created.
	held := flock.New(d.Name(name), flock.SetFlag(os.O_RDWR))
	for start := time.Now(); ; {
		ok, err := held.TryLock()
		switch {
		case ok, errors.Is(err, errors.ErrUnsupported):
			return &Lock{held}, nil
		case err == nil && ctx.Err() != nil:
			err = context.Cause(ctx)
		case err == nil && time.Since(start) < wait:
			select {
			case <-ctx.Done():
			case <-time.After(lockPause):
			}
			continue
		case err == nil:
			err = ErrBusy
		}
		_ = held.Close()
		return nil, plain.Cause(err)
	}
}

// Locked reports whether another process holds a lock. It creates nothing.
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

// Exists reports whether something is at name, even a dangling link.
func (d *Dir) Exists(name string) bool {
	_, err := d.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
