package project

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// joined is a file or folder from outside the project that is sent with it.
type joined struct {
	at   string // slash-separated, relative to the working directory
	root string // absolute, links resolved
	list []Entry
}

// Join sends a file or folder of this machine, given by its absolute path, with the project, under a name below
// .amlfix. Bytes includes it. Ignore files do not apply; links that leave the folder are omitted, with a warning. An
// empty folder stays an empty folder. The error names what cannot be read.
func (s *Snapshot) Join(at, name string) error {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", name, plain.Cause(err))
	}
	info, err := os.Stat(real)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", name, plain.Cause(err))
	}
	if info.Mode().IsRegular() {
		e := Entry{Path: filepath.Base(real), Mode: info.Mode(), Size: info.Size(), ModTime: info.ModTime(), same: identity(info)}
		s.joined = append(s.joined, joined{at: at, root: filepath.Dir(real), list: []Entry{e}})
		s.Bytes += e.Size
		return nil
	}
	if !info.IsDir() { // a pipe would wait for a writer
		return fmt.Errorf("%s: cannot be read: %w", name, source.ErrIrregular)
	}
	dir, err := os.OpenRoot(real)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", name, plain.Cause(err))
	}
	defer func() { _ = dir.Close() }()
	in := &scan{dir: dir, what: "this folder", data: true, snap: Snapshot{Root: real}}
	if err := walk(dir, ".", in.visit); err != nil {
		return advised(fmt.Errorf("%s: %w", name, err), copyIt)
	}
	s.joined = append(s.joined, joined{at: at, root: real, list: in.snap.Entries})
	s.Bytes += in.snap.Bytes
	for _, w := range in.snap.Warnings {
		s.Warnings = append(s.Warnings, Warning{Path: filepath.ToSlash(filepath.Join(name, filepath.FromSlash(w.Path))), Text: w.Text})
	}
	return nil
}

// JoinEmpty sends an empty folder with the project.
func (s *Snapshot) JoinEmpty(at string) { s.joined = append(s.joined, joined{at: at}) }

// TarAll writes only what was joined, as a tar stream.
func (s Snapshot) TarAll(ctx context.Context, w io.Writer) error {
	tw := tar.NewWriter(w)
	if err := s.eachJoined(ctx, func(int64) {}, func(e Entry, content io.Reader) error { return writeEntry(tw, e, content, TarOptions{}) }); err != nil {
		return err
	}
	return tw.Close()
}

// eachJoined opens what Join has added. A joined file has the name that it was joined under.
func (s Snapshot) eachJoined(ctx context.Context, count func(int64), use func(Entry, io.Reader) error) error {
	made := map[string]bool{".": true}
	for _, j := range s.joined {
		if err := foldersOf(path.Clean(j.at)+"/", made, use); err != nil {
			return err
		}
		if j.root == "" {
			continue
		}
		root, err := os.OpenRoot(j.root)
		if err != nil {
			return fmt.Errorf("%s: cannot be read: %w", j.root, plain.Cause(err))
		}
		err = eachOf(ctx, root, j.list, count, func(e Entry, content io.Reader) error {
			e.Path = path.Join(j.at, e.Path)
			return use(e, content)
		})
		_ = root.Close()
		if err != nil {
			return advised(err, copyIt)
		}
	}
	return nil
}
