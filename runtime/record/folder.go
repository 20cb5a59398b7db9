package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/runtime/runid"
)

// Folder is the folder in a project's root that belongs to amlfix; it holds a .gitignore that names all of it.
const Folder = ".amlfix"

const (
	runsName    = "runs"
	recordName  = "record.json"
	logName     = "log"
	indexName   = "log.index"
	shownName   = "log.shown"
	metricsName = "metrics.jsonl"
	lockName    = "lock"
	stopName    = "stop"
)

// OutputsName is the folder of a run's directory that holds its own copy of outputs/.
const OutputsName = "outputs"

// Dir is the folder of a run's record.
func Dir(project string, id runid.ID) string {
	return filepath.Join(project, Folder, runsName, id.String())
}

// makeDir makes the folder of a new record, and those above it, for its owner alone.
func makeDir(project string, id runid.ID) (string, error) {
	top := filepath.Join(project, Folder)
	for _, dir := range []string{top, filepath.Join(top, runsName)} {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("%s: no record of the run can be kept: %w", dir, plain(err))
		}
		if err := Own(dir, true); err != nil {
			return "", fmt.Errorf("no record of the run can be kept: %w", err)
		}
	}
	ignore := filepath.Join(top, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("# written by amlfix: records of runs are not committed\n*\n"), 0o600); err != nil {
			return "", fmt.Errorf("%s: no record of the run can be kept: %w", ignore, plain(err))
		}
	}
	dir := Dir(project, id)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("%s: no record of the run can be kept: %w", dir, plain(err))
	}
	return dir, nil
}

// Entry is a record that was found.
type Entry struct {
	Record
	Dir  string // its folder
	Live bool   // an amlfix is at work on it now
}

// List reads the records of a project, the newest last. Records that cannot be read, or are not believed (*RefusedError),
// are in the error; the others are returned all the same. A project without records gives none.
func List(project string) ([]Entry, error) {
	if err := ownFolders(project); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	names, err := os.ReadDir(filepath.Join(project, Folder, runsName))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(project, Folder, runsName), plain(err))
	}
	if len(names) == 0 {
		return nil, nil
	}
	known, err := askGit(project)
	if err != nil {
		return nil, err
	}
	var list []Entry
	var errs []error
	for _, n := range names {
		if n.Type().IsRegular() {
			continue
		}
		dir := filepath.Join(project, Folder, runsName, n.Name())
		err := known.refuse(dir)
		var e Entry
		if err == nil {
			e, err = read(dir)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return a.Created.Compare(b.Created) })
	return list, errors.Join(errs...)
}

// sizeLimit bounds what is read of a record.json: plans and lists of outputs can be long, but not like this.
const sizeLimit = 64 << 20

// ReadDir reads the record in a folder. The error is a *RefusedError when it is not believed: it, or a folder above it in the
// project, is a link, belongs to another user, or is tracked by git, or it is the record of a run of another folder.
func ReadDir(dir string) (Entry, error) {
	if err := believed(dir); err != nil {
		return Entry{}, err
	}
	return read(dir)
}

// Again reads a record once more that was read before; git is not asked again.
func (e Entry) Again() (Entry, error) { return read(e.Dir) }

// believed is what must be so before anything in a record's folder is opened.
func believed(dir string) error {
	if err := ownFolders(projectOf(dir)); err != nil {
		return err
	}
	known, err := askGit(projectOf(dir))
	if err != nil {
		return err
	}
	if err := known.refuse(dir); err != nil {
		return err
	}
	return ownRecord(dir)
}

func read(dir string) (Entry, error) {
	if err := ownRecord(dir); err != nil {
		return Entry{}, err
	}
	name := filepath.Join(dir, recordName)
	info, err := os.Lstat(name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > sizeLimit) {
		err = errors.New("is no record")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return Entry{}, fmt.Errorf("%s: the record cannot be read: %w", name, plain(err))
	}
	r, err := decode(text)
	if err != nil {
		return Entry{}, fmt.Errorf("%s: %w", name, err)
	}
	if filepath.Base(dir) != r.ID.String() {
		return Entry{}, fmt.Errorf("%s: is the record of another run, %s", name, r.ID)
	}
	if r.Project, err = r.at(dir); err != nil {
		return Entry{}, err
	}
	return Entry{Record: r, Dir: dir, Live: locked(filepath.Join(dir, lockName))}, nil
}

func decode(text []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(text, &r); errors.Is(err, runid.ErrForm) {
		return Record{}, fmt.Errorf("is no record of a run: %w", err)
	} else if err != nil {
		return Record{}, errors.New("is no record of a run")
	}
	if r.Version != Version {
		return Record{}, fmt.Errorf("is a record of version %d; this amlfix reads version %d", r.Version, Version)
	}
	if r.ID.IsZero() {
		return Record{}, errors.New("is a record without an id")
	}
	return r, nil
}

// plain drops the operation and path that os errors repeat; our own text names them.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
