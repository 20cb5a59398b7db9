package project

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// CopyTo copies the snapshot into an empty folder and creates an empty outputs folder there. It calls moved, if not
// nil, with the number of bytes copied so far.
func (s Snapshot) CopyTo(ctx context.Context, dst *disk.Dir, moved func(int64)) error {
	in := &folders{top: dst}
	defer in.close()
	err := s.each(ctx, moved, func(e Entry, content io.Reader) error {
		dir, leaf, err := in.holding(e.Path)
		if err != nil {
			return err
		}
		switch {
		case e.Mode.IsDir():
			return unlessThere(dir.Mkdir(leaf, e.Mode.Perm()|0o700))
		case e.Mode&fs.ModeSymlink != 0:
			return dir.Symlink(e.Link, leaf)
		}
		_, err = fill(dir, leaf, content, e.Mode.Perm()|0o600, e.ModTime)
		return err
	})
	if err != nil {
		return err
	}
	return unlessThere(dst.Mkdir(OutputsDir, 0o755))
}

func unlessThere(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// TarOptions describes how to write a snapshot as a tar stream.
type TarOptions struct {
	Prefix string      // the folder in the archive that holds the project, slash-separated, relative
	Open   bool        // everyone may read and write: the image's user ID is not known here
	Moved  func(int64) // called with the number of bytes written so far; may be nil
	// Outputs is the time given to the empty outputs folder, with nanosecond precision.
	Outputs time.Time
	// Has reports whether the file at a path already exists there, in which case it is not written. nil: none does.
	Has func(path string) bool
	// Sent is called for every project file after it was written, with what was written; may be nil.
	Sent func(Piece)
	// Mark is an empty file to write after all others; empty: none.
	Mark string
}

// Tar writes the snapshot, with an empty outputs folder, as a tar stream. All entries belong to user 0. It ends early
// if w fails or ctx is cancelled.
func (s Snapshot) Tar(ctx context.Context, w io.Writer, o TarOptions) error {
	buf := bufio.NewWriterSize(w, 256<<10)
	tw := tar.NewWriter(buf)
	write := func(e Entry, content io.Reader) error {
		switch {
		case content != nil && o.Has != nil && o.Has(e.Path):
			return nil
		case o.Sent != nil:
			return writeSummed(tw, e, content, o)
		}
		return writeEntry(tw, e, content, o)
	}
	if err := write(Entry{Path: ".", Mode: fs.ModeDir | 0o755}, nil); err != nil {
		return err
	}
	if err := s.each(ctx, o.Moved, write); err != nil {
		return err
	}
	if err := write(Entry{Path: OutputsDir, Mode: fs.ModeDir | 0o755, ModTime: o.Outputs}, nil); err != nil {
		return err
	}
	if o.Mark != "" {
		if err := writeEntry(tw, Entry{Path: o.Mark, Mode: 0o644, ModTime: time.Now()}, nil, o); err != nil {
			return err
		}
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return buf.Flush()
}

func writeEntry(tw *tar.Writer, e Entry, content io.Reader, o TarOptions) error {
	h := &tar.Header{Name: path.Join(o.Prefix, e.Path), ModTime: e.ModTime, Mode: int64(e.Mode.Perm()), Format: tar.FormatPAX}
	switch {
	case e.Mode.IsDir():
		h.Typeflag, h.Name, h.Mode = tar.TypeDir, h.Name+"/", h.Mode|0o700
	case e.Mode&fs.ModeSymlink != 0:
		h.Typeflag, h.Linkname, h.Mode = tar.TypeSymlink, e.Link, 0o777
	default:
		h.Typeflag, h.Size, h.Mode = tar.TypeReg, e.Size, int64(fileMode(e.Mode, o.Open))
	}
	if o.Open && !e.Mode.IsRegular() {
		h.Mode |= (h.Mode >> 6 & 0o7) * 0o11
	}
	if err := tw.WriteHeader(h); err != nil {
		return err
	}
	if content == nil {
		return nil
	}
	_, err := io.Copy(tw, content)
	return err
}

// fileMode returns the permissions of a file on the job's machine.
func fileMode(mode fs.FileMode, open bool) fs.FileMode {
	mode = mode.Perm() | 0o600
	if open {
		mode |= (mode >> 6 & 0o7) * 0o11
	}
	return mode
}

// each opens every entry in turn. Reading a file returns exactly as many bytes as its Entry says: a file that grows is
// cut, and one that shrinks is an error.
func (s Snapshot) each(ctx context.Context, moved func(int64), use func(Entry, io.Reader) error) error {
	root, err := os.OpenRoot(s.Root)
	if err != nil {
		return fmt.Errorf("%s: the project folder cannot be read: %w", s.Root, plain.Cause(err))
	}
	defer func() { _ = root.Close() }()
	var sum int64
	count := func(size int64) {
		if sum += size; moved != nil {
			moved(sum)
		}
	}
	if err := eachOf(ctx, root, s.Entries, count, use); err != nil {
		return advised(err, ignoreIt)
	}
	if err := s.eachJoined(ctx, count, use); err != nil {
		return err
	}
	return s.eachAdded(use)
}

// eachOf opens the entries of one root folder.
func eachOf(ctx context.Context, root *os.Root, entries []Entry, count func(int64), use func(Entry, io.Reader) error) error {
	for _, e := range entries {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if !e.Mode.IsRegular() {
			if err := use(e, nil); err != nil {
				return fmt.Errorf("%s: cannot be copied: %w", e.Path, plain.Cause(err))
			}
			continue
		}
		if err := send(ctx, root, e, count, use); err != nil {
			return fmt.Errorf("%s: cannot be copied: %w", e.Path, plain.Cause(err))
		}
	}
	return nil
}

// eachAdded opens the files that are not in the project, each preceded by its parent folders.
func (s Snapshot) eachAdded(use func(Entry, io.Reader) error) error {
	now, made := time.Now(), map[string]bool{".": true}
	for _, a := range s.added {
		if err := foldersOf(a.path, made, use); err != nil {
			return err
		}
		e := Entry{Path: a.path, Mode: 0o644, Size: int64(len(a.content)), ModTime: now}
		if err := use(e, bytes.NewReader(a.content)); err != nil {
			return fmt.Errorf("%s: cannot be copied: %w", a.path, plain.Cause(err))
		}
	}
	return nil
}

// foldersOf emits the parent folders of a path, except those already made.
func foldersOf(name string, made map[string]bool, use func(Entry, io.Reader) error) error {
	for i, c := range name {
		if dir := name[:i]; c == '/' && !made[dir] {
			made[dir] = true
			if err := use(Entry{Path: dir, Mode: fs.ModeDir | 0o755, ModTime: time.Now()}, nil); err != nil {
				return fmt.Errorf("%s: cannot be made: %w", dir, plain.Cause(err))
			}
		}
	}
	return nil
}

// send opens a file. count is called with the sizes of its parts as they are read.
func send(ctx context.Context, root *os.Root, e Entry, count func(int64), use func(Entry, io.Reader) error) error {
	f, err := source.OpenListed(root, e.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return errGone
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return use(e, &exactly{ctx: ctx, r: f, size: e.Size, left: e.Size, counted: e.Size, count: count})
}

// exactly reads a fixed number of bytes, and fails if the context is cancelled or the file has become shorter.
type exactly struct {
	ctx  context.Context
	r    io.Reader
	size int64
	left int64
	// count is called with every megabyte that was read, and with the rest; counted was left at the last call.
	count   func(int64)
	counted int64
}

// took records that n bytes were read.
func (x *exactly) took(n int) {
	x.left -= int64(n)
	if some := x.counted - x.left; some >= 1<<20 || x.left == 0 && some > 0 {
		x.counted = x.left
		x.count(some)
	}
}

// WriteTo lets the system copy to another file: where the file system supports it, both then share their blocks until
// one is changed.
func (x *exactly) WriteTo(w io.Writer) (n int64, err error) {
	if _, ok := w.(*os.File); !ok {
		return io.Copy(w, struct{ io.Reader }{x})
	}
	for x.left > 0 && err == nil {
		if err = context.Cause(x.ctx); err != nil {
			break
		}
		var some int64
		some, err = io.Copy(w, io.LimitReader(x.r, min(x.left, atOnce)))
		n += some
		x.took(int(some))
		if some == 0 && err == nil {
			err = errShorter
		}
	}
	return n, err
}

// atOnce is how many bytes are copied between two checks of the context.
const atOnce = 64 << 20

// What another program does to a project while it is copied.
var (
	errGone    = errors.New("it was removed while the project was being copied: run again when no program changes the project")
	errShorter = errors.New("it became shorter while the project was being copied: run again when no program changes the project")
)

func (x *exactly) Read(p []byte) (int, error) {
	if err := context.Cause(x.ctx); err != nil {
		return 0, err
	}
	if x.left == 0 {
		return 0, io.EOF
	}
	if int64(len(p)) > x.left {
		p = p[:x.left]
	}
	n, err := x.r.Read(p)
	x.took(n)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if x.left > 0 {
		return n, errShorter
	}
	return n, nil
}
