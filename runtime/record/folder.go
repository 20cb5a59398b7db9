package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// Folder is the folder in a project's root that belongs to amlfix; its .gitignore covers everything in it.
const Folder = disk.OwnFolder

const (
	runsName    = "runs"
	recordName  = "record.json"
	logName     = "log"
	indexEnd    = ".index"
	shownEnd    = ".shown"
	metricsName = "metrics.jsonl"
	looksName   = "gpus.jsonl"
	lockName    = "lock"
	stopName    = "stop"
	killName    = "stop-now"
	ignoreName  = ".gitignore"
)

const ignoreText = "# written by amlfix: records of runs are not committed\n*\n"

// OutputsName is the folder in a run's record that holds its own copy of outputs/.
const OutputsName = "outputs"

// Dir returns the folder of a run's record.
func Dir(project string, id runid.ID) string {
	return filepath.Join(project, Folder, runsName, id.String())
}

// makeDir creates the folder of a new record and its parents, accessible to the owner only.
func makeDir(project string, id runid.ID) (*disk.Dir, error) {
	top, dir := filepath.Join(project, Folder), Dir(project, id)
	own, err := ownFolder(project, true)
	if err != nil {
		return nil, notKept(top, err)
	}
	defer own.Close()
	if err := own.Mkdir(runsName, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, notKept(filepath.Join(top, runsName), err)
	}
	runs, err := below(own, runsName, filepath.Join(top, runsName))
	if err != nil {
		return nil, notKept(filepath.Join(top, runsName), err)
	}
	defer runs.Close()
	if !own.Exists(ignoreName) {
		if err := own.WriteNew(ignoreName, []byte(ignoreText), 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, notKept(filepath.Join(top, ignoreName), err)
		}
	}
	if err := runs.Mkdir(id.String(), 0o700); err != nil {
		return nil, notKept(dir, err)
	}
	at, err := below(runs, id.String(), dir)
	if err != nil {
		return nil, notKept(dir, err)
	}
	return at, nil
}

func notKept(name string, err error) error {
	if _, ok := errors.AsType[*RefusedError](err); ok {
		return fmt.Errorf("no record of the run can be kept: %w", err)
	}
	cause := plain.Cause(err)
	for in := errors.Unwrap(cause); in != nil; in = errors.Unwrap(cause) {
		cause = in // without the same name again, and what was tried
	}
	advice := ""
	if errors.Is(cause, fs.ErrPermission) || errors.Is(cause, syscall.EROFS) {
		advice = ": run the job from a copy of the project in a folder that you may write to"
	}
	return fmt.Errorf("%s: no record of the run can be kept: %w%s", name, cause, advice)
}

// Entry is a record that was found.
type Entry struct {
	Record
	Dir  string // its folder
	Live bool   // an amlfix process is using it
}

// List reads the records of a project, newest last. Records that cannot be read, or are not trusted (*RefusedError),
// are in the error; the others are returned anyway.
func List(project string) ([]Entry, error) {
	runs, err := runsFolder(project)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	at := filepath.Join(project, Folder, runsName)
	names, err := runs.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
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
		dir := filepath.Join(at, n.Name())
		err := known.refuse(dir)
		var e Entry
		if err == nil {
			e, err = readIn(runs, dir)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // its amlfix was killed before it wrote the record
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, e)
	}
	plain.SortFunc(list, func(a, b Entry) int { return a.Created.Compare(b.Created) })
	return list, errors.Join(alike(errs)...)
}

// alike keeps one of the errors that refuse a record for the same reason, and counts the others in it: in a copy of a
// project, all records are refused.
func alike(errs []error) (list []error) {
	others := map[string]int{}
	for _, err := range errs {
		no, ok := errors.AsType[*RefusedError](err)
		if ok {
			others[no.Why]++
		}
		if !ok || others[no.Why] == 1 {
			list = append(list, err)
		}
	}
	for i, err := range list {
		if no, ok := errors.AsType[*RefusedError](err); ok && others[no.Why] > 1 {
			list[i] = &RefusedError{no.Path, no.Why + "; so with " + plain.Count(others[no.Why]-1, "other record")}
		}
	}
	return list
}

// sizeLimit is how many bytes of a record.json are read: plans and lists of outputs can be long, but not this long
// (300,000 outputs).
const sizeLimit = 64 << 20

// ReadDir reads the record in a folder. The error is a *RefusedError if it is not trusted: it, or a folder above it in
// the project, is a link, belongs to another user, or is tracked by git, or it is the record of a run of another
// folder.
func ReadDir(dir string) (Entry, error) {
	at, err := believed(dir)
	if err != nil {
		return Entry{}, err
	}
	defer at.Close()
	return read(at, dir)
}

// Again reads again a record that was read before, without asking git again.
func (e Entry) Again() (Entry, error) {
	at, err := open(e.Dir)
	if err != nil {
		return Entry{}, err
	}
	defer at.Close()
	return read(at, e.Dir)
}

// believed opens a record's folder. It asks git before it opens anything in the folder.
func believed(dir string) (*disk.Dir, error) {
	runs, err := runsFolder(projectOf(dir))
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	known, err := askGit(projectOf(dir))
	if err != nil {
		return nil, err
	}
	if err := known.refuse(dir); err != nil {
		return nil, err
	}
	return below(runs, filepath.Base(dir), dir)
}

func readIn(runs *disk.Dir, dir string) (Entry, error) {
	at, err := below(runs, filepath.Base(dir), dir)
	if err != nil {
		return Entry{}, err
	}
	defer at.Close()
	return read(at, dir)
}

// read reads the record in an opened folder; dir is its name for people.
func read(at *disk.Dir, dir string) (Entry, error) {
	if err := ownRecord(at, dir); err != nil {
		return Entry{}, err
	}
	name := filepath.Join(dir, recordName)
	text, err := at.ReadFile(recordName, sizeLimit)
	if _, ok := errors.AsType[*disk.OtherError](err); ok {
		err = errors.New("is not a record")
	}
	if err != nil {
		return Entry{}, fmt.Errorf("%s: the record cannot be read: %w", name, err)
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
	return Entry{Record: r, Dir: dir, Live: at.Locked(lockName)}, nil
}

func decode(text []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(text, &r); errors.Is(err, runid.ErrForm) {
		return Record{}, fmt.Errorf("is not the record of a run: %w", err)
	} else if err != nil {
		return Record{}, errors.New("is not the record of a run")
	}
	if r.Version != Version {
		return Record{}, fmt.Errorf("is a record of version %d; this amlfix reads version %d", r.Version, Version)
	}
	if r.ID.IsZero() {
		return Record{}, errors.New("is a record without an id")
	}
	return r, nil
}
