package local

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/disk"
)

// FilesDir is the folder in a run's folder that holds the supervisor's files.
const FilesDir = ".amlfix-job"

// The supervisor's files. The requests are empty files that either exist or do not. abandoned is another one: nobody
// waits any more for a job that was not started. asked and killed hold the cause for which the supervisor has stopped
// the job.
const (
	outName       = "out"
	errName       = "err"
	begunName     = "begun"
	endedName     = "ended"
	lockName      = "lock"
	askName       = "stop"
	interruptName = "interrupt"
	killName      = "kill"
	abandonedName = "abandoned"
	askedName     = "asked"
	killedName    = "killed"
)

// files gives access to the files of one job.
type files struct{ dir *disk.Dir }

// filesIn opens the files of the job in a folder. The error is ErrGone if the folder does not exist, and ErrNotBegun if
// the files do not.
func filesIn(folder string) (files, error) {
	top, err := disk.OpenTemp(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return files{}, ErrGone
	}
	if err != nil {
		return files{}, err
	}
	defer top.Close()
	dir, err := top.Sub(FilesDir)
	if errors.Is(err, fs.ErrNotExist) {
		return files{}, ErrNotBegun
	}
	return files{dir}, err
}

// makeFiles creates the folder for the files, which must not exist.
func makeFiles(folder string) (files, error) {
	top, err := disk.OpenTemp(folder)
	if err != nil {
		return files{}, err
	}
	defer top.Close()
	if err := top.Mkdir(FilesDir, 0o700); err != nil {
		return files{}, fmt.Errorf("%s: %w", top.Name(FilesDir), err)
	}
	dir, err := top.Sub(FilesDir)
	return files{dir}, err
}

func (f files) close() { f.dir.Close() }

func (f files) has(name string) bool {
	_, err := f.dir.Lstat(name)
	return err == nil
}

// request sends the supervisor a request, from any process.
func (f files) request(name string) error {
	file, err := f.dir.Create(name, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // already requested
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// supervised reports whether a supervisor is running. It holds a lock, which the system releases when it ends, however
// it ends.
func (f files) supervised() bool { return f.dir.Locked(lockName) }

// lockTime is how long to wait for a lock: processes that only look hold it for a moment.
const lockTime = 100 * time.Millisecond

// lock makes this process the one that decides what happens to the job. ok is false if another process is.
func (f files) lock() (lock *disk.Lock, ok bool) {
	lock, err := f.dir.Lock(lockName, lockTime)
	return lock, err == nil
}

// begun is recorded when the job has been started.
type begun struct {
	RunID   runid.ID
	Started time.Time
}

// ended records how a job ended, or why it was not started.
type ended struct {
	Exit    process.Exit
	Program string // of a StartError
	Code    int    // of a StartError; 0: it was started
	Text    string // why it was not started, or why its end could not be observed
}

// endOf converts the results of Run.
func endOf(exit process.Exit, err error) ended {
	e := ended{Exit: exit}
	var start *StartError
	switch {
	case errors.As(err, &start):
		e.Program, e.Code, e.Text = start.Program, start.Code, start.Err.Error()
	case err != nil:
		e.Text = err.Error()
	}
	return e
}

// result returns the arguments of endOf.
func (e ended) result() (process.Exit, error) {
	switch {
	case e.Code != 0:
		return process.Exit{}, &StartError{Program: e.Program, Code: e.Code, Err: errors.New(e.Text)}
	case e.Text != "":
		return e.Exit, errors.New(e.Text)
	}
	return e.Exit, nil
}

// write writes to a temporary file and renames it, so that a reader sees either the whole value or nothing.
func (f files) write(name string, value any) error {
	write, err := f.reserve(name)
	if err != nil {
		return err
	}
	return write(value)
}

// room is the initial size in bytes of a reserved file; spaces after the value are ignored.
const room = 4096

// reserve allocates a file that must be written even if the disk is full by then. The returned function writes it, like
// write.
func (f files) reserve(name string) (write func(any) error, err error) {
	part := disk.TempName()
	file, err := f.dir.Create(part, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err := file.Write(bytes.Repeat([]byte{' '}, room)); err != nil {
		_ = file.Close()
		return nil, err
	}
	return func(value any) error {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		_, err = file.WriteAt(text, 0) // a longer value extends the file
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		return f.dir.Rename(part, name)
	}, nil
}

// readLimit is the maximum size in bytes of a file that is read.
const readLimit = 1 << 20

// read reads a value written by write; ok is false if the file does not exist.
func (f files) read(name string, value any) (ok bool, err error) {
	text, err := f.dir.ReadFile(name, readLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, value)
	}
	if err != nil {
		return false, fmt.Errorf("the files of the job cannot be read: %w", err)
	}
	return true, nil
}
