package schema

import (
	"path/filepath"
	"strings"
)

// Start returns the folder from which Discover finds the same project of a v2 file as from a folder above it, and finds
// it sooner: the root of the disk, the home folder and shared folders hold many projects, and these need not be
// searched. It returns "" if that is the folder of the file alone.
func Start(dir, file string) string {
	d := &discovery{}
	for isRoot(dir) || d.everybodys(dir) {
		name, _, more := strings.Cut(relative(dir, file), "/")
		if !more {
			return ""
		}
		dir = filepath.Join(dir, name)
	}
	return dir
}
