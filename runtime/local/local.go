// Package local runs a job as a process on this machine, in its own process group, and leaves none of its descendants
// behind.
//
// A second process of this program, the supervisor, starts the job in a new session, enforces its time limit and
// records how it ended; the job's output goes to files. So the job continues if the program that started it is killed,
// and Attend resumes it at the next byte. Programs that use this package must call Supervising first.
//
// On Linux every descendant is found, even one that has left the group, by a variable in its environment. On other Unix
// systems only the process group is ended. On Windows only the process itself is killed, without a grace period:
// processes that it started can outlive it.
package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
)

// Marker is the variable that tells a job its run's ID, and distinguishes the job's descendants from all other
// processes.
const Marker = "AMLFIX_RUN_ID"

// mark returns the variable as it appears in the environment of the run's processes.
func mark(runID runid.ID) string { return Marker + "=" + runID.String() }

// Spec is a process to run.
type Spec struct {
	RunID runid.ID // unique; set as AMLFIX_RUN_ID in the environment of the process
	Argv  []string // Argv[0] is a path or is looked up on PATH
	Env   []string // the whole environment, "NAME=value"; if a name occurs twice, the last one counts
	Dir   string   // the working directory
	// Folder is where the supervisor keeps its files, in the subfolder FilesDir: the output, and how the job ended. It
	// must exist on this machine and be readable by its owner only. It is not removed.
	Folder string
	// Began is called when the job has been started, before any of its output is passed on; may be nil.
	Began func()
	// Stopping is called when the job is asked to stop, and when it is killed, once each; may be nil.
	Stopping func(process.Step, process.Cause)
}

// StartError reports that the process could not be started. Code is what a shell returns: 127 if there is no such
// program, 126 if it cannot be executed.
type StartError struct {
	Program string
	Code    int
	Err     error
}

func (e *StartError) Error() string {
	switch e.Code {
	case process.CodeNoProgram:
		return e.Program + ": no such program: install it, or give the path of another one"
	case process.CodeCannotRun:
		return e.Program + ": cannot be run by this user: check that it is a program and executable"
	}
	return fmt.Sprintf("%s: could not be started: %v", e.Program, e.Err)
}

func (e *StartError) Unwrap() error { return e.Err }

// StartCode returns Code, the exit code of a run whose job was not started.
func (e *StartError) StartCode() int { return e.Code }

func startError(program string, err error) error {
	e := &StartError{Program: program, Code: process.CodeNotStarted, Err: err}
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		e.Code = process.CodeNoProgram
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EISDIR), strings.Contains(err.Error(), "exec format error"):
		e.Code = process.CodeCannotRun
	}
	return e
}
