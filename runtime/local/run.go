package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/process"
)

// Run starts a process, passes its output on byte for byte as it arrives, and waits for it to end. When ctx is
// cancelled or control's time limit has passed, the whole process group gets SIGINT (if Ctrl-C cancelled ctx) or
// SIGTERM, SIGTERM again after half of the grace period, and SIGKILL at its end. For a process that was not started, it
// returns an Exit with Ran unset, and a *StartError or the cause of ctx. The writers are used from one goroutine.
func Run(ctx context.Context, spec Spec, out process.Streams, control process.Control) (process.Exit, error) {
	if err := context.Cause(ctx); err != nil {
		return process.Exit{}, err
	}
	f, err := makeFiles(spec.Folder)
	if err != nil {
		return process.Exit{}, &StartError{Program: spec.Argv[0], Code: process.CodeNotStarted, Err: err}
	}
	defer f.close()
	over, err := spec.start(control)
	if err != nil {
		return process.Exit{}, &StartError{Program: spec.Argv[0], Code: process.CodeNotStarted, Err: err}
	}
	w := watcher{files: f, kill: control.Kill, began: spec.Began, stopping: spec.Stopping, over: over}
	return w.watch(ctx, Position{}, out)
}

// start starts the supervisor. The returned channel is closed when it has ended.
func (spec Spec) start(control process.Control) (over <-chan struct{}, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(spec.order(control))
	if err != nil {
		return nil, err
	}
	if os.Getenv(process.Supervise) != "" {
		return nil, errors.New("the program does not call Supervising before it runs jobs")
	}
	cmd := exec.Command(program, "(supervises run "+spec.RunID.String()+")") // the argument is for people who look at a process list
	cmd.Dir, cmd.Stdin = spec.Folder, bytes.NewReader(text)
	cmd.Env = append(withoutMark(spec.Env), process.Supervise+"="+spec.RunID.String()) // it gets no secret that the job does not get
	setSession(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // what became of the job is in its files
		close(ended)
	}()
	return ended, nil
}

func (spec Spec) order(control process.Control) order {
	return order{RunID: spec.RunID, Dir: []byte(spec.Dir), Folder: []byte(spec.Folder), Argv: rawOf(spec.Argv), Env: rawOf(spec.Env), Limit: control.Limit, Grace: control.Grace}
}

// withoutMark returns an environment in which a supervisor does not count as a process of its own job.
func withoutMark(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, Marker+"=") })
}
