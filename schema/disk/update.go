package disk

import (
	"bytes"
	"errors"
	"os"
	"path"

	"github.com/amlfix/amlfix/schema/plain"
)

const updateLimit = 64 << 20 // bytes; files that amlfix edits are far smaller

// Update gives one file new content if it still holds old, which was read from it (nil: no file). Otherwise the error
// is ErrChanged. After any error, the file is as it was.
func (d *Dir) Update(name string, old, text []byte) error {
	d.sweep(name)
	s := Slot{Dir: d, Name: name, Temp: path.Join(path.Dir(name), freshName()), Mode: 0o666}
	now, err := s.Look(updateLimit)
	if err != nil {
		return err
	}
	if (now == nil) != (old == nil) || !bytes.Equal(now, old) {
		return ErrChanged
	}
	if err := s.Stage(text); err != nil {
		return err
	}
	if err := s.Place(old, text); err != nil {
		return errors.Join(err, s.Drop())
	}
	if err := s.Keeps(old); err != nil {
		return errors.Join(err, s.Dir.Rename(s.Temp, s.Name)) // whatever the file holds
	}
	s.Sync()
	return s.Drop()
}

// ReadInside returns the content of the regular file that name leads to: links are followed as long as they stay below
// the folder.
func (d *Dir) ReadInside(name string, limit int64) ([]byte, error) {
	clean, err := local(name)
	if err != nil {
		return nil, err
	}
	info, err := d.root.Stat(clean) // examined before it is opened: a pipe would wait for a writer
	if err != nil {
		return nil, plain.Cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, &OtherError{clean, "is not a regular file"}
	}
	f, err := d.root.OpenFile(clean, os.O_RDONLY|noBlock, 0)
	if err != nil {
		return nil, plain.Cause(err)
	}
	defer f.Close() //nolint:errcheck // only read from
	return readAll(f, info.Size(), limit)
}
