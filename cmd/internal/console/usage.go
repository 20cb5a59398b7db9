package console

import (
	"errors"
	"fmt"
	"path/filepath"
)

// UsageError reports an invalid command line.
type UsageError struct{ command, message string }

func (e *UsageError) Error() string { return e.message }

// help returns the command that shows the correct usage.
func (e *UsageError) help() string {
	if e.command == "" || e.command == "check" {
		return "amlfix --help"
	}
	return "amlfix " + e.command + " --help"
}

// Usage returns a *UsageError about a command's arguments; the command "" is amlfix itself.
//
//go:noinline
func Usage(command, format string, args ...any) error {
	return &UsageError{command: command, message: fmt.Sprintf(format, args...)}
}

// Ready returns an error if there is no working directory; dir is its absolute path, if there is one.
func Ready(dir string) error {
	if !filepath.IsAbs(dir) {
		return errors.New("the working directory no longer exists, or cannot be read: change to another folder")
	}
	return nil
}
