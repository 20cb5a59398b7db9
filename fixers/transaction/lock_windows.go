package transaction

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
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
		err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
		if err == nil {
			return f, nil
		}
		if time.Since(start) > patience {
			_ = f.Close()
			return nil, errors.New("another amlfix is repairing this project: try again when it has finished")
		}
	}
}
