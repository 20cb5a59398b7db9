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
type files struct{ dir *disk.Dir }

// filesIn opens the files of the job of a folder. The error is ErrGone without the folder, ErrNotBegun without the files.
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

// makeFiles makes the folder of the files, which must not be there.
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

// request asks the supervisor for something, from any process.
func (f files) request(name string) error {
	file, err := f.dir.Create(name, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // it was asked for already
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// supervised reports whether a supervisor is at work. It holds a lock, which the system takes back when it ends, however
// it ends.
func (f files) supervised() bool { return f.dir.Locked(lockName) }

// lockTime is how long a lock is waited for: those who only look hold it for a moment.
const lockTime = 100 * time.Millisecond

// lock makes this process the one that decides what becomes of the job. ok is false when another one is.
func (f files) lock() (lock *disk.Lock, ok bool) {
	lock, err := f.dir.Lock(lockName, lockTime)
	return lock, err == nil
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

// room is what a file of the supervisor's is made with, in bytes: spaces behind its value mean nothing.
const room = 4096

// reserve makes room for a file that must be written even when the disk is full by then. The returned function writes it,
// as write does.
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
		_, err = file.WriteAt(text, 0) // a longer one makes the file longer
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		return f.dir.Rename(part, name)
	}, nil
}

// readLimit is the size in bytes up to which a file is read.
const readLimit = 1 << 20

// read reads what write has written; ok is false when there is no such file.
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
