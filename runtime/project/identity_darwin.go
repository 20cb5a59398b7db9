package project

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// identity distinguishes a file with its content from every other, unless the clock is set back: the time of the last
// change cannot be set.
func identity(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d.%d.%d", s.Dev, s.Ino, s.Size, s.Mtimespec.Nano(), s.Ctimespec.Nano())
}

// changed returns when a file was last changed in any way.
func changed(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(0, max(s.Mtimespec.Nano(), s.Ctimespec.Nano()))
	}
	return info.ModTime()
}
