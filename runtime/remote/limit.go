package remote

import (
	"context"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
)

// timedOut is a folder in the run's folder. Only the process that creates it stops the job for its time limit; see
// claim in job.sh.
const timedOut = "timedout"

// watchdogSlack is how much later than amlfix the watchdog acts, so that an amlfix that is watching acts first.
const watchdogSlack = time.Second

// noTimeout is what the start script prints on a machine without the program that the watchdog needs.
const noTimeout = "no timeout"

// watchdog returns a shell script that enforces control's time limit while nobody watches.
func (j *Job) watchdog(spec Spec, control process.Control) string {
	limit, half := process.Seconds(control.Limit+watchdogSlack), process.Seconds(control.GraceTime()/2)
	return j.stopScript(spec.OnStop, spec.OnKill, call("watch", limit, half, process.Seconds(stopSlack)))
}

// timeIsUp asks the job to end because its time limit has passed, unless the watchdog has done so.
func (j *Job) timeIsUp(ctx context.Context, onStop string) error {
	_, err := j.line.Script(ctx, j.stopScript(onStop, "", "enter\nstop_for_limit"))
	return j.explain(err)
}

// left returns how much is left of a time limit that counts from the job's start, by that machine's clock: at least a
// nanosecond; 0 if the job has ended; the whole limit if the start is not known.
func (j *Job) left(ctx context.Context, limit time.Duration) time.Duration {
	age, running := j.age(ctx)
	if !running {
		return 0
	}
	return max(limit-age, 1)
}

// SayRunning reports that the job is still running, unless it has ended.
func (j *Job) SayRunning(ctx context.Context, say progress.Sink) {
	asked, cancel := context.WithTimeout(ctx, leftTime)
	defer cancel()
	if age, running := j.age(asked); running && age > 0 {
		say.Enter(progress.Running, "running on %s, since %s", j.line.Name(), time.Now().Add(-age).Format(time.DateTime))
	}
}

// age returns how long the job has been running, by that machine's clock; 0 if that is not known.
func (j *Job) age(ctx context.Context) (age time.Duration, running bool) {
	text, err := j.line.Script(ctx, j.script(`enter; [ ! -e exit ] && read -r p t <pid && alive "$p" && echo "$p $t" && date "+0 %s.%N"; true`))
	if err != nil {
		return 0, true
	}
	first, second, running := strings.Cut(strings.TrimSpace(text), "\n")
	if !running {
		return 0, false
	}
	_, start, ok1 := status(first)
	_, now, ok2 := status(second)
	if !ok1 || !ok2 {
		return 0, true
	}
	if start.Nanosecond() == 0 || now.Nanosecond() == 0 { // whole seconds only: better too late than too early
		start = start.Add(time.Second)
	}
	return now.Sub(start), true
}
