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

// ErrChanged reports that a file is not the one, or no longer holds what, it was
// prepared for.
var ErrChanged = errors.New("changed on disk")

// errNoExchange reports that the system, or the file system, cannot swap two files.
var errNoExchange = errors.New("files cannot be swapped here")

// A Slot is one file of a project that is being given new content, made or
// removed. Its steps are
//
//	Stage    write the new content beside the file, under an unforeseeable name
//	Place    put it in the file's place, if that is still as it was
//	Keeps    look once more whether nobody wrote to what was replaced
//	Finish   remove what was replaced
//
// and, before Finish, Revert. Where the system can (Linux, macOS), Place swaps the
// two files at once and looks at what came out, so that no save in between is
// lost; elsewhere there is a moment between the last look and the rename.
//
// The same value can be made again by another process from its three names.
type Slot struct {
	// Dir is the folder that Name and Temp are below; it is not closed by the Slot.
	Dir *Dir
	// Name is the file; Temp, in the same folder, where its other content is.
	Name, Temp string
	// Mode is used for a file that is made.
	Mode fs.FileMode
	// info is the file as it was when Look saw it; nil: none.
	info fs.FileInfo
}

// Look reads the file as it is now; nil when there is none. A Slot that looked
// insists in Place on the same file, not only on the same content. The error is
// for a link in the path, a file that is not regular, one with further hard links,
// or one that cannot be written to.
func (s *Slot) Look(limit int64) ([]byte, error) {
	parent, leaf, done, err := s.Dir.at(s.Name)
	if err != nil {
		return nil, err
	}
	defer done()
	s.info, err = parent.Lstat(leaf)
	if errors.Is(err, fs.ErrNotExist) {
		s.info = nil
		return nil, nil
	}
	if err != nil {
		return nil, plain.Cause(err)
	}
	f, err := openRegular(parent, leaf, os.O_RDONLY)
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
	return readAll(f, limit)
}

func readAll(f *os.File, limit int64) ([]byte, error) {
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil {
		b.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
	}
	_, err := b.ReadFrom(io.LimitReader(f, limit+1))
	text := b.Bytes()
	if err == nil && int64(len(text)) > limit {
		err = &OtherError{filepath.Base(f.Name()), fmt.Sprintf("is larger than %d bytes", limit)}
	}
	if err != nil {
		return nil, plain.Cause(err)
	}
	return text, nil
}

// Stage writes the content that the file is to get, with the owner, mode and
// extended attributes of the file that Look saw. When it fails, nothing is left.
func (s *Slot) Stage(text []byte) error {
	f, err := s.Dir.Create(s.Temp, 0o600)
	if err != nil {
		return err
	}
	return s.Dir.fill(f, s.Temp, text, func(f *os.File) error {
		if err := s.setAttributes(f); err != nil { // after the write, which takes setuid and setgid away
			return err
		}
		return f.Sync()
	})
}

func (s *Slot) setAttributes(f *os.File) error {
	if s.info == nil {
		return f.Chmod(s.Mode &^ umask())
	}
	return s.keepAttributes(f)
}

func (s *Slot) keepAttributes(f *os.File) error {
	parent, leaf, done, err := s.Dir.at(s.Name)
	if err != nil {
		return err
	}
	defer done()
	from, err := openRegular(parent, leaf, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // only read from
	return copyAttributes(f, from, s.info)
}

// Place puts the staged content in the file's place, or removes the file where
// updated is nil. The error is ErrChanged when the file does not hold old (nil: no
// file) or, after Look, is another one; then everything is as before.
func (s *Slot) Place(old, updated []byte) error {
	parent, leaf, done, err := s.Dir.at(s.Name)
	if err != nil {
		return err
	}
	defer done()
	if err := s.is(parent, leaf, s.info, old); err != nil {
		return err // the common case of a change costs no swap
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

// takenOr checks that what came out of the file's place is the old file, and
// otherwise puts it back.
func (s *Slot) takenOr(parent *os.Root, temp string, old []byte, back func() error) error {
	if s.is(parent, temp, s.info, old) == nil {
		return nil
	}
	return errors.Join(ErrChanged, back())
}

// is checks that an entry is a regular file that holds text (nil: that it is
// absent), and the very file of info unless that is nil.
func (s *Slot) is(parent *os.Root, leaf string, info fs.FileInfo, text []byte) error {
	now, err := parent.Lstat(leaf)
	if errors.Is(err, fs.ErrNotExist) && text == nil {
		return nil
	}
	if err != nil || text == nil || info != nil && !os.SameFile(info, now) || now.Size() != int64(len(text)) {
		return ErrChanged
	}
	f, err := openRegular(parent, leaf, os.O_RDONLY)
	if err != nil {
		return ErrChanged
	}
	defer f.Close() //nolint:errcheck // only read from
	if held, err := readAll(f, int64(len(text))); err != nil || !bytes.Equal(held, text) {
		return ErrChanged
	}
	return nil
}

// Keeps checks that the file that was replaced or removed still holds old: an
// editor that had it open may have written to it since. The error is ErrChanged.
// Where the system cannot swap files there is nothing to look at, and no error.
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

// Held returns what a name of the slot, Name or Temp, holds: nil when there is
// nothing. It is for a process that finds a Slot that another left.
func (s *Slot) Held(name string, limit int64) ([]byte, error) {
	f, err := s.Dir.OpenRead(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	text, err := readAll(f, limit)
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}

// Restore gives the file what Temp holds, whatever it holds itself.
func (s *Slot) Restore() error { return s.Dir.Rename(s.Temp, s.Name) }

// Drop removes Temp; that there is none is no error, nor that its folder is a link
// or a file by now.
func (s *Slot) Drop() error {
	err := s.Dir.Remove(s.Temp)
	if link, other := new(LinkError), new(OtherError); errors.Is(err, fs.ErrNotExist) || errors.As(err, &link) || errors.As(err, &other) {
		return nil
	}
	return err
}

// Sync brings the folder's entries to the disk, where the system can.
func (s *Slot) Sync() {
	if parent, _, done, err := s.Dir.at(s.Name); err == nil {
		syncFolder(parent)
		done()
	}
}
