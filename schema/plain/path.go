package plain

import (
	"path/filepath"
	"strings"
)

// Rel returns a path relative to a folder, with slashes, or the path itself if there is no such path. Either may be
// relative to the working directory.
func Rel(folder, path string) string {
	if filepath.IsAbs(path) != filepath.IsAbs(folder) {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		if abs, err := filepath.Abs(folder); err == nil {
			folder = abs
		}
	}
	if r, err := filepath.Rel(folder, path); err == nil {
		path = r
	}
	return filepath.ToSlash(path)
}

// IsClean reports whether a path with the given separator, which is not empty and does not begin with a period, is
// certainly clean. It is false for some clean ones, in which a later name begins with a period.
func IsClean(path string, separator byte) bool {
	for {
		i := strings.IndexByte(path, separator)
		if i < 0 {
			return true
		}
		if path = path[i+1:]; path == "" || path[0] == separator || path[0] == '.' {
			return false
		}
	}
}
