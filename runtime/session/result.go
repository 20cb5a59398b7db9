package session

import (
	"fmt"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// Outcome is how a run ended.
type Outcome string

// The outcomes.
const (
	Succeeded  Outcome = "succeeded"
	Failed     Outcome = "failed"      // the job's own exit code
	Cancelled  Outcome = "cancelled"   // by the user, even if the job then ended well
	TimedOut   Outcome = "timed out"   // the time limit has passed
	OOMKilled  Outcome = "oom-killed"  // for lack of memory, the kernel killed the job, or one of its processes and the job then failed
	NotStarted Outcome = "not started" // the job's program never ran
	Lost       Outcome = "lost"        // the engine went away: the job may still be running
)

// Result is the result of a run.
type Result struct {
	RunID   runid.ID // the zero ID: there was no run
	Outcome Outcome
	// Code is the exit code for the command line: the job's own, or 124 timed out, 125 not started or lost, 126 and 127
	// program not executable or not found, 130 cancelled by Ctrl-C, 143 cancelled otherwise.
	Code    int
	JobCode int       // the job's own exit code, even after a cancellation; meaningless if it was not started
	Started time.Time // zero: never
	Ended   time.Time
	Reason  string // why, in one sentence; may be empty
	GPUWay  docker.GPUWay
	// Environment is the one that the job ran in; its Image is empty if nothing was to be installed.
	Environment prepare.Env
	Outputs     project.Collected
	OutputsErr  error  // outputs could not be copied back completely
	KeptAt      string // the folder that holds outputs that could not be copied back, with its host if on another machine; empty: none
	Container   string // the name of a container that was left running (Lost)
	Folder      string // the folder, with its host, of a run on another machine that was left there (Lost)
	Evidence    evidence.Verdict
	GPUWanted   bool              // the job should use a GPU
	Warnings    []project.Warning // about the project, from before the run
	Record      string            // the folder of the run's record; empty: there is none any more

	said string // what was reported about the GPU when the run ended
}

// GPUSentence returns the GPU verdict for people, in the words of evidence.Verdict.
func (r Result) GPUSentence() string {
	if r.said != "" {
		return r.said
	}
	return r.Evidence.Sentence()
}

// SaysGPU reports whether the verdict is meaningful: it is not for a job that should not use a GPU and whose machine is
// not known to have one.
func (r Result) SaysGPU() bool {
	return !r.Started.IsZero() && (r.GPUWanted || r.Evidence.Level != evidence.None || r.Evidence.Peak.Samples > 0 || r.Evidence.StandIn)
}

// Duration returns how long the job ran; 0 if not known.
func (r Result) Duration() time.Duration {
	if r.Started.IsZero() || r.Ended.IsZero() {
		return 0
	}
	return r.Ended.Sub(r.Started)
}

// Sentence returns how the run ended and what was copied back, without a final full stop.
func (r Result) Sentence() string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %s %s", r.RunID, r.Outcome)
	if r.Outcome == Failed || r.Outcome == OOMKilled {
		fmt.Fprintf(&b, " with exit code %d", r.JobCode)
	}
	if d := r.Duration(); d > 0 {
		round := 100 * time.Millisecond
		if d < time.Second {
			round = time.Millisecond
		}
		fmt.Fprintf(&b, " after %v", d.Round(round))
	}
	if r.Reason != "" {
		b.WriteString(": " + r.Reason)
	}
	if r.Container != "" {
		fmt.Fprintf(&b, "; its container is %s: resume the run with `amlfix runs attach %s`", r.Container, r.RunID)
	}
	if r.Folder != "" {
		fmt.Fprintf(&b, "; it is left on %s: resume the run with `amlfix runs attach %s`", r.Folder, r.RunID)
	}
	if r.Outputs.Files > 0 {
		fmt.Fprintf(&b, "; %s (%s) in %s/", plain.Count(r.Outputs.Files, "file"), progress.Bytes(r.Outputs.Bytes), project.OutputsDir)
	}
	if r.OutputsErr != nil {
		b.WriteString("; outputs are missing: " + oneLine(r.OutputsErr.Error()))
		if r.KeptAt != "" {
			fmt.Fprintf(&b, ", they are kept in %s: `amlfix runs fetch %s` tries again", r.KeptAt, r.RunID)
		}
	}
	return b.String()
}

// reasonLimit is how many characters of a reason are shown and recorded: it may contain the unlimited messages of an
// engine or a machine.
const reasonLimit = 4000

func oneLine(text string) string {
	return escape.Said(secret.Hide(strings.Join(strings.Split(text, "\n"), "; ")), reasonLimit)
}
