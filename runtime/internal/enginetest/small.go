//go:build linux

package enginetest

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// StartSmall returns an engine whose images and containers are on a separate file system of size bytes.
func StartSmall(t testing.TB, size int64) *Engine {
	t.Helper()
	return start(t, fmt.Sprint("small-", size), func(dir string) (options, error) {
		data := filepath.Join(dir, "data")
		if err := os.Mkdir(data, 0o755); err != nil {
			return options{}, err
		}
		if err := syscall.Mount("tmpfs", data, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
			return options{}, fmt.Errorf("no file system of its own can be mounted for an engine here: %w", err)
		}
		return options{}, nil
	})
}
