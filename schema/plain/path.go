package plain

import "path/filepath"

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
