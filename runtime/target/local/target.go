// Package local runs jobs as processes on this machine, in a copy of the project.
package local

import (
	"context"

	supervise "github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/spark"
	"github.com/amlfix/amlfix/runtime/target"
)

// Target is the target of type local. A job has its user's permissions; what it changes outside its working folder
// stays changed.
type Target struct{}

// About describes the target.
func (Target) About() target.About {
	return target.About{Kind: "local", Types: []target.Type{{Name: "local"}}, Where: "on this machine"}
}

// Plan looks up the program and plans the shared folder.
func (Target) Plan(d *plan.Draft) error {
	if err := d.SetLimits(true); err != nil {
		return err
	}
	if err := d.SetVariables(false); err != nil {
		return err
	}
	if err := d.SetSpark(spark.Cluster{}); err != nil {
		return err
	}
	d.SetSparkPython(func(python string) string {
		if found, err := supervise.FindProgram(python, d.Plan.Project); err == nil {
			return found.Path
		}
		return python
	})
	program, named := d.Program()
	note := plan.Join(program.Origin.Note, d.SparkNote())
	found, err := supervise.FindProgram(program.Value, d.Plan.Project)
	switch {
	case err != nil:
		note = plan.Join(note, "not found")
	case found.Note != "":
		note = plan.Join(note, found.Note)
	case !named:
		note = plan.Join(note, "found on PATH")
	}
	program.Value, program.Origin.Note = found.Path, note
	d.Plan.Interpreter = program
	d.Plan.Transport = "a copy of it is the working folder"
	err = d.Share("")
	d.SetFrameworks()
	return err
}

// Check checks the program and the folders on this machine.
func (t Target) Check(ctx context.Context, job *session.Job, _ project.Snapshot) []preflight.Result {
	return append(checkProgram(ctx, job, false), target.CheckFolders(job, true)...)
}

// Place uses the common rules.
func (Target) Place(p plan.Plan, res preflight.Result) plan.Origin { return target.Place(p, res) }
