// Package runtime runs a job on its compute target. NewPlan describes what running the job would do, CheckRun checks
// whether that is possible, Run does it, and Attach resumes a run that another process began.
//
// It builds on other packages: plan holds what a run needs to know, session keeps its record and results, and each kind
// of target is a package below target.
package runtime

import (
	"context"

	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/runtime/target/cluster"
	"github.com/amlfix/amlfix/runtime/target/docker"
	"github.com/amlfix/amlfix/runtime/target/kubernetes"
	"github.com/amlfix/amlfix/runtime/target/local"
	"github.com/amlfix/amlfix/runtime/target/remote"
	"github.com/amlfix/amlfix/schema"
)

// targets are the kinds of targets that this version runs; see docs/add-a-target.md.
var targets = target.Registry{
	local.Target{},
	docker.Target{},
	remote.Target{},
	cluster.Target{},
	kubernetes.Target{},
}

// What callers need from the packages below.
type (
	Plan              = plan.Plan
	Options           = plan.Options
	PlanError         = plan.Error
	NotSupportedError = plan.NotSupportedError
	Origin            = plan.Origin
	RunOptions        = session.Options
	Result            = session.Result
	Outcome           = session.Outcome
	Check             = target.Check
)

// The outcomes of a run.
const (
	Succeeded  = session.Succeeded
	Failed     = session.Failed
	Cancelled  = session.Cancelled
	TimedOut   = session.TimedOut
	OOMKilled  = session.OOMKilled
	NotStarted = session.NotStarted
	Lost       = session.Lost
)

// CodeNotStarted is the exit code of a run that could not begin.
const CodeNotStarted = process.CodeNotStarted

// PasswordVariable is the environment variable that holds the SSH password. Jobs on this machine do not get it.
const PasswordVariable = target.PasswordVariable

// Explain returns what an error of this package means and what to do about it, on one line.
func Explain(err error) string { return session.Explain(err) }

// NewPlan describes what running the job would do. It starts and writes nothing; for a local run, it looks up the
// interpreter on PATH. The error is a *NotSupportedError or a *PlanError.
func NewPlan(job *schema.Job, opts Options) (Plan, error) {
	return plan.New(job, opts, targets.Way)
}

// CheckRun checks whether a plan can be carried out, without carrying it out: whether everything it needs exists, is
// reachable and fits together. It removes what it starts, and pulls no image. The error is nil unless ctx was
// cancelled; problems are in the returned checks.
func CheckRun(ctx context.Context, p Plan, opts RunOptions) ([]Check, error) {
	checks := target.CheckAll(ctx, targets.Kind(p.Kind.Value), session.NewJob(p, opts))
	return checks, context.Cause(ctx)
}

// Prepare makes the environment of a plan, even if the plan says not to, or returns it if it already exists. The output
// of the tools goes to Stdout and Stderr of opts. The error's text is for people.
func Prepare(ctx context.Context, p Plan, opts RunOptions) (prepare.Env, error) {
	return docker.Prepare(ctx, session.NewJob(p, opts))
}

// Environment returns the conda file, as shown to the user, and the image of the environment that Prepare would make;
// it returns false if there is none.
func Environment(p Plan) (file, image string, ok bool) {
	part, ok := docker.PartOf(p)
	if !ok || part.Recipe.Empty() {
		return "", "", false
	}
	return part.Conda.Value, part.Image.Value, true
}

// Push sends the record in dir to an MLflow server: all of it, or what the server lacks. The error is record.ErrBusy
// while a program is using the run.
func Push(ctx context.Context, client *mlflow.Client, dir string) (record.MLflow, error) {
	return session.Push(ctx, client, dir)
}
