package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/disk"
)

// ErrBusy means that another amlfix process is using a run.
var ErrBusy = errors.New("another amlfix process is using this run")

// Run is a record that this program may change: it holds the record's lock, which the system releases when the program
// ends, however it ends. It is safe for concurrent use.
type Run struct {
	dir  string // as shown to people
	at   *disk.Dir
	lock *disk.Lock
	log  *Log
	pods []*Log // of the pods, if the run has several

	mu     sync.Mutex
	record Record
}

// Create begins the record of a new run, in the state planned. The ID must be new. It stores the canonical name of the
// Project. The error names the path; it is a *RefusedError if the path contains a link or another user's folder.
func Create(r Record) (*Run, error) {
	root, err := project.Canonical(r.Project)
	if err != nil {
		return nil, err
	}
	at, err := makeDir(r.Project, r.ID)
	if err != nil {
		return nil, err
	}
	dir := Dir(r.Project, r.ID)
	r.Project = root
	run := &Run{dir: dir, at: at}
	if err = run.acquire(); err == nil {
		run.log, err = openLog(at, logName)
	}
	if err == nil {
		r.Version, r.Created = Version, time.Now().UTC()
		r.State, r.States = progress.Planned, []Step{{progress.Planned, r.Created}}
		run.record = r
		err = run.save()
	}
	if err != nil {
		_ = run.Remove()
		return nil, fmt.Errorf("%s: no record of the run can be kept: %w", dir, err)
	}
	return run, nil
}

// Open opens an existing record. The error is ErrBusy if another program has it open, and a *RefusedError if it is not
// trusted.
func Open(dir string) (*Run, error) {
	at, err := believed(dir)
	if err != nil {
		return nil, err
	}
	run := &Run{dir: dir, at: at}
	if err = ownRecord(at, dir); err == nil {
		err = run.acquire()
	}
	if err != nil {
		run.Close()
		return nil, err
	}
	e, err := read(at, dir)
	if err == nil {
		run.record = e.Record
		run.log, err = openLog(at, logName)
	}
	if err != nil {
		run.Close()
		return nil, err
	}
	return run, nil
}

// acquire takes the record's lock. It waits briefly, because a process that only checks whether the lock is taken holds
// it for a moment.
func (r *Run) acquire() (err error) {
	r.lock, err = r.at.Lock(lockName, lockTime)
	switch {
	case errors.Is(err, disk.ErrBusy):
		return ErrBusy
	case err != nil:
		return fmt.Errorf("%s: the lock cannot be acquired: %w", filepath.Join(r.dir, lockName), err)
	}
	return nil
}

const lockTime = 100 * time.Millisecond

// Dir returns the record's folder.
func (r *Run) Dir() string { return r.dir }

// Record returns the current record. It must not be changed.
func (r *Run) Record() Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.record
}

// Log returns the job's output.
func (r *Run) Log() *Log { return r.log }

// Update changes the record and writes it. change must replace slices and pointers rather than modify what they refer
// to.
func (r *Run) Update(change func(*Record)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.record)
	return r.save()
}

// Note is like Update but does not write: the change is written with the next one. It is for values that can be
// determined again.
func (r *Run) Note(change func(*Record)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.record)
}

// Enter writes that the run enters a state, unless it is already in it. It must be called before the action that the
// state names.
func (r *Run) Enter(s progress.State) error {
	if r.Record().State == s {
		return nil
	}
	return r.Update(func(rec *Record) { rec.Enter(s) })
}

// save replaces the record atomically: a reader sees the old one or the new one. It waits for the disk only once the
// job may be running, possibly elsewhere: a power failure then leaves one of the two, and leaves the new one for
// certain if the old one would not lead to the job. Before that, nothing is lost with the record; a run that is done is
// found ended again.
func (r *Run) save() error {
	replace := r.at.ReplaceSoon
	if !r.record.Entered(progress.Starting).IsZero() {
		replace = r.at.Replace
	}
	write := func() error {
		text, err := json.MarshalIndent(r.record, "", "  ")
		if err != nil {
			return err
		}
		return replace(recordName, append(text, '\n'), 0o600)
	}
	err := write()
	if r.roomAfter(err) {
		err = write()
	}
	if err != nil {
		return fmt.Errorf("%s: the record cannot be written: %w", filepath.Join(r.dir, recordName), err)
	}
	if s := r.record.State; s == progress.Starting || s == progress.Detached {
		r.at.Sync()
	}
	return nil
}

// roomAfter reports whether an error is a full disk and a log has given room on it, which the record then says: how a
// job ended is worth more than the end of its output, which may have filled the disk while it was written.
func (r *Run) roomAfter(err error) bool {
	if !disk.Full(err) {
		return false
	}
	for _, l := range append([]*Log{r.log}, r.pods...) {
		if l != nil && l.giveRoom(err) {
			r.record.WarnOfCut(err)
			return true
		}
	}
	return false
}

// Close closes the record and releases its lock.
func (r *Run) Close() {
	if r.log != nil {
		r.log.close()
	}
	for _, l := range r.pods {
		l.close()
	}
	if r.lock != nil {
		r.lock.Close()
	}
	r.at.Close()
}

// Remove closes the record and removes it, along with the folders above it that become empty.
func (r *Run) Remove() error {
	r.Close()
	return Remove(r.dir)
}

// Remove removes the record in a folder, which no program may have open.
func Remove(dir string) error {
	project := projectOf(dir)
	own, err := ownFolder(project, false)
	if err != nil {
		return err
	}
	defer own.Close()
	if err := own.RemoveAll(runsName + "/" + filepath.Base(dir)); err != nil {
		return fmt.Errorf("%s: cannot be removed: %w", dir, err)
	}
	if own.Remove(runsName) != nil {
		return nil // there are other records
	}
	if left, err := own.ReadDir("."); err == nil && len(left) == 1 && left[0].Name() == ignoreName {
		_ = own.Remove(ignoreName)
		own.Close() // Windows does not remove an open folder
		_ = disk.RemoveOwn(project)
	}
	return nil
}

// RequestStop asks the program that is using a run to stop its job; a second call asks it to kill the job.
func RequestStop(dir string) error {
	at, err := open(dir)
	if err != nil {
		return err
	}
	defer at.Close()
	name := stopName
	if at.Exists(name) {
		name = killName
	}
	f, err := at.Create(name, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: the request to stop cannot be written: %w", filepath.Join(dir, name), err)
	}
	return f.Close()
}

// StopRequested reports whether RequestStop has requested a stop, and whether it has requested a kill.
func (r *Run) StopRequested() (stop, kill bool) {
	_, err := r.at.Lstat(stopName) // also fails if the record was closed
	_, err2 := r.at.Lstat(killName)
	return err == nil, err2 == nil
}
