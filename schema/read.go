package schema

import (
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/source"
)

// readFile reads a regular file, up to just beyond the size that is refused, so that no file can exhaust memory and no
// device or pipe can block the program.
func readFile(name string) ([]byte, error) {
	text, _, err := disk.ReadUpTo(name, source.MaxSize+1)
	return text, err
}

// readOf reads a file of a project that was found.
func readOf(root Root, name string) ([]byte, error) {
	if !root.Listed {
		return readFile(name)
	}
	text, _, err := disk.ReadListed(name, source.MaxSize+1)
	return text, err
}
