//go:build unix

package transaction

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a second amlfix waits for the first.
const patience = 10 * time.Second

// acquire takes the lock, waiting for another holder. The system releases it
// when the process ends, however it ends.
func acquire(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) {
			_ = f.Close()
			return nil, fmt.Errorf("the lock cannot be taken: %w", err)
		}
		if time.Since(start) > patience {
			_ = f.Close()
			return nil, errors.New("another amlfix is repairing this project: try again when it has finished")
		}
	}
}
