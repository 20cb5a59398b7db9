package remote

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
)

// Who stops a job for its time limit first makes the mark, a folder in the run's folder, and alone asks it to end.
const (
	timedOut = "timedout"
	claim    = "mkdir " + timedOut + " 2>/dev/null || [ ! -d " + timedOut + " ]" // a full disk must not keep a job running
)

// watchdogSlack is how much later than amlfix the watchdog acts: an amlfix that watches does it first.
const watchdogSlack = time.Second

// noTimeout is what the start script prints on a machine that has no program for the watchdog.
const noTimeout = "no timeout"

// watchdog is a shell script that enforces the time limit of control while nobody watches. It does not carry the run's
// mark, starts in the project's folder, and has a pipe as its standard input that the job's own shell holds open: when
// that shell ends, the program timeout, which waits for the limit, sees the end of the pipe, so nothing outlives the job.
func (j *Job) watchdog(spec Spec, control process.Control) string {
	half := seconds(control.GraceTime() / 2)
	return strings.Join([]string{
		j.enter() + `over() { timeout "$1" cat; [ $? = 124 ]; }`,
		fmt.Sprintf("over %d || exit", seconds(control.Limit+watchdogSlack)),
		"read p t < pid",
		"if " + claim + "; then asks=true; else asks=false; fi",
		"if $asks; then {\n" + spec.OnStop + "\n" + j.send("TERM", "$p") + "\n} </dev/null & fi",
		fmt.Sprintf("if over %d; then\nif $asks; then\n%s\nfi", half, j.send("TERM", "$p")),
		fmt.Sprintf("if over %d; then\n%s\n%s\nover %d\nfi\nfi", half, spec.OnKill, j.send("KILL", "$p"), seconds(stopSlack)),
		j.endStragglers(),
	}, "\n")
}

// seconds is a time in whole seconds, not less than it is: not every timeout and sleep knows fractions.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// timeIsUp asks the job to end because its time limit is over, unless the watchdog has done that.
func (j *Job) timeIsUp(ctx context.Context, onStop string) error {
	return j.Do(ctx, "if "+claim+"; then\n"+onStop+"\nread p t < pid\n"+j.send("TERM", "$p")+"\nfi\ntrue")
}

// left is how much is left of a time limit that counts from the job's start, by that machine's clock, at least a nanosecond;
// 0 when the job has ended, the whole limit when it is not known.
func (j *Job) left(ctx context.Context, limit time.Duration) time.Duration {
	text, err := j.line.Script(ctx, j.enter()+"[ ! -e exit ] && read p t < pid && "+j.alive()+` && echo "$p $t" && date "+0 %s.%N"; true`)
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
