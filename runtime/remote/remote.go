// Package remote runs a job as a process on another machine, reached over an SSH connection. The job is started in a
// new session and writes to files there, so it continues if the connection breaks or this program ends. Its output is
// read from those files by position, so nothing is lost or repeated.
//
// The machine must be Linux with the usual setsid, tail and tar. Everything of a run is in one folder in the user's
// home: the project, and the files pid, out, err and exit. A watchdog there enforces the time limit, if any, while
// nobody watches.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/escape"
)

// marker is the variable that identifies the processes of a run; mark is how it is written in their environments.
const marker = local.Marker

func mark(runID runid.ID) string { return marker + "=" + runID.String() }

// runsDir is the folder of runs, relative to the user's home.
const runsDir = ".amlfix/runs"

// Writable is a script that fails if no folder for a run can be created there.
const Writable = "cd || exit; for d in " + runsDir + " .amlfix .; do [ ! -e $d ] || { [ -d $d ] && [ -w $d ]; exit; }; done"

// ProjectName returns the name of a project's folder on another machine. A run's own files are beside it, so a project
// with the name of one of them is renamed.
func ProjectName(dir string) string {
	name := filepath.Base(dir)
	if slices.Contains([]string{"pid", "pid.part", "out", "err", "exit", "exit.part", timedOut}, name) {
		name += "-project"
	}
	return name
}

// Spec is a job to run.
type Spec struct {
	RunID   runid.ID // unique
	Project string   // the name of the folder that holds the project and is the working directory
	Argv    []string // Argv[0] is a path or is looked up there
	Env     []string // "NAME=value", added to the environment of the user there
	// Append lists folders, relative to the run's folder, to append to variables such as PYTHONPATH: "NAME=folder".
	Append []string
	// Paths lists variables whose values are paths relative to the run's folder: "NAME=path".
	Paths []string
	// Share is a folder that is created and passed to the job in ShareVariable. It is relative to the user's home
	// unless it is absolute, and may start with ~/. Empty: none.
	Share, ShareVariable string
	// GPUs is how many of the machine's GPUTotal GPUs are reserved for the job; 0: it sees what the user sees.
	GPUs, GPUTotal int
	// Prepare is a shell script to run in the run's folder before the job is started; empty: none.
	Prepare string
	// Upload writes the project as a tar stream with its files below the folder Project.
	Upload func(ctx context.Context, w io.Writer) error
	// Stored keeps the project there between runs; Upload then sends only what the tree lacks. nil: it is not kept.
	Stored *Stored
	// Collect reads the outputs folder as a tar stream. It is called after the job has ended, however it ended, and
	// again from the start if the connection breaks. It is not called if there is no such folder.
	Collect func(ctx context.Context, tar io.Reader) error
	// Began is called when the job is running, Exited when it has ended, before its outputs are collected. Either may
	// be nil.
	Began  func(*Job)
	Exited func(process.Exit)
	// OnStop is a shell script to run in the run's folder when the job is first asked to stop; empty: none.
	OnStop string
	// OnKill is a shell script to run there before the job is killed; empty: none.
	OnKill string
}

// Job is a job on another machine. Its methods may be called concurrently.
type Job struct {
	line    Line
	runID   runid.ID
	project string
	dir     string // absolute
	// patience is how long to keep retrying a machine that went away; 0: patienceFor.
	patience time.Duration
}

// Position is how many bytes of a job's output have been read.
type Position struct{ Stdout, Stderr int64 }

// Folder returns the absolute path of the run's folder there, with the machine:
// "user@host:22:/home/user/.amlfix/runs/ID".
func (j *Job) Folder() string { return j.line.Name() + ":" + j.dir }

// StartError reports that a job was not started. Code is what a shell returns: 127 if there is no such program, 126 if
// it cannot be executed, otherwise 125.
type StartError struct {
	Host string
	Code int
	Text string
	Err  error
}

func (e *StartError) Error() string { return e.Host + ": " + e.Text }

func (e *StartError) Unwrap() error { return e.Err }

