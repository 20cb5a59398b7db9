//go:build !linux && !darwin

package disk

import "io/fs"

// lookNoLinks describes the folder that an absolute path leads to, if no element of the path is a link.
func lookNoLinks(real string) (fs.FileInfo, error) { return lookAtEach(real) }
