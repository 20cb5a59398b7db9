package project

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/amlfix/amlfix/schema/reserved"
)

// failureLimit is how many files an error names; a full disk would name them all.
const failureLimit = 5

type receiver struct {
	project *os.Root
	outputs *os.Root // opened when the first thing comes back: a job without outputs leaves no folder
	got     Collected
	left    map[string]bool // what keeps has warned of
	failed  int
	errs    []error
}

func receive(root string, read func(*receiver) error) (Collected, error) {
	dst, err := os.OpenRoot(root)
	if err != nil {
		return Collected{}, fmt.Errorf("%s: cannot be opened: %w", root, plain(err))
	}
	defer func() { _ = dst.Close() }()
	r := &receiver{project: dst, left: map[string]bool{}}
	err = read(r)
	if r.outputs != nil {
		_ = r.outputs.Close()
	}
	if more := r.failed - len(r.errs); more > 0 {
		r.errs = append(r.errs, fmt.Errorf("and %d more", more))
	}
	return r.got, errors.Join(append(r.errs, err)...)
}

func (r *receiver) warn(name, text string) {
	r.got.Warnings = append(r.got.Warnings, Warning{Path: name, Text: text})
}

func (r *receiver) fail(name string, err error) {
	if r.failed++; r.failed <= failureLimit {
		r.errs = append(r.errs, fmt.Errorf("%s: cannot be brought back: %w", name, plain(err)))
	}
}

// open returns the project's outputs folder as a root that no link leads out of. It is no link itself: one that a repository
// brings may lead to any folder of the project.
func (r *receiver) open() (*os.Root, error) {
	if r.outputs != nil {
		return r.outputs, nil
	}
	if err := r.project.Mkdir(OutputsDir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	out, err := r.project.OpenRoot(OutputsDir)
	if err != nil {
		return nil, err
	}
	named, err := r.project.Lstat(OutputsDir)
	opened, err2 := out.Stat(".")
	if err = errors.Join(err, err2); err == nil && (!named.IsDir() || !os.SameFile(named, opened)) {
		err = errLink
	}
	if err != nil {
		_ = out.Close()
		return nil, err
	}
	r.outputs = out
	return out, nil
}

// errLink is why nothing is written through a link at outputs/.
var errLink = errors.New(OutputsDir + "/ is a link: make it a folder")

// keeps reports whether a name that came may be written: it is in no folder of git's or amlfix's. The first name in each
// such folder gets a warning.
func (r *receiver) keeps(name string) bool {
	for end := range len(name) + 1 {
		if end < len(name) && name[end] != '/' && name[end] != '\\' || !reserved.In(name[:end]) {
			continue
		}
		if !r.left[name[:end]] {
			r.left[name[:end]] = true
			r.warn(name[:end], "left out: nothing is brought back into the folders of git and amlfix")
		}
		return false
	}
	return true
}

// inside cuts "outputs/" off; every name that gets here is below it.
func inside(name string) string { return strings.TrimPrefix(name, OutputsDir+"/") }

func (r *receiver) folder(name string) {
	if name == OutputsDir {
		return
	}
	out, err := r.open()
	if err == nil {
		err = out.MkdirAll(inside(name), 0o755)
	}
	if err != nil {
		r.fail(name, err)
	}
}

func (r *receiver) file(name string, content io.Reader, mode fs.FileMode, mod time.Time) {
	out, err := r.open()
	if err == nil && name == OutputsDir {
		err = errors.New("it is a file")
	}
	if err != nil {
		r.fail(name, err)
		return
	}
	n, err := replace(out, inside(name), content, mode.Perm()&0o755|0o600, mod)
	if err != nil {
		r.fail(name, err)
		return
	}
	r.got.List = append(r.got.List, File{Path: inside(name), Bytes: n})
	r.got.Files++
	r.got.Bytes += n
}

// replace writes beside the final name and renames: a link that stands under that name is replaced, not followed.
func replace(out *os.Root, name string, content io.Reader, mode fs.FileMode, mod time.Time) (int64, error) {
	if err := out.MkdirAll(path.Dir(name), 0o755); err != nil {
		return 0, err
	}
	tmp := path.Join(path.Dir(name), ".amlfix-part")
	_ = out.Remove(tmp)
	f, err := out.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, content)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		_ = out.Chtimes(tmp, mod, mod)
		err = out.Rename(tmp, name)
	}
	if err != nil {
		_ = out.Remove(tmp)
	}
	return n, err
}

// link brings a relative link back when it stays inside outputs/, like "latest -> step-100".
func (r *receiver) link(name, target string) {
	if name == OutputsDir || !stays(name, target) || !below(path.Join(path.Dir(name), target)) || reserved.In(target) {
		r.warn(name, "left out: the link leaves "+OutputsDir+"/, or leads into a folder of git or amlfix")
		return
	}
	out, err := r.open()
	if err != nil {
		r.fail(name, err)
		return
	}
	if info, err := out.Lstat(inside(name)); err == nil {
		if info.Mode()&fs.ModeSymlink == 0 {
			r.warn(name, "left out: a link would replace what is there")
			return
		}
		_ = out.Remove(inside(name))
	}
	err = out.MkdirAll(path.Dir(inside(name)), 0o755)
	if err == nil {
		err = out.Symlink(filepath.FromSlash(target), inside(name))
	}
	if err != nil {
		r.fail(name, err)
	}
}

// again writes a hard link of the archive as a file of its own.
func (r *receiver) again(name, first string, h *tar.Header) {
	if !below(first) || reserved.In(first) {
		r.warn(name, "left out: the link leaves "+OutputsDir+"/")
		return
	}
	out, err := r.open()
	if err != nil {
		r.fail(name, err)
		return
	}
	info, err := out.Lstat(inside(first))
	if err != nil || !info.Mode().IsRegular() {
		r.warn(name, "left out: the file it is linked to did not come back")
		return
	}
	f, err := out.Open(inside(first))
	if err != nil {
		r.fail(name, err)
		return
	}
	defer func() { _ = f.Close() }()
	r.file(name, f, h.FileInfo().Mode(), h.ModTime)
}
