package project

import (
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/amlfix/amlfix/schema/disk"
)

// folders are the folders below one that files are written to. The last one stays open: most files come after others of
// their folder.
type folders struct {
	top  *disk.Dir
	name string
	last *disk.Dir
}

// holding opens the folder that holds a name, and makes it and those above it when they are absent. leaf is what the name is
// called in it. A link in the way is an error.
func (f *folders) holding(name string) (dir *disk.Dir, leaf string, err error) {
	at := path.Dir(name)
	if f.last == nil || at != f.name {
		f.close()
		if f.last, err = f.top.MakeSub(at, 0o755); err != nil {
			f.last = nil
			return nil, "", err
		}
		f.name = at
	}
	return f.last, path.Base(name), nil
}

func (f *folders) close() {
	if f.last != nil {
		f.last.Close()
		f.last = nil
	}
}

// place gives a name a new file with this content: whole, or not at all. A file or link of that name is replaced. Nothing
// waits for the disk: what comes back can be fetched again.
func (f *folders) place(name string, content io.Reader, mode fs.FileMode, mod time.Time) (int64, error) {
	dir, leaf, err := f.holding(name)
	if err != nil {
		return 0, err
	}
	temp := disk.TempName()
	n, err := fill(dir, temp, content, mode, mod)
	if err == nil {
		err = dir.Rename(temp, leaf)
	}
	if err != nil {
		_ = dir.Remove(temp)
	}
	return n, err
}

// fill makes a file that must not be there.
func fill(dir *disk.Dir, name string, content io.Reader, mode fs.FileMode, mod time.Time) (int64, error) {
	f, err := dir.Create(name, mode)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, content)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		_ = dir.SetTime(name, mod) // not every file system keeps it
	}
	return n, err
}
