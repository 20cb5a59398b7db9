package record

import (
	"errors"
	"os"
	"time"
)

// acquire takes a lock. Whoever only looks whether it is taken holds it for a moment, so it is tried more than once.
func acquire(name string) (f *os.File, err error) {
	for range 10 {
		if f, err = take(name); !errors.Is(err, ErrBusy) {
			return f, err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil, err
}
