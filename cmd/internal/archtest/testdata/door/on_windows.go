package door

import "golang.org/x/sys/windows"

func onWindows(name *uint16) {
	_ = windows.DeleteFile(name)       // forbidden
	_ = windows.MoveFileEx             // forbidden
	_ = windows.NewLazyDLL("kernel32") // forbidden
	var h windows.Handle
	_ = windows.SetConsoleMode(h, 0)
}
