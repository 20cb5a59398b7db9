package remote

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// timedOut is the folder in the run's folder that whoever stops a job for its time
// limit makes first, see claim in job.sh.
const timedOut = "timedout"

// watchdogSlack is how much later than amlfix the watchdog acts: an amlfix that watches does it first.
const watchdogSlack = time.Second

// noTimeout is what the start script prints on a machine that has no program for the watchdog.
const noTimeout = "no timeout"

// watchdog is a shell script that enforces the time limit of control while nobody
// watches.
func (j *Job) watchdog(spec Spec, control process.Control) string {
	limit, half := seconds(control.Limit+watchdogSlack), seconds(control.GraceTime()/2)
	return j.stopScript(spec.OnStop, spec.OnKill, call("watch", limit, half, seconds(stopSlack)))
}

// seconds is a time in whole seconds, not less than it is: not every timeout and
// sleep knows fractions.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

// timeIsUp asks the job to end because its time limit is over, unless the watchdog has done that.
func (j *Job) timeIsUp(ctx context.Context, onStop string) error {
	_, err := j.line.Script(ctx, j.stopScript(onStop, "", "enter\nstop_for_limit"))
	return j.explain(err)
}

// left is how much is left of a time limit that counts from the job's start, by that machine's clock, at least a nanosecond;
// 0 when the job has ended, the whole limit when it is not known.
func (j *Job) left(ctx context.Context, limit time.Duration) time.Duration {
	text, err := j.line.Script(ctx, j.script(`enter; [ ! -e exit ] && read -r p t <pid && alive "$p" && echo "$p $t" && date "+0 %s.%N"; true`))
	if err != nil {
		return limit
	}
	first, second, running := strings.Cut(strings.TrimSpace(text), "\n")
	if !running {
		return 0
	}
	_, start, ok1 := status(first)
	_, now, ok2 := status(second)
	if !ok1 || !ok2 {
		return limit
	}
	if start.Nanosecond() == 0 || now.Nanosecond() == 0 { // read in whole seconds: rather too late than too early
		start = start.Add(time.Second)
	}
	return max(limit-now.Sub(start), 1)
}
