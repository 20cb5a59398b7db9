package plan

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema"
)

// Options are what the user specifies in addition to the files.
type Options struct {
	Project string // the project's root folder; required
	// Name returns the path under which origins show a file; if nil, it is the path from the project's root.
	Name    func(*schema.File) string
	RunID   runid.ID // the zero ID: a new one
	Script  string   // the script from the command line; empty: the one that the run configuration names
	Args    []string // the script's arguments from the command line
	Timeout time.Duration
	Memory  int64      // bytes; 0: as the files say
	CPUs    float64    // processors; 0: as the files say
	GPUs    GPURequest // empty: as the files say
	// Images names what to use instead of an image that a target names: the settings' `images`. ImagesFrom says where
	// they are, for origins.
	Images     map[string]string
	ImagesFrom string
	// Kubernetes are the settings of a cluster, by name; later ones override earlier ones.
	Kubernetes []Item
	Build      bool  // the job's environment is built as an image by the local engine and pushed to a registry
	Work       *Work // the work of a v2 command job, whose target is then one of the user's own; nil for other jobs
	NoScript   bool  // the job is not run, only inspected or prepared for: no script is required
}

// Way describes how compute targets of a type run.
type Way struct {
	Kind   Kind
	Remote bool // on the machine that the target names rather than on this one
	Plan   func(*Draft) error
}

// New plans what running the job would do. ways returns how a type of compute target runs. New starts and writes
// nothing; for a job on this machine, it looks up the interpreter on PATH. The error is a *NotSupportedError or an
// *Error.
func New(job *schema.Job, opts Options, ways func(typ string) (Way, bool)) (Plan, error) {
	d := &Draft{Job: job, Compute: job.Target, Options: opts}
	if job.Target == nil {
		return Plan{}, &Error{Origin: d.At(job.TargetName), Text: fmt.Sprintf("there is no compute target %q: create %s.compute next to the run configuration, or use another target in Target",
			job.TargetName.Text, job.TargetName.Text)}
	}
	root, err := filepath.Abs(opts.Project)
	if err != nil {
		return Plan{}, &Error{Text: fmt.Sprintf("%s: the project folder cannot be found: %v", opts.Project, err)}
	}
	p := &d.Plan
	p.RunID, p.Name, p.Project, p.Target = opts.RunID, job.Name, root, Field[string]{job.Target.Name, d.At(job.TargetName)}
	if p.RunID.IsZero() {
		p.RunID = runid.New(time.Now())
	}
	way, ok := ways(job.Target.Type.Text)
	if !ok {
		return Plan{}, notSupported(job.Target, d.At(job.Target.Type))
	}
	p.Kind = Field[Kind]{way.Kind, d.At(job.Target.Type)}
	if way.Remote {
		if err := d.host(); err != nil {
			return Plan{}, err
		}
	}
	if err = d.what(root); err != nil {
		return Plan{}, err
	}
	p.Outputs = Field[string]{project.OutputsDir, Origin{Note: "what the job writes there is copied back"}}
	p.Tracked = Field[bool]{job.TrackedRun.Bool, d.At(job.TrackedRun)}
	if opts.Timeout > 0 {
		p.Timeout = Field[time.Duration]{opts.Timeout, CommandLine}
	}
	if p.InterpreterKey = "pythonLocation"; job.Target.Dialect == schema.SDKv1 {
		p.InterpreterKey = "interpreterPath"
	}
	p.GPUs = Field[GPURequest]{NoGPUs, Origin{Note: "a process sees everything that its user sees"}}
	err = way.Plan(d)
	return *p, err
}

// what plans what the job runs: a script, or the command of a v2 job.
func (d *Draft) what(root string) (err error) {
	p, w := &d.Plan, d.Options.Work
	if w == nil {
		p.Script, p.Argv, err = d.command(root)
		return err
	}
	p.Work, p.Target.Origin, p.Kind.Origin = w, w.Target, d.At(d.Compute.Type)
	if p.Kind.Origin.Path == "" {
		p.Kind.Origin = w.Target
	}
	p.Notes = append(p.Notes, w.Notes...)
	p.Argv = []Item{{Value: strings.TrimSpace(w.Shown), Origin: w.Command.Origin}}
	if w.Limit.Value > 0 {
		p.Timeout = Field[time.Duration]{time.Duration(w.Limit.Value) * time.Second, w.Limit.Origin}
	}
	return nil
}

// CommandLine is the origin of values from the command line.
var CommandLine = Origin{Note: "command line"}

// ImageFlag is the origin of an image that a flag selects.
var ImageFlag = Origin{Note: "command line: --image"}

// Draft is a plan under construction, with its sources. When New passes it to a target, these are set: the run, its
// target, kind and host, the script and its arguments, outputs, time limit and record. The target adds the rest, by the
// methods of Draft where other targets need the same; a method is called at most once.
type Draft struct {
	Plan    Plan
	Job     *schema.Job
	Compute *schema.Target // never nil
	Options Options
}

// Name returns the path under which a file is shown.
func (d *Draft) Name(f *schema.File) string {
	if d.Options.Name == nil {
		return f.Rel
	}
	return d.Options.Name(f)
}

// At returns the position of a setting, or "default" if it is not set.
func (d *Draft) At(f schema.Field) Origin {
	if f.File == nil || !f.Explicit {
		return Origin{Note: "default"}
	}
	loc := f.Location("")
	return Origin{Path: d.Name(f.File), Line: loc.Source.Position(loc.Span.Start).Line}
}

// Program returns the program that runs the script: the one the compute target names, or the default; named says which.
func (d *Draft) Program() (program Field[string], named bool) {
	name, o := d.Compute.PythonLocation, Origin{Note: "default"}
	if d.Job.UsesSpark() {
		name = d.Compute.SparkSubmit()
	}
	if name.Explicit {
		o = d.At(name)
	}
	return Field[string]{cmp.Or(name.Text, "python"), o}, name.Explicit
}

// SparkNote returns that the program is Spark's, and why; empty otherwise.
func (d *Draft) SparkNote() string {
	if !d.Job.UsesSpark() {
		return ""
	}
	return "Framework is PySpark, " + d.At(d.Job.Framework).String()
}

// Join puts a colon between two remarks, unless one is empty.
func Join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ": " + b
}

// Note adds a note about something that a setting requests and the run will not do.
func (d *Draft) Note(text string, f schema.Field) {
	d.Plan.Notes = append(d.Plan.Notes, Field[string]{text, d.At(f)})
}
