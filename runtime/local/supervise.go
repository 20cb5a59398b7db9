package local

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/runid"
)

// requestPoll is how often the supervisor looks for requests to stop.
const requestPoll = 50 * time.Millisecond

// order is what a supervisor reads from its standard input. It is never on disk, because the environment may contain
// secrets. Its texts are bytes, because JSON changes what is not UTF-8.
type order struct {
	RunID        runid.ID
	Dir, Folder  []byte
	Argv, Env    [][]byte
	Limit, Grace time.Duration
}

func rawOf(texts []string) (raw [][]byte) {
	for _, t := range texts {
		raw = append(raw, []byte(t))
	}
	return raw
}

func textsOf(raw [][]byte) (texts []string) {
	for _, r := range raw {
		texts = append(texts, string(r))
	}
	return texts
}

// Supervising reports whether this process was started to supervise a job and, if so, supervises it. A program that
// uses Run must call it at the start of main and exit if it returns true.
func Supervising() bool {
	if os.Getenv(process.Supervise) == "" {
		return false
	}
	var o order
	if json.NewDecoder(os.Stdin).Decode(&o) != nil {
		return true // the process that started this one was killed while writing the order
	}
	o.supervise()
	return true
}

// supervise starts the job, unless it is no longer wanted, and records how it ended.
func (o order) supervise() {
	f, err := filesIn(string(o.Folder))
	if err != nil {
		return // the folder was removed
	}
	defer f.close()
	lock, ok := f.lock()
	if !ok {
		return
	}
	defer lock.Close()
	if f.has(abandonedName) {
		return
	}
	write, err := f.reserve(endedName)
	if err != nil {
		return // waiting processes see that this one ended without the job
	}
	ctx, kill, stop := o.requests(f)
	defer stop()
	exit, err := o.run(ctx, f, process.Control{Limit: o.Limit, Grace: o.Grace, Kill: kill})
	_ = write(endOf(exit, err)) // waiting processes see that this one ended without the job
}

// requests returns a context that is cancelled when the job is to stop, and a channel that is closed when it is to be
// killed. SIGTERM, which a machine sends when it shuts down, also requests a stop; signals from a terminal that is
// closed do not.
func (o order) requests(f files) (ctx context.Context, kill <-chan struct{}, stop func()) {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGHUP) // not ignored, because the job would then ignore them as well
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	ctx, cancel := context.WithCancelCause(context.Background())
	now := make(chan struct{})
	over := make(chan struct{})
	go func() {
		for look := time.NewTicker(requestPoll); ; {
			select {
			case <-over:
				look.Stop()
				return
			case <-terminated:
				cancel(&process.Signalled{Signal: syscall.SIGTERM})
			case <-look.C:
			}
			switch {
			case f.has(killName):
				close(now)
				<-over
				return
			case ctx.Err() != nil:
			case f.has(interruptName):
				cancel(&process.Signalled{Signal: os.Interrupt})
			case f.has(askName):
				cancel(&process.Signalled{Signal: syscall.SIGTERM})
			}
		}
	}()
	return ctx, now, func() { close(over); cancel(nil) }
}

// run starts the job and waits for it to end. When ctx is cancelled, the whole process group gets SIGINT (if Ctrl-C
// cancelled ctx) or SIGTERM, SIGTERM again after half of the grace period, and SIGKILL at its end.
func (o order) run(ctx context.Context, f files, control process.Control) (process.Exit, error) {
	argv := textsOf(o.Argv)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = string(o.Dir), append(textsOf(o.Env), mark(o.RunID))
	setGroup(cmd)
	out, kept, err := keep(f)
	if err != nil {
		return process.Exit{}, &StartError{Program: argv[0], Code: process.CodeNotStarted, Err: err}
	}
	pipes, err := connect(cmd, out)
	if err != nil {
		return process.Exit{}, &StartError{Program: argv[0], Code: process.CodeNotStarted, Err: err}
	}
	started := time.Now()
	err = cmd.Start()
	pipes.started()
	if err != nil {
		pipes.drain(0)
		return process.Exit{}, startError(argv[0], err)
	}
	_ = f.write(begunName, begun{RunID: o.RunID, Started: started}) // without it, nobody learns of the start
	g := &group{leader: cmd.Process, mark: mark(o.RunID)}
	over := make(chan struct{})
	go func() {
		g.awaitLeader()
		g.endStragglers(ctx, control.GraceTime())
		close(over)
	}()
	cause := control.Watch(ctx, over, func(step process.Step, why process.Cause) {
		g.signal(step, why == process.Cancelled && process.Interrupted(ctx))
		if name := stepNames()[step]; name != "" {
			_ = f.write(name, why) // without it, the step is not reported
		}
	})
	state, err := g.reap()
	pipes.drain(drainTime)
	exit := process.Exit{Cause: cause, Started: started, Ended: time.Now(), Code: exitCode(state)}
	notes := []string{g.note(), kept()}
	if cause == process.Ended && (exit.Code == 128+int(syscall.SIGKILL) || exit.Code == 128+int(syscall.SIGTERM)) {
		notes = append(notes, "it was ended by a signal that amlfix did not send: another user or program or the job itself sent it, or the machine ran out of memory")
	}
	exit.Note = strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
	if err != nil {
		return exit, fmt.Errorf("%s: its end could not be observed: %w", argv[0], err)
	}
	return exit, nil
}
