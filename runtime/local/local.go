// Package local runs a job as a process of this machine, in a process group of its own, and leaves none of its
// descendants behind.
//
// A second process of this program, the supervisor, starts the job in a session of its own, keeps its time limit and
// writes down how it ended; the job writes its output to files. So a job goes on when the program that has asked for it
// is killed, and Attend picks it up again with the next byte. Programs that use this package call Supervising first.
//
// On Linux every descendant is found again, even one that has left the group, by a variable in its environment. On
// other Unix systems the process group alone is ended. On Windows only the process itself is killed, without grace:
// processes that it has started can outlive it.
package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
)

// Marker is the variable that tells a job the id of its run, and its descendants apart from all other processes.
const Marker = "AMLFIX_RUN_ID"

// mark is how the variable is written in the environment of a process of the run.
func mark(runID runid.ID) string { return Marker + "=" + runID.String() }

// Spec is a process to run.
type Spec struct {
	RunID runid.ID // unique; set as AMLFIX_RUN_ID in the environment of the process
	Argv  []string // Argv[0] is a path or is looked up on PATH
	Env   []string // the whole environment, "NAME=value"; of two equal names the last counts
	Dir   string   // the working folder
	// Folder is where the supervisor keeps its files, in the folder FilesDir: output, how the job ended. It exists, is
	// readable by its owner only, and is on this machine. It is not removed.
	Folder string
	// Began is called when the job has been started, before any of its output is passed on; nil: nobody wants to know.
	Began func()
	// Stopping is called when the job is about to be asked to stop; nil: nobody wants to know.
	Stopping func()
}

// StartError says that the process could not be started. Code is what a shell reports: 127 when there is no such
// program, 126 when there is one that cannot be run.
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

// StartCode is Code: what a run ends with whose job was not started.
func (e *StartError) StartCode() int { return e.Code }

func startError(program string, err error) error {
	e := &StartError{Program: program, Code: process.CodeNotStarted, Err: err}
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		e.Code = process.CodeNoProgram
	case errors.Is(err, fs.ErrPermission), strings.Contains(err.Error(), "exec format error"):
		e.Code = process.CodeCannotRun
	}
	return e
}
