//go:build !unix && !windows

package transaction

import "os"

// acquire opens the lock file. There are no other processes in a browser.
func acquire(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
}
