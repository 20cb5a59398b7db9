package project

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/reserved"
)

// failureLimit is the maximum number of files that an error names; on a full disk it would be all of them.
const failureLimit = 5

type receiver struct {
	project *disk.Dir
	sub     string   // the folder below outputs/ to which everything is written; empty: outputs/ itself
	outputs *folders // opened when the first entry arrives: a job without outputs leaves no folder
	got     Collected
	left    map[string]bool // folders about which keeps has warned
	failed  int
	errs    []error
}

func receive(root string, read func(*receiver) error) (Collected, error) {
	dst, err := disk.Open(root)
	if err != nil {
		return Collected{}, fmt.Errorf("%s: cannot be opened: %w", root, errors.Unwrap(err)) // which also names the path
	}
	defer dst.Close()
	r := &receiver{project: dst, left: map[string]bool{}}
	err = read(r)
	if r.outputs != nil {
		r.outputs.close()
		r.outputs.top.Close()
	}
	if more := r.failed - len(r.errs); more > 0 {
		r.errs = append(r.errs, fmt.Errorf("and %d more", more))
	}
	return r.got, errors.Join(append(r.errs, err)...)
}

func (r *receiver) warn(name, text string) {
	r.got.Warnings = append(r.got.Warnings, Warning{Path: name, Text: text})
}

// strange warns about what cannot be copied at all.
func (r *receiver) strange(name string) error {
	if name == OutputsDir {
		return errNoFolder
	}
	r.warn(name, "left out: neither a file, a folder nor a link")
	return nil
}

// fail keeps an error about a name; nil is none.
func (r *receiver) fail(name string, err error) {
	if err == nil {
		return
	}
	if r.failed++; r.failed <= failureLimit {
		r.errs = append(r.errs, fmt.Errorf("%s: cannot be copied back: %w", name, inWay(err)))
	}
}

// inWay names an obstacle in outputs/ by its path in the project.
func inWay(err error) error {
	var link *disk.LinkError
	var other *disk.OtherError
	switch {
	case errors.As(err, &link):
		return fmt.Errorf("%s/%s is a link: make it a folder", OutputsDir, link.Path)
	case errors.As(err, &other):
		return fmt.Errorf("%s/%s %s: rename or remove it", OutputsDir, other.Path, other.What)
	}
	return plain.Cause(err)
}

// open returns the project's outputs folder. It must not be a link, because one in a repository may lead to any folder
// of the project; nor may any folder below it to which files are written.
func (r *receiver) open() (*folders, error) {
	if r.outputs != nil {
		return r.outputs, nil
	}
	out, err := r.project.MakeSub(OutputsDir, 0o755)
	var link *disk.LinkError
	var other *disk.OtherError
	switch {
	case errors.As(err, &link):
		return nil, errLink
	case errors.As(err, &other):
		return nil, errors.New(OutputsDir + " " + other.What + ": rename or remove it")
	case err != nil:
		return nil, err
	}
	r.outputs = &folders{top: out}
	return r.outputs, nil
}

// These are why nothing is written if a job has made a file of its outputs folder, or a link or something else.
var (
	errIsFile   = errors.New("it is a file")
	errNoFolder = errors.New("it is no longer a folder")
)

// errLink is why nothing is written if outputs/ is a link.
var errLink = errors.New(OutputsDir + "/ is a link: make it a folder")

// keeps reports whether a received name may be written: it must not be in a folder of git's or amlfix's. The first name
// in each such folder causes a warning.
func (r *receiver) keeps(name string) bool {
	for end := range len(name) + 1 {
		if end < len(name) && name[end] != '/' && name[end] != '\\' || !reserved.In(name[:end]) {
			continue
		}
		if !r.left[name[:end]] {
			r.left[name[:end]] = true
			r.warn(name[:end], "left out: nothing is copied back into the folders of git and amlfix")
		}
		return false
	}
	return true
}

// inside returns where a name belongs below outputs/, with which every name that gets here begins.
func (r *receiver) inside(name string) string {
	return path.Join(r.sub, strings.TrimPrefix(name, OutputsDir+"/"))
}

func (r *receiver) folder(name string) error {
	if name == OutputsDir || r.sub != "" {
		return nil
	}
	out, err := r.open()
	if err == nil {
		_, _, err = out.holding(r.inside(name) + "/.")
	}
	return err
}

func (r *receiver) file(name string, content io.Reader, mode fs.FileMode, mod time.Time) error {
	out, err := r.open()
	if err == nil && name == OutputsDir {
		err = errIsFile
	}
	if err != nil {
		return err
	}
	n, err := out.place(r.inside(name), content, mode.Perm()&0o755|0o600, mod)
	if err != nil {
		if dir, leaf, herr := out.holding(r.inside(name)); herr == nil {
			if info, lerr := dir.Lstat(leaf); lerr == nil && info.IsDir() { // the system says only that something exists
				err = fmt.Errorf("%s/%s is a folder: rename or remove it", OutputsDir, r.inside(name))
			}
		}
		return err
	}
	r.got.List = append(r.got.List, File{Path: r.inside(name), Bytes: n})
	r.got.Files++
	r.got.Bytes += n
	return nil
}

// link restores a relative link if it stays inside outputs/, such as "latest -> step-100".
func (r *receiver) link(name, target string) error {
	switch {
	case name == OutputsDir:
		return errNoFolder
	case path.IsAbs(target):
		r.warn(name, "left out: the link is absolute, and only relative links inside "+OutputsDir+"/ are copied back")
		return nil
	case !stays(name, target) || !below(path.Join(path.Dir(name), target)) || reserved.In(target):
		r.warn(name, "left out: the link leaves "+OutputsDir+"/, or leads into a folder of git or amlfix")
		return nil
	}
	out, err := r.open()
	if err != nil {
		return err
	}
	dir, leaf, err := out.holding(r.inside(name))
	if err != nil {
		return err
	}
	if info, err := dir.Lstat(leaf); err == nil {
		if info.Mode()&fs.ModeSymlink == 0 {
			r.warn(name, "left out: a link would replace an existing file")
			return nil
		}
		_ = dir.Remove(leaf)
	}
	if err := dir.Symlink(filepath.FromSlash(target), leaf); err != nil {
		return err
	}
	r.got.Links = append(r.got.Links, Link{Path: r.inside(name), Target: target})
	return nil
}

// again writes a hard link in the archive as a separate file.
func (r *receiver) again(name, first string, h *tar.Header) error {
	if !below(first) || reserved.In(first) {
		r.warn(name, "left out: the link leaves "+OutputsDir+"/")
		return nil
	}
	out, err := r.open()
	if err != nil {
		return err
	}
	f, err := out.top.OpenRead(r.inside(first))
	if err != nil {
		r.warn(name, "left out: the file that it links to was not copied back")
		return nil
	}
	defer func() { _ = f.Close() }()
	return r.file(name, f, h.FileInfo().Mode(), h.ModTime)
}
