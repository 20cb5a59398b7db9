package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/ssh"
)

// How often, and for how long, amlfix retries a machine that went away.
const (
	firstPause  = 100 * time.Millisecond
	longPause   = 10 * time.Second
	patienceFor = 10 * time.Minute
	workedFor   = 200 * time.Millisecond // a connection that lasted this long was a good one
)

// Exit codes of the functions in job.sh.
const (
	folderGone = 67
	notBegun   = 68
	jobGone    = 70
)

// ErrGone means that the run's folder no longer exists.
var ErrGone = errors.New("the run's folder no longer exists: it was removed")

// ErrNotBegun means that amlfix ended before it started the job.
var ErrNotBegun = errors.New("amlfix ended before it had started the job")

// Follow passes the job's output on, from the given position, until the job has ended, and returns how it ended: by
// itself, or by its time limit, whoever enforced it. If the connection breaks, Follow reconnects, reports this to say,
// and resumes the output at the next byte. The error is ErrGone, ErrNotBegun, a connection error if the machine does
// not come back, or the cause of ctx; the job may then still be running. Times are by the other machine's clock.
func (j *Job) Follow(ctx context.Context, out process.Streams, from Position, say progress.Sink) (process.Exit, Position, error) {
	f := &follower{job: j, say: say, out: counter{w: out.Stdout, n: from.Stdout}, err: counter{w: out.Stderr, n: from.Stderr}}
	exit, err := f.follow(ctx)
	return exit, Position{f.out.n, f.err.n}, err
}

// counter counts what it passes on.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	if c.w == nil {
		return len(p), nil
	}
	_, _ = c.w.Write(p) // what a reader refuses is dropped; the position advances
	return len(p), nil
}

type follower struct {
	job      *Job
	say      progress.Sink
	out, err counter
}

func (f *follower) follow(ctx context.Context) (process.Exit, error) {
	live := func() string { // until the job has ended or this session has lost its sshd
		return call("follow", strconv.FormatInt(f.out.n+1, 10), strconv.FormatInt(f.err.n+1, 10))
	}
	if err := f.again(ctx, func() error { return f.stream(ctx, f.job.script(live())) }); err != nil && !gone(err) {
		return process.Exit{}, f.job.explain(err)
	}
	// The first script ends its tails when the job has ended: the rest of the output follows now.
	rest := func() string {
		return fmt.Sprintf("enter\ntail -c +%d out\ntail -c +%d err >&2\ntrue", f.out.n+1, f.err.n+1)
	}
	if err := f.again(ctx, func() error { return f.stream(ctx, f.job.script(rest())) }); err != nil {
		return process.Exit{}, f.job.explain(err)
	}
	return f.ended(ctx)
}

func (f *follower) stream(ctx context.Context, script string) error {
	return f.job.line.ScriptTo(ctx, script, process.Streams{Stdout: &f.out, Stderr: &f.err})
}

func gone(err error) bool {
	exit, ok := errors.AsType[*ssh.ExitError](err)
	return ok && exit.Code == jobGone
}

func (j *Job) explain(err error) error {
	if exit, ok := errors.AsType[*ssh.ExitError](err); ok {
		switch exit.Code {
		case folderGone:
			return fmt.Errorf("%s: %w", j.Folder(), ErrGone)
		case notBegun:
			return fmt.Errorf("%s: %w", j.Folder(), ErrNotBegun)
		}
	}
	return err
}

// ended reads how the job ended.
func (f *follower) ended(ctx context.Context) (exit process.Exit, err error) {
	var text string
	err = f.again(ctx, func() (err error) {
		text, err = f.job.line.Script(ctx, f.job.script("ended"))
		return err
	})
	if err != nil {
		return exit, f.job.explain(err)
	}
	lines := strings.Split(text, "\n")
	if len(lines) < 5 {
		return exit, fmt.Errorf("%s: the run's files have an unexpected content: %q", f.job.Folder(), text)
	}
	exit.Cause = process.Ended
	if lines[3] == timedOut {
		exit.Cause = process.TimedOut
	}
	_, exit.Started, _ = status(lines[0])
	code, at, ok := status(lines[1])
	if ok {
		exit.Code, exit.Ended = code, at
		if code != 0 && lines[4] == "full" {
			exit.Note = "the disk with its home folder is full there: the end of its output may be missing"
		}
		return exit, nil
	}
	_, now, _ := status("0 " + lines[2])
	exit.Code, exit.Ended = 137, now
	exit.Note = "it left no exit code: its machine was restarted, or the whole run was killed"
	return exit, nil
}

// again repeats a read-only request until it succeeds or fails for good, and reconnects if the connection is lost.
func (f *follower) again(ctx context.Context, do func() error) error {
	return f.job.patiently(ctx, f.say, do)
}

func (j *Job) patiently(ctx context.Context, say progress.Sink, do func() error) error {
	var since time.Time
	pause := firstPause
	for {
		began := time.Now()
		err := do()
		if !ssh.Temporary(err) {
			return err
		}
		if since.IsZero() || ssh.Is(err, ssh.LineLost) && time.Since(began) > workedFor { // this is another break
			since, pause = time.Now(), firstPause
			say.Notice("the connection to the machine was lost; the job continues there, reconnecting")
		}
		if time.Since(since) > cmp.Or(j.patience, patienceFor) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
		pause = min(2*pause, longPause)
	}
}
