//go:build !unix

package write

import "io/fs"

// keepOwner does nothing: there are no owners to keep.
func keepOwner(string, fs.FileInfo) {}

// syncFolder does nothing: folders cannot be synchronised.
func syncFolder(string) {}
