package project

import (
	"archive/tar"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Collected describes what was copied to the project's outputs folder.
type Collected struct {
	Files    int
	Bytes    int64
	List     []File    // the files, in the order in which they arrived
	Links    []Link    // all of them stay inside outputs/
	Warnings []Warning // what was not copied, and why
	Deepest  string    // of the folders in a tar stream, the one with the longest path
}

// File is a file that was copied back.
type File struct {
	Path  string `json:"path"` // slash-separated, relative to outputs/
	Bytes int64  `json:"bytes"`
}

// Link is a link that was copied back.
type Link struct {
	Path, Target string // slash-separated; the path is relative to outputs/
}

// CollectDir copies the outputs folder of the working folder dir into the project at root. It replaces files of the
// same name one by one, each completely or not at all; others stay. It follows no link that leaves outputs/, on either
// side. A file that cannot be written does not prevent copying the others; the error names the first few.
func CollectDir(ctx context.Context, dir, root string) (Collected, error) {
	src, err := os.OpenRoot(dir)
	if err != nil {
		return Collected{}, fmt.Errorf("%s: cannot be opened: %w", dir, plain.Cause(err))
	}
	defer func() { _ = src.Close() }()
	return receive(root, func(r *receiver) error {
		info, err := src.Lstat(OutputsDir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		switch {
		case err == nil && info.Mode().IsRegular():
			r.fail(OutputsDir, errIsFile)
			return nil
		case err != nil || !info.IsDir():
			r.fail(OutputsDir, cmp.Or(err, errNoFolder))
			return nil
		}
		return fs.WalkDir(src.FS(), OutputsDir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err == nil && !r.keeps(name):
				return skip(d)
			case err == nil:
				err = r.fromDir(src, name, d)
			}
			r.fail(name, err)
			return nil
		})
	})
}

func (r *receiver) fromDir(src *os.Root, name string, d fs.DirEntry) error {
	info, err := d.Info()
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return r.folder(name)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := src.Readlink(name)
		if err != nil {
			return err
		}
		return r.link(name, filepath.ToSlash(target))
	case info.Mode().IsRegular():
		f, err := source.OpenListed(src, name)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		return r.file(name, f, info.Mode(), info.ModTime())
	}
	return r.strange(name)
}

// CollectTar unpacks a tar stream, whose top folder is named outputs, into the project at root. It follows the rules of
// CollectDir: an entry with a path outside outputs/ is omitted with a warning.
func CollectTar(ctx context.Context, stream io.Reader, root string) (Collected, error) {
	return CollectTarBelow(ctx, stream, root, "")
}

// CollectTarBelow is like CollectTar but unpacks into a folder below outputs/, which is created for the first file;
// empty folders are omitted.
func CollectTarBelow(ctx context.Context, stream io.Reader, root, folder string) (Collected, error) {
	return receive(root, func(r *receiver) error {
		r.sub = folder
		tr := tar.NewReader(stream)
		for {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			h, err := tr.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("%s: the transfer of results was interrupted: %w", OutputsDir, err)
			}
			switch name := path.Clean(h.Name); {
			case !below(name):
				r.warn(h.Name, "left out: not below "+OutputsDir+"/")
			case r.keeps(name):
				r.fail(name, r.fromTar(h, name, tr))
			}
		}
	})
}

func (r *receiver) fromTar(h *tar.Header, name string, content io.Reader) error {
	switch h.Typeflag {
	case tar.TypeDir:
		if len(name) > len(r.got.Deepest) {
			r.got.Deepest = name
		}
		return r.folder(name)
	case tar.TypeReg:
		return r.file(name, content, h.FileInfo().Mode(), h.ModTime)
	case tar.TypeSymlink:
		return r.link(name, h.Linkname)
	case tar.TypeLink:
		return r.again(name, path.Clean(h.Linkname), h)
	}
	return r.strange(name)
}

func below(name string) bool {
	return name == OutputsDir || strings.HasPrefix(name, OutputsDir+"/") && filepath.IsLocal(filepath.FromSlash(name))
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}
