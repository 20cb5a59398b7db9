package project

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// identity tells a file with its content from every other, as long as nobody turns the clock back: the time of its last
// change cannot be set.
func identity(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d.%d.%d", s.Dev, s.Ino, s.Size, s.Mtim.Nano(), s.Ctim.Nano())
}

// changed is when a file was changed last, in whatever way.
func changed(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(0, max(s.Mtim.Nano(), s.Ctim.Nano()))
	}
	return info.ModTime()
}
