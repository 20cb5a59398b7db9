package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// RefusedError reports that a record, or a folder of records, is not trusted, because someone else may have written it.
type RefusedError struct {
	Path string
	Why  string // a sentence, including what can be done
}

func (e *RefusedError) Error() string { return e.Path + ": " + e.Why }

const (
	saysLink  = "is a link, which amlfix never creates there, so it is neither followed nor trusted: remove it"
	saysOther = "is not a folder, so it does not come from amlfix: remove it"
	saysOwner = "belongs to another user, so it is not trusted: work as that user, or remove it"
)

// Own returns an error unless a path is a folder that belongs to this user and is not a link. The error is a
// *RefusedError if it is something else, and wraps fs.ErrNotExist if it does not exist.
func Own(name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", name, plain.Cause(err))
	}
	return own(name, info, true)
}

func own(name string, info fs.FileInfo, folder bool) error {
	switch {
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0: // Windows has both kinds of links
		return &RefusedError{name, saysLink}
	case folder && !info.IsDir():
		return &RefusedError{name, saysOther}
	case !folder && !info.Mode().IsRegular():
		return &RefusedError{name, "is not a file, so it does not come from amlfix: remove it"}
	case !disk.OwnedByUser(info):
		return &RefusedError{name, saysOwner}
	}
	return nil
}

// refusal converts an error of schema/disk about a folder to one about the path, for people.
func refusal(name string, err error) error {
	var link *disk.LinkError
	var other *disk.OtherError
	var owner *disk.OwnerError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &link):
		return &RefusedError{name, saysLink}
	case errors.As(err, &other):
		return &RefusedError{name, saysOther}
	case errors.As(err, &owner):
		return &RefusedError{name, saysOwner}
	}
	return fmt.Errorf("%s: cannot be read: %w", name, plain.Cause(err))
}

// ownFolder opens the folder .amlfix of a project; if makes is true, it may create it.
func ownFolder(project string, makes bool) (*disk.Dir, error) {
	d, err := disk.OpenOwn(project, makes)
	return d, refusal(filepath.Join(project, Folder), err)
}

// below opens a folder of this user in an opened one; name is the whole path, for people.
func below(d *disk.Dir, element, name string) (*disk.Dir, error) {
	sub, err := d.Sub(element)
	if err == nil && !sub.OwnedByUser() {
		sub.Close()
		err = &disk.OwnerError{Path: name}
	}
	return sub, refusal(name, err)
}

// runsFolder opens the folder that holds the records of a project.
func runsFolder(project string) (*disk.Dir, error) {
	d, err := ownFolder(project, false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return below(d, runsName, filepath.Join(project, Folder, runsName))
}

// open opens a record's folder after git was asked about it.
func open(dir string) (*disk.Dir, error) {
	runs, err := runsFolder(projectOf(dir))
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	return below(runs, filepath.Base(dir), dir)
}

// ownRecord checks everything directly in a record's folder: nothing there may lead elsewhere.
func ownRecord(at *disk.Dir, dir string) error {
	entries, err := at.ReadDir(".")
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", dir, err)
	}
	for _, e := range entries {
		info, err := at.Lstat(e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		if err != nil {
			return fmt.Errorf("%s: cannot be read: %w", name, err)
		}
		if err := own(name, info, e.Name() == OutputsName); err != nil {
			return err
		}
	}
	return nil
}

// asJSON returns a path as it is read from JSON, which has U+FFFD in place of each byte that is not UTF-8.
func asJSON(name string) string { return string([]rune(name)) }

// projectOf returns the project whose record is in dir.
func projectOf(dir string) string { return filepath.Dir(filepath.Dir(filepath.Dir(dir))) }

// at returns the canonical name of a record's project, which must be the folder that contains the record. It opens the
// name in the record only if that equals the folder's own name, except for case: a record from elsewhere may name a
// path on another machine.
func (r Record) at(dir string) (string, error) {
	root, err := project.Canonical(projectOf(dir))
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(projectOf(dir))
	if r.Project == asJSON(root) || err == nil && r.Project == asJSON(abs) {
		return root, nil
	}
	if goruntime.GOOS != "linux" && strings.EqualFold(r.Project, root) {
		a, err1 := os.Stat(r.Project)
		b, err2 := os.Stat(root)
		if err1 == nil && err2 == nil && os.SameFile(a, b) {
			return root, nil
		}
	}
	return "", &RefusedError{filepath.Join(dir, recordName), fmt.Sprintf("is the record of a run in another folder, %q, so it is not trusted here: remove it, or move the project back", r.Project)}
}
