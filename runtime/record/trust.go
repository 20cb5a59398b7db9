package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
)

// RefusedError tells that a record, or a folder of records, is not believed, because somebody else may have written it.
type RefusedError struct {
	Path string
	Why  string // a sentence, with what can be done
}

func (e *RefusedError) Error() string { return e.Path + ": " + e.Why }

// Own returns an error unless a path is a folder (or, without folder, a regular file) of this user's, and no link. It is a
// *RefusedError when it is something else; fs.ErrNotExist is in the error when it is not there.
func Own(name string, folder bool) error {
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return fmt.Errorf("%s: cannot be read: %w", name, plain(err))
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0: // Windows has links of both kinds
		return &RefusedError{name, "is a link, which amlfix never makes there: it is neither followed nor believed; remove it"}
	case folder && !info.IsDir():
		return &RefusedError{name, "is not a folder, so it does not come from amlfix: remove it"}
	case !folder && !info.Mode().IsRegular():
		return &RefusedError{name, "is not a file, so it does not come from amlfix: remove it"}
	case !owned(info):
		return &RefusedError{name, "belongs to another user, so it is not believed: work as that user, or remove it"}
	}
	return nil
}

// ownFolders checks the folders that hold the records of a project.
func ownFolders(project string) error {
	top := filepath.Join(project, Folder)
	if err := Own(top, true); err != nil {
		return err
	}
	return Own(filepath.Join(top, runsName), true)
}

// ownRecord checks a record's folder and all that is directly in it: nothing there may lead elsewhere.
func ownRecord(dir string) error {
	if err := Own(dir, true); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", dir, plain(err))
	}
	for _, e := range entries {
		if err := Own(filepath.Join(dir, e.Name()), e.Name() == OutputsName); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// projectOf is the project whose record is in dir.
func projectOf(dir string) string { return filepath.Dir(filepath.Dir(filepath.Dir(dir))) }

// Canonical is the one name of a project's folder under which its runs are recorded: absolute and without links.
func Canonical(project string) (string, error) {
	abs, err := filepath.Abs(project)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("%s: the project folder cannot be read: %w", project, plain(err))
	}
	return abs, nil
}

// at returns the project of a record, which must be the folder that it is in, by its canonical name. What the record names is not opened unless it is that
// folder's own name but for the case of letters: a name from elsewhere may be one of another machine.
func (r Record) at(dir string) (string, error) {
	project, err := Canonical(projectOf(dir))
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(projectOf(dir))
	if r.Project == project || err == nil && r.Project == abs {
		return project, nil
	}
	if goruntime.GOOS != "linux" && strings.EqualFold(r.Project, project) {
		a, err1 := os.Stat(r.Project)
		b, err2 := os.Stat(project)
		if err1 == nil && err2 == nil && os.SameFile(a, b) {
			return project, nil
		}
	}
	return "", &RefusedError{filepath.Join(dir, recordName), fmt.Sprintf("is the record of a run of another folder, %q, so it is not believed here: remove it, or move the project back", r.Project)}
}
