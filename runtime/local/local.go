// Package local runs a job as a process of this machine, in a process group of its own, and leaves none of its
// descendants behind.
//
// On Linux every descendant is found again, even one that has left the group, by a variable in its environment. On
// other Unix systems the process group alone is ended. On Windows only the process itself is killed, without grace:
// processes that it has started can outlive it.
package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// Marker is the variable that tells a job the id of its run, and its descendants apart from all other processes.
const Marker = "AMLFIX_RUN_ID"

// drainTime is how long output is still read after the last process of the job has ended.
const drainTime = 2 * time.Second

// Spec is a process to run.
type Spec struct {
	RunID string   // unique; set as AMLFIX_RUN_ID in the environment of the process
	Argv  []string // Argv[0] is a path or is looked up on PATH
	Env   []string // the whole environment, "NAME=value"; of two equal names the last counts
	Dir   string   // the working folder
}

// StartError tells that the process could not be started. Code is what a shell reports: 127 when there is no such
// program, 126 when there is one that cannot be run.
type StartError struct {
	Program string
	Code    int
	Err     error
}

func (e *StartError) Error() string {
	switch e.Code {
	case 127:
		return e.Program + ": no such program: install it, or name another one by its path"
	case 126:
		return e.Program + ": cannot be run by this user: is it a program, and executable?"
	}
	return fmt.Sprintf("%s: could not be started: %v", e.Program, e.Err)
}

func (e *StartError) Unwrap() error { return e.Err }

// Run starts the process, passes its output on byte for byte as it comes, and waits for its end. When ctx is cancelled
// the whole process group gets SIGINT (if it was Ctrl-C that cancelled it) or SIGTERM, SIGTERM again at half of the
// grace, and SIGKILL at its end. A process that was not started gives an Exit that has not Ran, and a *StartError or the
// cause of ctx. The writers are used from two goroutines.
func Run(ctx context.Context, spec Spec, out process.Streams, control process.Control) (process.Exit, error) {
	if err := context.Cause(ctx); err != nil {
		return process.Exit{}, err
	}
	cmd := exec.Command(spec.Argv[0], spec.Argv[1:]...)
	cmd.Dir, cmd.Env = spec.Dir, slices.Concat(spec.Env, []string{Marker + "=" + spec.RunID})
	setGroup(cmd)
	pipes, err := connect(cmd, out)
	if err != nil {
		return process.Exit{}, &StartError{Program: spec.Argv[0], Code: 125, Err: err}
	}
	started := time.Now()
	err = cmd.Start()
	pipes.started()
	if err != nil {
		pipes.drain(0)
		return process.Exit{}, startError(spec.Argv[0], err)
	}
	g := &group{leader: cmd.Process, mark: Marker + "=" + spec.RunID}
	ended := make(chan struct{})
	go func() {
		g.awaitLeader()
		g.endStragglers(ctx, control.GraceTime())
		close(ended)
	}()
	cause := control.Watch(ctx, ended, func(step process.Step, why process.Cause) {
		g.signal(step, why == process.Cancelled && process.Interrupted(ctx))
	})
	state, err := g.reap()
	pipes.drain(drainTime)
	exit := process.Exit{Cause: cause, Started: started, Ended: time.Now(), Note: g.note()}
	exit.Code = exitCode(state)
	if err != nil {
		return exit, fmt.Errorf("%s: its end could not be observed: %w", spec.Argv[0], err)
	}
	return exit, nil
}

func startError(program string, err error) error {
	e := &StartError{Program: program, Code: 125, Err: err}
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		e.Code = 127
	case errors.Is(err, fs.ErrPermission), strings.Contains(err.Error(), "exec format error"):
		e.Code = 126
	}
	return e
}

// pipes carry the output. They are ours rather than exec's, because exec's would wait for every process that holds them.
type pipes struct {
	read, write [2]*os.File
	done        [2]chan struct{}
}

func connect(cmd *exec.Cmd, out process.Streams) (*pipes, error) {
	p := &pipes{}
	for i, w := range []io.Writer{out.Stdout, out.Stderr} {
		var err error
		if p.read[i], p.write[i], err = os.Pipe(); err != nil {
			p.started()
			p.drain(0)
			return nil, err
		}
		p.done[i] = make(chan struct{})
		go func() {
			defer close(p.done[i])
			_, _ = io.Copy(w, p.read[i])
		}()
	}
	cmd.Stdout, cmd.Stderr = p.write[0], p.write[1]
	return p, nil
}

// started closes this program's copies of the ends that the job writes to.
func (p *pipes) started() {
	for _, w := range p.write {
		if w != nil {
			_ = w.Close()
		}
	}
}

// drain reads what is left, for no longer than d after all writers should be gone.
func (p *pipes) drain(d time.Duration) {
	deadline := time.NewTimer(d)
	defer deadline.Stop()
	for i, r := range p.read {
		if r == nil || p.done[i] == nil {
			continue
		}
		select {
		case <-p.done[i]:
		case <-deadline.C:
			deadline.Reset(0)
		}
		_ = r.Close()
		<-p.done[i]
	}
}
