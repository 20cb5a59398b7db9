package transaction

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gofrs/flock"
)

// patience is how long a second amlfix waits for the first.
const patience = 10 * time.Second

// acquire takes the lock, waiting for another holder. The system releases it
// when the process ends, however it ends. In a browser there are no other
// processes, and no locks.
func acquire(name string) (*flock.Flock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lock := flock.New(name)
	_, err := lock.TryLockContext(ctx, 50*time.Millisecond)
	switch {
	case err == nil, errors.Is(err, errors.ErrUnsupported):
		return lock, nil
	case ctx.Err() != nil:
		_ = lock.Close()
		return nil, errors.New("another amlfix is repairing this project: try again when it has finished")
	}
	_ = lock.Close()
	return nil, fmt.Errorf("the lock cannot be taken: %w", err)
}
