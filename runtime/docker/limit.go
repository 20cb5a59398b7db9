package docker

import (
	"archive/tar"
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// timedOutFile is at the root of a container whose time limit was over: who stops the job for that writes it first, and
// alone asks the job to end.
const timedOutFile = "/.amlfix-timed-out"

// watchdog is a shell script that enforces a time limit from inside of the container, also when nobody watches. $1 is the
// limit and $2 the grace, in seconds. It ends with the container, as everything in it does; a second one does nothing.
// PID 1 is the engine's init, which passes SIGTERM on to the job.
const watchdog = `command -v sleep >/dev/null || exit 127
[ ! -e /.amlfix-limit ] || exit 0
true >/.amlfix-limit
{
sleep "$1" || exit
[ -e ` + timedOutFile + ` ] || { true >` + timedOutFile + `; kill -TERM 1; }
sleep "$2"
kill -KILL -1
} </dev/null >/dev/null 2>&1 &`

// Times of the watchdog.
const (
	watchdogSlack = time.Second      // it is so much later than amlfix: an amlfix that watches acts first
	guardTime     = 10 * time.Second // to start it
)

// guard starts the watchdog for what is left of the time limit, if there is one, in a container that runs. It tells when
// the image has no programs for that. The time that it takes counts.
func (r *run) guard(ctx context.Context) {
	if r.control.Limit <= 0 || ctx.Err() != nil {
		return
	}
	began := time.Now()
	defer func() { r.control.Limit = max(r.control.Limit-time.Since(began), 1) }()
	own, cancel := context.WithTimeout(ctx, guardTime)
	defer cancel()
	argv := []string{"sh", "-c", watchdog, "sh", seconds(r.control.Limit + watchdogSlack), seconds(r.control.GraceTime())}
	_, code, err := r.eng.Exec(own, r.id, "0", argv...)
	if err == nil && code == 0 || ctx.Err() != nil {
		return
	}
	if state, serr := r.eng.State(own, r.id); serr == nil && !state.Running {
		return
	}
	why := "the image has no programs sh and sleep"
	if err != nil && !strings.Contains(err.Error(), "executable file not found") {
		why = Explain(err)
	}
	r.say.Notice("the time limit applies only while amlfix is running: %s", why)
}

// seconds is a time in whole seconds, not less than it is: not every sleep knows fractions.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

// left makes the time limit count from the job's start, by the engine's clock. A job that has ended has no limit any more.
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

// timeIsUp tells the watchdog, before it acts, that the job is being stopped already.
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
	_ = r.eng.CopyIn(ctx, r.id, pr) // without it the job is only asked twice
	_ = pr.Close()
}

// settle finds out whether a job that seems to have ended by itself was stopped by the watchdog.
func (r *run) settle(ctx context.Context, cause process.Cause) process.Cause {
	if !r.limited || cause != process.Ended {
		return cause
	}
	if _, err := r.eng.Stat(ctx, r.id, timedOutFile); err == nil {
		return process.TimedOut
	}
	return cause
}