// StartCode returns Code, the exit code of a run whose job was not started.
func (e *StartError) StartCode() int { return e.Code }

// fullDisk lists the messages of programs about a full disk; the last one is GNU tar's for a file that fits only in
// part.
var fullDisk = []string{"No space left on device", "Disk quota exceeded", "Wrote only"}

// failed converts the error of a failed script to a StartError; connection errors stay unchanged.
func failed(line Line, err error, text string) error {
	exit, ok := errors.AsType[*ssh.ExitError](err)
	if !ok {
		return err
	}
	e := &StartError{Host: line.Name(), Code: process.CodeNotStarted, Text: text, Err: err}
	if slices.ContainsFunc(fullDisk, func(s string) bool { return strings.Contains(exit.Said, s) }) {
		e.Text = "its disk is full: free some space in the home folder there"
	}
	if exit.Said != "" {
		e.Text += " (it said: " + exit.Said + ")"
	}
	return e
}

// Open returns a job that was started before, by its run's ID and the name of its project's folder. It sends only a
// request for the user's home.
func Open(ctx context.Context, line Line, runID runid.ID, project string) (*Job, error) {
	home, err := line.Script(ctx, "cd && pwd -P")
	if err != nil {
		return nil, failed(line, err, "the user's home folder cannot be entered")
	}
	return &Job{line: line, runID: runID, project: project, dir: path.Join(strings.TrimSpace(home), runsDir, runID.String())}, nil
}

// Start creates the run's folder there, sends the project and starts the job. The time limit of control, if any, is
// then enforced on that machine, even if this program ends; say reports if that is not possible. If Start fails,
// nothing is left there, as far as the connection still allows. The error is a *StartError, one from Upload or of the
// connection, or wraps a *lease.Error. If the connection was lost while the job was being started, Start returns both
// the job, which may be running, and the error.
func Start(ctx context.Context, line Line, spec Spec, control process.Control, say progress.Sink) (*Job, error) {
	say.Enter(progress.Uploading, "")
	program, err := Find(ctx, line, spec.Argv[0])
	if err != nil {
		return nil, err
	}
	home, err := line.Script(ctx, "umask 077; cd && mkdir -p "+runsDir+" && mkdir "+escape.Word(runsDir+"/"+spec.RunID.String())+" && pwd -P")
	j := &Job{line: line, runID: spec.RunID, project: spec.Project, dir: path.Join(strings.TrimSpace(home), runsDir, spec.RunID.String())}
	if _, ok := errors.AsType[*ssh.ExitError](err); ok {
		return nil, failed(line, err, "no folder can be created for the run in the user's home")
	}
	sent := false
	if err == nil {
		sent, err = j.start(ctx, program, spec, control, say)
	}
	if sent && ssh.Is(err, ssh.LineLost) {
		return j, err
	}
	if err != nil { // also when nothing was heard of the script that makes the folder
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTime)
		defer cancel()
		_ = j.Remove(own) // the error to report is the first one
		return nil, err
	}
	return j, nil
}

// start starts the job; sent means that an error is about the script that does so, which may have been run.
func (j *Job) start(ctx context.Context, program string, spec Spec, control process.Control, say progress.Sink) (sent bool, err error) {
	if err := j.gpusFree(ctx, spec); err != nil {
		return false, err
	}
	if err := j.fetchStored(ctx, spec.Stored, say); err != nil {
		return false, failed(j.line, err, "the project cannot be compared with the copy there")
	}
	if err := j.line.Put(ctx, j.dir, func(w io.Writer) error { return spec.Upload(ctx, w) }); err != nil {
		return false, failed(j.line, err, "the project cannot be copied there")
	}
	if spec.Prepare != "" {
		if err := j.Do(ctx, spec.Prepare); err != nil {
			return false, failed(j.line, err, "the job cannot be prepared")
		}
	}
	say.Enter(progress.Starting, "")
	said, err := j.line.Script(ctx, j.startScript(program, spec, control))
	if err != nil {
		return true, j.unleased(spec, said, failed(j.line, err, "the job cannot be started"))
	}
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if gpus, ok := strings.CutPrefix(line, gpusGiven); ok {
			say.Notice("GPU %s of %d, for this run only", strings.ReplaceAll(gpus, ",", ", "), spec.GPUTotal)
		} else if line == noTimeout {
			say.Notice("%s has no program timeout: the time limit applies only while amlfix is running", j.line.Name())
		}
	}
	return true, nil
}

