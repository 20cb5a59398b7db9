package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/amlfix/amlfix/runtime/progress"
)

// ErrBusy tells that another amlfix is at work on a run.
var ErrBusy = errors.New("another amlfix is at work on this run")

// Run is a record that this program may change: it holds the record's lock, which the system takes back when the program
// ends, however it ends. It is safe for use by several goroutines.
type Run struct {
	dir  string
	lock *flock.Flock
	log  *Log

	mu     sync.Mutex
	record Record
}

// Create begins the record of a new run, in the state planned. The ID must be new. The record has the canonical
// name of the Project. The error names the path; it is a *RefusedError where a link, or another user's folder, is in the way.
func Create(r Record) (*Run, error) {
	project, err := Canonical(r.Project)
	if err != nil {
		return nil, err
	}
	dir, err := makeDir(r.Project, r.ID)
	if err != nil {
		return nil, err
	}
	r.Project = project
	run := &Run{dir: dir}
	if run.lock, err = acquire(filepath.Join(dir, lockName)); err == nil {
		run.log, err = openLog(dir)
	}
	if err == nil {
		r.Version, r.Created = Version, time.Now().UTC()
		r.State, r.States = progress.Planned, []Step{{progress.Planned, r.Created}}
		run.record = r
		err = run.save()
	}
	if err != nil {
		run.Close()
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("%s: no record of the run can be kept: %w", dir, plain(err))
	}
	return run, nil
}

// Open takes a record up again. The error is ErrBusy when another program has it, a *RefusedError when it is not believed.
func Open(dir string) (*Run, error) {
	if err := believed(dir); err != nil {
		return nil, err
	}
	run := &Run{dir: dir}
	var err error
	if run.lock, err = acquire(filepath.Join(dir, lockName)); err != nil {
		return nil, err
	}
	e, err := read(dir)
	if err == nil {
		run.record = e.Record
		run.log, err = openLog(dir)
	}
	if err != nil {
		run.Close()
		return nil, err
	}
	return run, nil
}

// Dir is the folder of the record.
func (r *Run) Dir() string { return r.dir }

// Record returns the record as it is now. It must not be changed.
func (r *Run) Record() Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.record
}

// Log is the job's output.
func (r *Run) Log() *Log { return r.log }

// Update changes the record and writes it. change must replace slices and pointers rather than write through them.
func (r *Run) Update(change func(*Record)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.record)
	return r.save()
}

// Enter writes that the run enters a state, unless it is in that state. It must be called before what the state names is
// done.
func (r *Run) Enter(s progress.State) error {
	if r.Record().State == s {
		return nil
	}
	return r.Update(func(rec *Record) {
		rec.State, rec.States = s, append(slices.Clip(rec.States), Step{s, time.Now().UTC()})
	})
}

// save writes beside the final name and renames: a reader sees the old record or the new one.
func (r *Run) save() error {
	text, err := json.MarshalIndent(r.record, "", "  ")
	if err != nil {
		return err
	}
	name := filepath.Join(r.dir, recordName)
	if err := os.WriteFile(name+".new", append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("%s: the record cannot be written: %w", name, plain(err))
	}
	if err := os.Rename(name+".new", name); err != nil { //nolint:forbidigo // in one folder; this is an atomic writer
		return fmt.Errorf("%s: the record cannot be written: %w", name, plain(err))
	}
	return nil
}

// Close gives the record back.
func (r *Run) Close() {
	if r.log != nil {
		r.log.close()
	}
	if r.lock != nil {
		_ = r.lock.Close()
	}
}

// Remove closes the record and removes it, with the folders above it that are empty then.
func (r *Run) Remove() error {
	r.Close()
	return Remove(r.dir)
}

// Remove removes the record in a folder that no program has open.
func Remove(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("%s: cannot be removed: %w", dir, plain(err))
	}
	runs := filepath.Dir(dir)
	if os.Remove(runs) != nil {
		return nil // other records are there
	}
	top := filepath.Dir(runs)
	if left, err := os.ReadDir(top); err == nil && len(left) == 1 && left[0].Name() == ".gitignore" {
		_ = os.Remove(filepath.Join(top, ".gitignore"))
		_ = os.Remove(top)
	}
	return nil
}

// RequestStop asks the program that is at work on a run to stop its job; asked a second time, to kill it.
func RequestStop(dir string) error {
	name := filepath.Join(dir, stopName)
	if _, err := os.Lstat(name); err == nil {
		name += "-now"
	}
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		return fmt.Errorf("%s: the request to stop cannot be written: %w", name, plain(err))
	}
	return nil
}

// StopRequested reports whether a stop, and whether a kill, was asked for by RequestStop.
func (r *Run) StopRequested() (stop, kill bool) {
	_, err := os.Lstat(filepath.Join(r.dir, stopName))
	_, err2 := os.Lstat(filepath.Join(r.dir, stopName+"-now"))
	return !errors.Is(err, fs.ErrNotExist), !errors.Is(err2, fs.ErrNotExist)
}
