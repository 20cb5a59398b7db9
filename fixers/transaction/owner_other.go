//go:build !unix

package transaction

import "io/fs"

// keepOwner does nothing where files have no owner in the sense of Unix.
func keepOwner(string, fs.FileInfo) {}
