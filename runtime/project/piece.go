package project

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/amlfix/amlfix/schema/plain"
)

// Piece is a regular file as sent with a job.
type Piece struct {
	Path string // slash-separated, relative to the working directory
	Size int64
	Time int64       // of the last change, in nanoseconds since 1970
	Mode fs.FileMode // its permissions on the job's machine
	Sum  [sha256.Size]byte
	// Same distinguishes this file, with its current content, from every other on this machine; empty: not known, so
	// the content has to be read.
	Same string

	root, name string
}

// settled is how long a file must have been unchanged for its identity to be trusted: two changes at the same moment
// have the same time.
const settled = 2 * time.Second

// Pieces lists the regular files that are sent with a job, both from the project and joined, without their sums. open
// is as in TarOptions.
func (s Snapshot) Pieces(open bool) (list []Piece) {
	add := func(root, at string, entries []Entry) {
		for _, e := range entries {
			if e.Mode.IsRegular() {
				list = append(list, Piece{Path: path.Join(at, e.Path), Size: e.Size, Time: e.ModTime.UnixNano(), Mode: fileMode(e.Mode, open), Same: e.same,
					root: root, name: e.Path})
			}
		}
	}
	add(s.Root, "", s.Entries)
	for _, j := range s.joined {
		add(j.root, j.at, j.list)
	}
	return list
}

// Folders lists the folders that are sent with a job, except OutputsDir.
func (s Snapshot) Folders() (list []string) {
	add := func(at string, entries []Entry) {
		for _, e := range entries {
			if name := path.Join(at, e.Path); e.Mode.IsDir() && name != OutputsDir {
				list = append(list, name)
			}
		}
	}
	add("", s.Entries)
	for _, j := range s.joined {
		_ = foldersOf(path.Clean(j.at)+"/", map[string]bool{}, func(e Entry, _ io.Reader) error {
			list = append(list, e.Path)
			return nil
		})
		add(j.at, j.list)
	}
	return list
}

// Summed reads the file and returns the piece with its sum. It fails if the file's size has changed.
func (p Piece) Summed(ctx context.Context) (Piece, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return p, fmt.Errorf("%s: cannot be read: %w", p.root, plain.Cause(err))
	}
	defer func() { _ = root.Close() }()
	err = send(ctx, root, Entry{Path: p.name, Size: p.Size}, func(int64) {}, func(_ Entry, content io.Reader) error {
		sum, before := sha256.New(), fileIdentity(content)
		_, err := io.Copy(sum, content)
		p.Same = ""
		if after := fileIdentity(content); after == before {
			p.Same = before
		}
		p.Sum = [sha256.Size]byte(sum.Sum(nil))
		return err
	})
	if err != nil {
		return p, fmt.Errorf("%s: cannot be read: %w", p.Path, plain.Cause(err))
	}
	return p, nil
}

// fileIdentity returns the identity of the open file behind content; empty if it changed only a moment ago.
func fileIdentity(content io.Reader) string {
	x, ok := content.(*exactly)
	if !ok {
		return ""
	}
	f, ok := x.r.(*os.File)
	if !ok {
		return ""
	}
	info, err := f.Stat()
	if err != nil || info.Size() != x.size || time.Since(changed(info)) < settled { // a time in the future is too late as well
		return ""
	}
	return identity(info)
}

// writeSummed is writeEntry for TarOptions with Sent.
func writeSummed(tw *tar.Writer, e Entry, content io.Reader, o TarOptions) error {
	if x, ok := content.(*exactly); !ok || x.size != e.Size { // not a file of the project
		return writeEntry(tw, e, content, o)
	}
	p := Piece{Path: e.Path, Size: e.Size, Time: e.ModTime.UnixNano(), Mode: fileMode(e.Mode, o.Open)}
	before, sum := fileIdentity(content), sha256.New()
	if err := writeEntry(tw, e, &summing{content, sum}, o); err != nil {
		return err
	}
	if after := fileIdentity(content); before == e.same && after == before {
		p.Same = before
	}
	p.Sum = [sha256.Size]byte(sum.Sum(nil))
	o.Sent(p)
	return nil
}

// summing computes the sum of what is read.
type summing struct {
	r   io.Reader
	sum io.Writer
}

func (s *summing) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	_, _ = s.sum.Write(p[:n]) // a hash never fails
	return n, err
}
