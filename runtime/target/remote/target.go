// Package remote runs jobs as processes on another machine, over SSH. It also does so for targets that do more on that
// machine; see Extra.
package remote

import (
	"context"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/spark"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/runtime/target"
)

// Target is the target of type remote. A job continues if the connection breaks or this program ends; nothing is known
// about it while the machine is unavailable.
type Target struct{}

// Extra is what another target adds to a job over SSH; nil functions add nothing.
type Extra struct {
	// Check checks more than the program, if that is Spark's.
	Check func(context.Context, plan.Plan, *ssh.Line) []preflight.Result
	// Adapt changes what is started, before anything is sent.
	Adapt func(plan.Plan, *sshjob.Spec, *project.Snapshot) error
	// Elsewhere means that machines other than the plan's host do the work.
	Elsewhere bool
	// Stopping returns scripts to run in the run's folder before the job is asked to stop, and before it is killed.
	Stopping func(runid.ID) (stop, kill string)
}

// About describes the target.
func (Target) About() target.About {
	return target.About{Kind: "remote", Types: []target.Type{{Name: "remote", Remote: true}}, Where: "on that machine"}
}

// Plan plans a program on the other machine.
func (Target) Plan(d *plan.Draft) error {
	if err := d.SetLimits(true); err != nil {
		return err
	}
	if err := d.SetVariables(true); err != nil {
		return err
	}
	if err := d.SetSpark(spark.Cluster{}); err != nil {
		return err
	}
	SetProgram(d, d.SparkNote())
	d.Plan.Transport = "copied to a folder of the run there, which is the working folder"
	err := d.Share("")
	d.SetFrameworks()
	return err
}

// SetProgram plans a program that is looked up on the other machine, and the Python of a Spark job. note is a remark
// about it.
func SetProgram(d *plan.Draft, note string) {
	d.SetSparkPython(func(python string) string {
		if python == "python" { // "python" tells nothing
			return ""
		}
		return python
	})
	program, named := d.Program()
	program.Origin.Note = plan.Join(program.Origin.Note, note)
	if !named {
		program.Origin.Note = plan.Join(program.Origin.Note, "looked for there")
	}
	d.Plan.Interpreter = program
}

// Check logs in, and checks the machine and the program there.
func (Target) Check(ctx context.Context, job *session.Job, _ project.Snapshot) []preflight.Result {
	return Check(ctx, job, Extra{})
}

// Run copies the project to the machine and runs the job there.
func (t Target) Run(ctx context.Context, s *session.Session, snap project.Snapshot) (process.Exit, error) {
	return Run(ctx, t, s, snap, Extra{})
}

// Resume logs in again.
func (Target) Resume(ctx context.Context, s *session.Session, rec record.Record) (process.Exit, error) {
	return Resume(ctx, s, rec, Extra{})
}

// Fetch logs in again.
func (Target) Fetch(ctx context.Context, s *session.Session, rec record.Record) error {
	return Fetch(ctx, s, rec)
}

// Place uses the common rules.
func (Target) Place(p plan.Plan, res preflight.Result) plan.Origin { return target.Place(p, res) }
