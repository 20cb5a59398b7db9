//go:build !unix

package record

import "io/fs"

// owned would report whether a file belongs to the user of this program; on this system owners are not looked at.
func owned(fs.FileInfo) bool { return true }
