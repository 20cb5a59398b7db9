package disk

import (
	"io/fs"
	"os"
)

// Entry is what the listing of a folder says about something in it.
type Entry struct {
	Name string
	Type fs.FileMode // only the bits of fs.ModeType
}

// IsDir reports whether it is a folder, and not a link to one.
func (e Entry) IsDir() bool { return e.Type.IsDir() }

// listAny is List for any system.
func listAny(dir string) ([]Entry, error) {
	entries, err := os.ReadDir(dir)
	list := make([]Entry, len(entries))
	for i, e := range entries {
		list[i] = Entry{e.Name(), e.Type()}
	}
	return list, err
}
