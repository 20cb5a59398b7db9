package docker

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// timedOutFile is at the root of a container whose time limit has passed. Only the process that writes it first asks
// the job to end.
const timedOutFile = "/.amlfix-timed-out"

// watchdog is a shell script that enforces a time limit from inside the container, even when nobody watches the run. $1
// is the limit and $2 the grace period, in seconds. It ends with the container, like everything in it; a second one
// does nothing. PID 1 is the engine's init, which passes SIGTERM on to the job.
const watchdog = `command -v sleep >/dev/null || exit 127
[ ! -e /.amlfix-limit ] || exit 0
true >/.amlfix-limit
{
sleep "$1" || exit
[ -e ` + timedOutFile + ` ] || { true >` + timedOutFile + `; kill -TERM 1; }
sleep "$2"
kill -KILL -1
} </dev/null >/dev/null 2>&1 &`

// Timings of the watchdog.
const (
	watchdogSlack = 3 * time.Second  // it acts this much later: an amlfix that is watching acts first, and first copies a file in
	guardTime     = 10 * time.Second // to start it
	endingTime    = time.Second      // for the engine to learn that a container has ended; one that is busy takes longer
)

// guard starts the watchdog in a running container for the rest of the time limit, if there is one. It warns if the
// image lacks the required programs. The time that starting takes counts towards the limit.
func (r *run) guard(ctx context.Context) {
	if r.control.Limit <= 0 || ctx.Err() != nil {
		return
	}
	began := time.Now()
	defer func() { r.control.Limit = max(r.control.Limit-time.Since(began), 1) }()
	own, cancel := context.WithTimeout(ctx, guardTime)
	defer cancel()
	argv := []string{"sh", "-c", watchdog, "sh", process.Seconds(r.control.Limit + watchdogSlack), process.Seconds(r.control.GraceTime())}
	_, code, err := r.eng.Exec(own, r.id, "0", argv...)
	if err == nil && code == 0 || ctx.Err() != nil {
		return
	}
	why, patience := "the image has no programs sh and sleep", endingTime
	switch {
	case err != nil && !strings.Contains(err.Error(), "executable file not found"):
		why = Explain(err)
	case err == nil && code != process.CodeCannotRun && code != process.CodeNoProgram:
		why, patience = fmt.Sprintf("its shell ended with exit code %d", code), guardTime // hardly anything but the container's end does that
	}
	waiting, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if w := <-r.eng.Wait(waiting, r.id, false); w.Err == nil || ctx.Err() != nil { // a short job takes the shell with it
		return
	}
	r.say.Notice("the time limit applies only while amlfix is running: %s", why)
}

// left makes the time limit count from the job's start, by the engine's clock. A job that has ended no longer has a
// limit.
func (r *run) left(ctx context.Context, state State) {
	switch {
	case r.control.Limit <= 0 || ctx.Err() != nil:
	case !state.Running:
		r.control.Limit = 0
	default:
		now := time.Now()
		if info, err := r.eng.Info(ctx); err == nil {
			now = info.Now
		}
		r.control.Limit = max(r.control.Limit-now.Sub(state.Started), 1)
	}
}

// timeIsUp tells the watchdog, before it acts, that the job is already being stopped.
func (r *run) timeIsUp(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, watchdogSlack)
	defer cancel()
	pr, pw := io.Pipe()
	go func() {
		w := tar.NewWriter(pw)
		err := w.WriteHeader(&tar.Header{Name: timedOutFile[1:], Typeflag: tar.TypeReg, Mode: 0o644, ModTime: time.Now()})
		if err == nil {
			err = w.Close()
		}
		_ = pw.CloseWithError(err)
	}()
	_ = r.eng.CopyIn(ctx, r.id, pr) // without it, the job is only asked twice
	_ = pr.Close()
}

// settle determines whether a job that seems to have ended by itself was stopped by the watchdog.
func (r *run) settle(ctx context.Context, cause process.Cause) process.Cause {
	if !r.limited || cause != process.Ended {
		return cause
	}
	if _, err := r.eng.Stat(ctx, r.id, timedOutFile); err == nil {
		return process.TimedOut
	}
	return cause
}
