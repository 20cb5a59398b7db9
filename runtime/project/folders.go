package project

import (
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/amlfix/amlfix/schema/disk"
)

// folders are the folders below a root to which files are written. The last one stays open, because most files follow
// others in the same folder.
type folders struct {
	top  *disk.Dir
	name string
	last *disk.Dir
}

// holding opens the folder that contains name, creating it and its parents if necessary. leaf is the last element of
// name. A link in the path is an error.
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

// place creates a file with this content, completely or not at all. It replaces a file or link of the same name. It
// does not wait for the disk, because what is copied back can be fetched again.
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

// fill creates a file, which must not exist.
func fill(dir *disk.Dir, name string, content io.Reader, mode fs.FileMode, mod time.Time) (int64, error) {
	f, err := dir.Create(name, mode)
	if err != nil {
		return 0, err
	}
	n, err := copyTo(f, content)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		_ = dir.SetTime(name, mod) // not every file system supports it
	}
	return n, err
}
