//go:build unix

package record

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// take takes a lock without waiting. The system releases it when the process ends, however it ends.
func take(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, ErrBusy
	}
	return nil, fmt.Errorf("%s: the lock cannot be taken: %w", name, err)
}

// locked reports whether a program holds the lock.
func locked(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}
