package ui

import (
	"io"

	"golang.org/x/sys/windows"
)

// enableColour makes the console interpret escape sequences. It returns false if the console does not support them, as
// before Windows 10.
func enableColour(w io.Writer) bool {
	f := fileOf(w)
	if f == nil {
		return false
	}
	var mode uint32
	handle := windows.Handle(f.Fd())
	if windows.GetConsoleMode(handle, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
