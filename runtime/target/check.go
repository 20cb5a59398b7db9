package target

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// Check is the result of one check before a run, with the line of the project's files that it concerns. Its texts are
// masked and meant for people. It says what was found at that moment: a run after it may find something else.
type Check struct {
	preflight.Result
	Origin plan.Origin // its zero value: no line
}

// Stops reports whether the check prevents the run. With requireGPU, doubts about the GPU prevent it too.
func (c Check) Stops(requireGPU bool) bool {
	return c.Status == preflight.Failed || requireGPU && c.Status == preflight.Doubtful &&
		slices.Contains([]preflight.Topic{preflight.GPUs, preflight.Driver, preflight.CUDA, preflight.Packages}, c.Topic)
}

// CheckAll checks the project, and what the target needs.
func CheckAll(ctx context.Context, t Target, job *session.Job) (checks []Check) {
	results, snap := checkProject(job)
	for _, res := range append(results, t.Check(ctx, job, snap)...) {
		check := placed(t, job.Plan, res)
		check.Text, check.Next, check.Origin.Note = secret.Hide(check.Text), secret.Hide(check.Next), secret.Hide(check.Origin.Note)
		checks = append(checks, check)
	}
	return checks
}

// placed adds the position that a result is about, unless its error names a more precise one.
func placed(t Target, p plan.Plan, res preflight.Result) Check {
	c := Check{Result: res}
	var placed *plan.PlacedError
	var unplanned *plan.Error
	var unmade *prepare.Error
	switch {
	case errors.As(res.Err, &unmade): // it knows its position
	case errors.As(res.Err, &placed):
		c.Origin, c.Text = placed.Origin, placed.Err.Error()
	case errors.As(res.Err, &unplanned):
		c.Origin, c.Text = unplanned.Origin, unplanned.Text
	default:
		c.Origin = t.Place(p, res)
	}
	return c
}

// Place returns the line that a check's result is about, for targets that know no better one.
func Place(p plan.Plan, res preflight.Result) plan.Origin {
	switch res.Topic {
	case preflight.GPUs:
		return p.GPUs.Origin
	case preflight.Program, preflight.Packages:
		if p.Interpreter.Origin.Path == "" && res.Status != preflight.OK { // where it would be set
			return plan.Origin{Path: p.Kind.Origin.Path, Line: p.Kind.Origin.Line}
		}
		return p.Interpreter.Origin
	case preflight.Folder:
		return p.ShareDir.Origin
	case preflight.Connection:
		return p.Host.Address.Origin
	default:
		return plan.Origin{}
	}
}

// FailedAs turns an error into a result.
func FailedAs(t preflight.Topic, err error) preflight.Result {
	return preflight.Result{Topic: t, Status: preflight.Failed, Text: session.Explain(err), Err: err}
}

// checkProject checks whether the project can be sent and has the script.
func checkProject(job *session.Job) (results []preflight.Result, snap project.Snapshot) {
	snap, err := job.Plan.Snapshot()
	if err != nil {
		return append(results, FailedAs(preflight.Project, err)), project.Snapshot{}
	}
	job.Size = snap.Bytes
	for _, w := range snap.Warnings {
		results = append(results, preflight.Result{Topic: preflight.Project, Status: preflight.Doubtful, Text: w.String()})
	}
	if err := CheckScript(job.Plan, snap); err != nil {
		return append(results, FailedAs(preflight.Project, err)), project.Snapshot{}
	}
	text := fmt.Sprintf("%d files and folders are sent with the job", len(snap.Entries))
	switch len(snap.Entries) {
	case 0:
		text = "no files are sent with the job"
	case 1:
		text = "1 file or folder is sent with the job"
	}
	if job.Plan.Script.Value != "" {
		text += "; its script " + job.Plan.Script.Value + " is among them"
	}
	return append(results, preflight.Result{Topic: preflight.Project, Status: preflight.OK, Text: text}), snap
}

// CheckScript detects problems before the start that the interpreter would report only afterwards, in its own words.
func CheckScript(p plan.Plan, snap project.Snapshot) error {
	script := p.Script
	if script.Value == "" || filepath.IsAbs(script.Value) || script.Value[0] == '-' {
		return nil
	}
	found, by := snap.Find(script.Value)
	switch {
	case found:
		return nil
	case by != "":
		return &plan.Error{Origin: script.Origin, Text: fmt.Sprintf("the script %s is not sent with the job: %s excludes it", script.Value, by)}
	}
	name := path.Clean(script.Value)
	text := fmt.Sprintf("there is no script %s in the project folder %s", script.Value, p.Project)
	switch {
	case name == "." || slices.ContainsFunc(snap.Entries, func(e project.Entry) bool { return e.Path == name && e.Mode.IsDir() }):
		return &plan.Error{Origin: script.Origin, Text: script.Value + " is a folder, not a script: give the path of a file in it"}
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return &plan.Error{Origin: script.Origin, Text: fmt.Sprintf("the script %s is outside the project folder %s, and only what is in it is sent with the job", script.Value, p.Project)}
	}
	if near := nearScript(script.Value, snap); near != "" {
		text += "; did you mean " + escape.Word(near) + "?"
	}
	return &plan.Error{Origin: script.Origin, Text: text}
}

// nearScript returns the file that was probably meant by a script that does not exist: one with a similar name in the
// same folder, or the only one of the same name elsewhere.
func nearScript(script string, snap project.Snapshot) string {
	dir, base := path.Split(path.Clean(script))
	var beside, elsewhere []string
	for _, e := range snap.Entries {
		if e.Mode.IsDir() {
			continue
		}
		if at, name := path.Split(e.Path); at == dir {
			beside = append(beside, name)
		} else if name == base {
			elsewhere = append(elsewhere, e.Path)
		}
	}
	if near := plain.NearestFile(base, beside); near != "" {
		return dir + near
	}
	if len(elsewhere) == 1 {
		return elsewhere[0]
	}
	return ""
}

// Judge reports, before a run, what is doubtful, and combines what has failed into one error. place adds the line to an
// error; if nil, none is added. With --require-gpu, doubts about the GPU count as failures.
func Judge(t Target, job *session.Job, results []preflight.Result, place func(error) error) error {
	var failures []error
	var found []record.Check
	for _, res := range results {
		c := placed(t, job.Plan, res)
		found = append(found, record.Check{Topic: string(res.Topic), Status: string(res.Status), Text: res.String()})
		switch {
		case res.Err != nil && res.Status == preflight.Failed && place != nil:
			failures = append(failures, place(res.Err))
		case res.Err != nil && res.Status == preflight.Failed:
			failures = append(failures, res.Err)
		case c.Stops(job.Options.RequireGPU):
			failures = append(failures, &plan.Error{Origin: c.Origin, Text: c.String()})
		case res.Status == preflight.Doubtful && c.Origin.Path != "":
			job.Say.Notice("%s: %s", c.Origin, c.Result)
		case res.Status == preflight.Doubtful:
			job.Say.Notice("%s", c.Result)
		}
	}
	if job.Found != nil && len(found) > 0 {
		job.Found(found)
	}
	if len(failures) == 1 {
		return failures[0]
	}
	return errors.Join(failures...)
}
