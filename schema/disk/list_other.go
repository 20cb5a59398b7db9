//go:build !linux

package disk

// List returns what is in a folder, sorted by name. Errors are *os.PathError; what was read before one is returned too.
func List(dir string) ([]Entry, error) { return listAny(dir) }