// Find returns what to call a program there. A bare name is looked up on PATH, and then on that of a login shell, which
// is often longer; python3 replaces a missing python. A *StartError means that there is none, or only one that this
// user may not execute.
func Find(ctx context.Context, line Line, name string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil // relative to the project's folder, absolute, or with ~: resolved by the job's shell
	}
	out, err := line.Script(ctx, `for p in `+escape.Word(name)+` `+map[bool]string{true: "python3"}[name == "python"]+`; do
command -v -- "$p" && exit
"${SHELL:-sh}" -lc 'command -v "$0"' "$p" 2>/dev/null | grep '^/' && exit
done
IFS=:
for d in $PATH; do
[ ! -f "$d"/`+escape.Word(name)+` ] || exit 126
done
exit 127`)
	switch exit, ok := errors.AsType[*ssh.ExitError](err); {
	case ok && exit.Code == process.CodeCannotRun:
		return "", &StartError{Host: line.Name(), Code: process.CodeCannotRun, Err: err, Text: fmt.Sprintf("the program %s cannot be run by this user: check that it is executable", name)}
	case ok:
		return "", &StartError{Host: line.Name(), Code: process.CodeNoProgram, Err: err, Text: fmt.Sprintf("there is no program %s: install it there, or give the path of another one", name)}
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1], err
}

// startScript returns a script that sets up the job's surroundings and starts it.
func (j *Job) startScript(program string, spec Spec, control process.Control) string {
	var b strings.Builder
	b.WriteString("umask 022\n")
	for _, v := range append(spec.Env, mark(spec.RunID)) {
		b.WriteString("export " + escape.Word(v) + "\n")
	}
	for _, v := range spec.Paths {
		name, rel, _ := strings.Cut(v, "=")
		b.WriteString("export " + name + "=" + escape.Word(path.Join(j.dir, rel)) + "\n")
	}
	for _, v := range spec.Append {
		name, rel, _ := strings.Cut(v, "=")
		b.WriteString(call("append", name, path.Join(j.dir, rel)))
	}
	if spec.Share != "" {
		b.WriteString(call("share", spec.ShareVariable, spec.Share))
	}
	if spec.GPUs > 0 {
		b.WriteString(call("lease", strconv.Itoa(spec.GPUs), strconv.Itoa(spec.GPUTotal)))
	}
	watchdog := ""
	if control.Limit > 0 {
		watchdog = j.watchdog(spec, control)
	}
	b.WriteString(strings.TrimSuffix(call("start", spec.Project, wrapper.Get(), watchdog), "\n") + " " + PathWord(program) + " " + call(spec.Argv[1:]...))
	return j.script(b.String())
}

// PathWord returns a path as a word of a shell script, with ~/ for the user's home.
func PathWord(p string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok {
		return `"$HOME"/` + escape.Word(rest)
	}
	return escape.Word(p)
}

// status parses the content of the file pid or exit: a number and the time at which it was written, in seconds. Where
// date does not support fractions, they are missing or not a number; earlier versions wrote whole seconds.
func status(text string) (number int, at time.Time, ok bool) {
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return 0, time.Time{}, false
	}
	whole, fraction, _ := strings.Cut(fields[1], ".")
	n, err1 := strconv.Atoi(fields[0])
	sec, err2 := strconv.ParseInt(whole, 10, 64)
	nano, err := strconv.ParseUint(fraction, 10, 32)
	if err != nil || len(fraction) != 9 {
		nano = 0
	}
	return n, time.Unix(sec, int64(nano)), err1 == nil && err2 == nil
}
