package local

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
)

// FilesDir is the folder of the supervisor's files, in the folder of a run.
const FilesDir = ".amlfix-job"

// The supervisor's files. The requests are empty files: they are there or not. abandoned is one more: nobody waits for a
// job that was not begun yet.
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
)

// files are those of one job.
type files string

func filesIn(folder string) files { return files(filepath.Join(folder, FilesDir)) }

func (f files) path(name string) string { return filepath.Join(string(f), name) }

func (f files) has(name string) bool {
	_, err := os.Lstat(f.path(name))
	return err == nil
}

// request asks the supervisor for something, from any process.
func (f files) request(name string) error { return os.WriteFile(f.path(name), nil, 0o600) }

// supervised reports whether a supervisor is at work. It holds a lock, which the system takes back when it ends, however
// it ends.
func (f files) supervised() bool {
	lock := flock.New(f.path(lockName))
	ok, err := lock.TryRLock()
	_ = lock.Close()
	return !ok && err == nil
}

// lock makes this process the one that decides what becomes of the job. ok is false when another one is. Those who only
// look hold the lock for a moment, so it is tried more than once.
func (f files) lock() (lock *flock.Flock, ok bool) {
	lock = flock.New(f.path(lockName))
	for range 10 {
		if ok, err := lock.TryLock(); ok {
			return lock, true
		} else if err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = lock.Close()
	return nil, false
}

// begun is what is written down when the job has been started.
type begun struct {
	RunID   runid.ID
	Started time.Time
}

// ended is what is written down about the end of a job, or why it was not started.
type ended struct {
	Exit    process.Exit
	Program string // of a StartError
	Code    int    // of a StartError; 0: it was started
	Text    string // why it was not started, or why its end could not be observed
}

// endOf is how a job ended: exit and err as Run tells them.
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

// result is what endOf was given.
func (e ended) result() (process.Exit, error) {
	switch {
	case e.Code != 0:
		return process.Exit{}, &StartError{Program: e.Program, Code: e.Code, Err: errors.New(e.Text)}
	case e.Text != "":
		return e.Exit, errors.New(e.Text)
	}
	return e.Exit, nil
}

// write writes a file beside its name and renames it: a reader sees all of it or none.
func (f files) write(name string, value any) error {
	write, err := f.reserve(name)
	if err != nil {
		return err
	}
	return write(value)
}

// room is what a file of the supervisor's is made with, in bytes: blanks behind its value mean nothing.
const room = 4096

// reserve makes room for a file that must be written even when the disk is full by then. The returned function writes it,
// as write does.
func (f files) reserve(name string) (write func(any) error, err error) {
	part := f.path(name + ".part")
	if err := os.WriteFile(part, bytes.Repeat([]byte{' '}, room), 0o600); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(part, os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return func(value any) error {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		_, err = file.WriteAt(text, 0) // a longer one makes the file longer
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		return os.Rename(part, f.path(name)) //nolint:forbidigo // in one folder; this is an atomic writer
	}, nil
}

// read reads what write has written; ok is false when there is no such file.
func (f files) read(name string, value any) (ok bool, err error) {
	text, err := os.ReadFile(f.path(name))
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
