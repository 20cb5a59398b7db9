package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/plain"
)

// ErrChanged reports that a file is not the one, or no longer holds what, it was prepared for.
var ErrChanged = errors.New("changed on disk")

// errNoExchange reports that the system, or the file system, cannot swap two files.
var errNoExchange = errors.New("files cannot be swapped on this file system")

// A Slot is one file of a project that is being changed, created or removed. Its steps are
//
//	Stage    write the new content beside the file, under an unforeseeable name
//	Place    put it in the file's place, if that is still as it was
//	Keeps    look once more whether nobody wrote to what was replaced
//	Finish   remove what was replaced
//
// and, before Finish, Revert. If the system can (Linux, macOS), Place swaps the two files atomically and checks what
// was swapped out, so that no save in between is lost; elsewhere there is a moment between the last check and the
// rename.
//
// Another process can recreate the same value from its three names.
type Slot struct {
	// Dir is the folder that Name and Temp are below; it is not closed by the Slot.
	Dir *Dir
	// Name is the file; Temp, in the same folder, holds its other content.
	Name, Temp string
	// Mode is used for a file that is created.
	Mode fs.FileMode
	// info is the file as Look saw it, or nil; extended are its extended attributes.
	info     fs.FileInfo
	extended []attribute
}

// attribute is an extended attribute of a file.
type attribute struct {
	name  string
	value []byte
}

// Look reads the current file; it returns nil if there is none. After Look, Place requires the same file, not just the
// same content. It is an error if there is a link in the path, or if the file is not regular, has further hard links,
// or cannot be written to.
func (s *Slot) Look(limit int64) ([]byte, error) {
	parent, leaf, done, err := s.Dir.at(s.Name)
	if err != nil {
		return nil, err
	}
	defer done()
	var f *os.File
	f, s.info, err = openRegular(parent, leaf, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	if n := hardLinks(s.info); n > 1 {
		return nil, fmt.Errorf("has %d hard links, and a repair would separate it from the others: make it a file of its own first (cp it, then mv the copy over it)", n)
	}
	if s.info.Mode().Perm()&0o200 == 0 {
		return nil, errors.New("is read-only: make it writable first")
	}
	if s.extended, err = attributes(f); err != nil {
		return nil, plain.Cause(err)
	}
	return readAll(f, s.info.Size(), limit)
}

// readAll reads a file, which probably has the given size.
func readAll(f *os.File, size, limit int64) ([]byte, error) {
	text, err := readSized(f.Read, size, int(limit)+1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err == nil && int64(len(text)) > limit {
		err = &OtherError{filepath.Base(f.Name()), fmt.Sprintf("is larger than %d bytes", limit)}
	}
	if err != nil {
		return nil, plain.Cause(err)
	}
	return text, nil
}

// Stage writes the file's new content, with the owner, mode and extended attributes of the file that Look saw. If it
// fails, nothing is left.
func (s *Slot) Stage(text []byte) error {
	f, err := s.Dir.Create(s.Temp, 0o600)
	if err != nil {
		return err
	}
	return s.Dir.fill(f, s.Temp, text, func(f *os.File) error {
		if err := s.setAttributes(f); err != nil { // after the write, which clears setuid and setgid
			return err
		}
		return f.Sync()
	})
}

func (s *Slot) setAttributes(f *os.File) error {
	if s.info == nil {
		return f.Chmod(s.Mode &^ umask())
	}
	return copyAttributes(f, s.info, s.extended)
}

// Place puts the staged content in the file's place, or removes the file if updated is nil. The error is ErrChanged if
// the file does not hold old (nil: no file) or, after Look, is another file; then everything is as before.
func (s *Slot) Place(old, updated []byte) error {
	parent, leaf, done, err := s.Dir.at(s.Name)
	if err != nil {
		return err
	}
	defer done()
	if err := s.is(parent, leaf, s.info, old); err != nil {
		return err // if it has changed, which is common, no swap is needed
	}
	temp := baseName(s.Temp)
	switch {
	case old == nil:
		err = moveNew(parent, temp, leaf)
		if errors.Is(err, fs.ErrExist) {
			return ErrChanged
		}
	case updated == nil:
		if err = moveNew(parent, leaf, temp); err == nil {
			err = s.takenOr(parent, temp, old, func() error { return moveNew(parent, temp, leaf) })
		}
	default:
		if err = exchange(parent, temp, leaf); err == nil {
			err = s.takenOr(parent, temp, old, func() error { return exchange(parent, temp, leaf) })
		} else if errors.Is(err, errNoExchange) {
			err = parent.Rename(temp, leaf)
		}
	}
	if err == nil || !errors.Is(err, ErrChanged) {
		return plain.Cause(err)
	}
	return err
}

// takenOr checks that what was swapped out is the old file, and otherwise puts it back.
func (s *Slot) takenOr(parent *os.Root, temp string, old []byte, back func() error) error {
	if s.is(parent, temp, s.info, old) == nil {
		return nil
	}
	return errors.Join(ErrChanged, back())
}

// is checks that an entry is a regular file that holds text (nil: that it is absent), and is the same file as info,
// unless info is nil.
func (s *Slot) is(parent *os.Root, leaf string, info fs.FileInfo, text []byte) error {
	f, now, err := openRegular(parent, leaf, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) && text == nil {
		return nil
	}
	if err != nil {
		return ErrChanged
	}
	defer f.Close() //nolint:errcheck // only read from
	if text == nil || info != nil && !os.SameFile(info, now) || now.Size() != int64(len(text)) {
		return ErrChanged
	}
	if held, err := readAll(f, now.Size(), now.Size()); err != nil || !bytes.Equal(held, text) {
		return ErrChanged
	}
	return nil
}

// Keeps checks that the file that was replaced or removed still holds old: an editor that had it open may have written
// to it since. The error is ErrChanged. If the system cannot swap files, there is nothing to check, and no error.
func (s *Slot) Keeps(old []byte) error {
	parent, _, done, err := s.Dir.at(s.Temp)
	if err != nil {
		return err
	}
	defer done()
	temp := baseName(s.Temp)
	if _, err := parent.Lstat(temp); old == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.is(parent, temp, s.info, old)
}

// Held returns the content at a name of the slot, Name or Temp, or nil. It is for a process that finds a Slot left by
// another.
func (s *Slot) Held(name string, limit int64) ([]byte, error) {
	text, err := s.Dir.ReadFile(name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// Drop removes Temp; it is not an error if there is none, or if its folder has become a link or a file.
func (s *Slot) Drop() error {
	err := s.Dir.Remove(s.Temp)
	if errors.Is(err, fs.ErrNotExist) || IsReplaced(err) {
		return nil
	}
	return err
}

// Sync syncs the folder's entries to the disk, if the system can.
func (s *Slot) Sync() {
	if parent, _, done, err := s.Dir.at(s.Name); err == nil {
		syncFolder(parent)
		done()
	}
}
