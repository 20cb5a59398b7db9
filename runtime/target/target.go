// Package target defines what a kind of compute target must do to run jobs, and holds what several kinds share. Each
// kind is a package below this one; package runtime lists them, and no other code distinguishes kinds.
package target

import (
	"context"
	"slices"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
)

// Target is one kind of compute target. A value has no state: what belongs to a run is in its plan, its session and its
// record, so that another process can resume the run.
//
// A target starts exactly the job that the plan describes, gives it the project as it was scanned, and lets it write
// only to the project's outputs. It does not mask what the job prints, and guarantees nothing about what else a job
// does: a local process may do whatever its user may.
type Target interface {
	// About describes the kind. It always returns the same value.
	About() About
	// Plan adds to a draft what this kind needs, in Plan.Part where no other kind needs it. It starts, writes and
	// connects to nothing. The error is a *plan.Error.
	Plan(*plan.Draft) error
	// Check checks whether the job could be started, without starting it. It removes whatever it creates, and pulls no
	// image. What is wrong is in the results. snap is empty if the project could not be scanned.
	Check(ctx context.Context, job *session.Job, snap project.Snapshot) []preflight.Result
	// Run runs the job to its end. It enters the state progress.Starting before it starts anything that must be stopped
	// again; by then, everything needed to find the job again is recorded. When Run returns, nothing is left of the job
	// except what Result.KeptAt, Container or Folder name. If Exit.Ran is false, the error is the reason; a job whose
	// end was not seen has the cause process.Lost, and may still be running.
	Run(ctx context.Context, s *session.Session, snap project.Snapshot) (process.Exit, error)
	// Resume resumes a run that an earlier process began: output follows from the byte after the last one that is
	// recorded, and the rest is as with Run. The record may say less than happened, never more. The plan of s holds
	// what is recorded of it, without Part. The error is session.ErrNeverStarted if the job was never started; then
	// nothing is left of it.
	Resume(ctx context.Context, s *session.Session, rec record.Record) (process.Exit, error)
	// Fetch retrieves outputs that an earlier process could not retrieve, and then removes what is left of the run. On
	// error, nothing is removed.
	Fetch(ctx context.Context, s *session.Session, rec record.Record) error
	// Place returns the line of the project's files that a result of a check is about, or its zero value if there is
	// none. The function Place knows the usual ones.
	Place(p plan.Plan, res preflight.Result) plan.Origin
}

// Ahead is implemented by a Target that can save time by connecting before the run has a record. A run does not depend
// on it: Run queries whatever is missing.
type Ahead interface {
	// Ahead queries, in the background, what the run will need to know, and caches the answers in the options. It
	// changes nothing there. done is called when the run is over.
	Ahead(ctx context.Context, p plan.Plan, opts *session.Options) (done func())
}

// About describes a kind of target. Kind is stable: records name it, and a run whose record has an unknown kind cannot
// be resumed.
type About struct {
	Kind  plan.Kind
	Types []Type // the types of compute targets that run this way; no two kinds share one
	Where string // where a job's programs are looked up, for messages: "in the image"
}

// Type is a type of compute target, as .compute files name it.
type Type struct {
	Name   string
	Remote bool // the job runs on the machine that the file names as its address
}

// Registry lists the kinds of targets. No two have the same Kind or share a Type, which a test of package runtime
// checks for its list; a Registry itself returns the first.
type Registry []Target

// Kind returns the target of a kind, or nil if there is none.
func (r Registry) Kind(k plan.Kind) Target {
	for _, t := range r {
		if t.About().Kind == k {
			return t
		}
	}
	return nil
}

// Way returns how compute targets of a type run; it returns false if no kind runs them.
func (r Registry) Way(typ string) (plan.Way, bool) {
	for _, t := range r {
		about := t.About()
		for _, own := range about.Types {
			if own.Name == typ {
				return plan.Way{Kind: about.Kind, Remote: own.Remote, Plan: t.Plan}, true
			}
		}
	}
	return plan.Way{}, false
}

// Here reports whether jobs of the kind can run on this machine.
func (a About) Here() bool {
	return slices.ContainsFunc(a.Types, func(t Type) bool { return !t.Remote })
}
