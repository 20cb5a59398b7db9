package runtime

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
)

// Options are what the user says beside the files.
type Options struct {
	Project string // the project's root folder; required
	// Name returns the path under which origins show a file; nil for the one from the project's root.
	Name    func(*schema.File) string
	RunID   runid.ID // the zero ID: a new one
	Script  string   // the script of the command line; empty: the one that the run configuration names
	Args    []string // the script's arguments of the command line
	Timeout time.Duration
	Memory  int64 // bytes
	// Images names what to use instead of an image that a target names: the settings' `images`. ImagesFrom says where they
	// stand, for origins.
	Images     map[string]string
	ImagesFrom string
	NoScript   bool // the job is not run, only looked at or prepared for: nobody need name a script
}

// PlanError tells that a run cannot be planned. Its text starts with the place.
type PlanError struct {
	Origin Origin
	Text   string
	Usage  bool // the command line lacks something: exit code 2 rather than 125
}

func (e *PlanError) Error() string {
	if e.Origin.Path == "" {
		return e.Text
	}
	return e.Origin.String() + ": " + e.Text
}

// NewPlan says what running the job would do. Nothing is started or written; only for a local run the interpreter is
// looked for on PATH. The error is a *NotSupportedError or a *PlanError.
func NewPlan(job *schema.Job, opts Options) (Plan, error) {
	b := &planner{job: job, target: job.Target, opts: opts}
	if job.Target == nil {
		return Plan{}, &PlanError{Origin: b.at(job.TargetName), Text: fmt.Sprintf("there is no compute target %q: write %s.compute beside the run configuration, or name another one in Target",
			job.TargetName.Text, job.TargetName.Text)}
	}
	root, err := filepath.Abs(opts.Project)
	if err != nil {
		return Plan{}, &PlanError{Text: fmt.Sprintf("%s: the project folder cannot be found: %v", opts.Project, err)}
	}
	p := Plan{RunID: opts.RunID, Name: job.Name, Project: root, Target: Field[string]{job.Target.Name, b.at(job.TargetName)}}
	if p.RunID.IsZero() {
		p.RunID = runid.New(time.Now())
	}
	if p.Kind, err = b.kind(); err != nil {
		return Plan{}, err
	}
	if err := b.host(&p); err != nil {
		return Plan{}, err
	}
	if p.Script, p.Argv, err = b.command(root); err != nil {
		return Plan{}, err
	}
	if p.Env, err = b.variables(p.Kind.Value); err != nil {
		return Plan{}, err
	}
	p.Outputs = Field[string]{project.OutputsDir, Origin{Note: "what the job writes there comes back"}}
	p.Tracked = Field[bool]{b.job.TrackedRun.Bool, b.at(b.job.TrackedRun)}
	if err := b.spark(&p); err != nil {
		return Plan{}, err
	}
	if opts.Timeout > 0 {
		p.Timeout = Field[time.Duration]{opts.Timeout, commandLine}
	}
	p.Interpreter, p.InterpreterKey = b.interpreter(p.Kind.Value, root), "pythonLocation"
	if b.target.Dialect == schema.SDKv1 {
		p.InterpreterKey = "interpreterPath"
	}
	if p.Kind.Value == Docker {
		err = b.container(&p)
	} else {
		err = b.share(&p, true)
		b.frameworks(&p)
		p.GPUs = Field[GPURequest]{NoGPUs, Origin{Note: "a process sees what its user sees"}}
	}
	return p, err
}

var commandLine = Origin{Note: "command line"}

type planner struct {
	job    *schema.Job
	target *schema.Target
	opts   Options
}

// name returns the path under which a file is shown.
func (b *planner) name(f *schema.File) string {
	if b.opts.Name == nil {
		return f.Rel
	}
	return b.opts.Name(f)
}

// at says where a setting stands. One that is not given is "default".
func (b *planner) at(f schema.Field) Origin {
	if f.File == nil || !f.Explicit {
		return Origin{Note: "default"}
	}
	loc := f.Location("")
	return Origin{Path: b.name(f.File), Line: loc.Source.Position(loc.Span.Start).Line}
}

// kind tells how targets of this type run.
func (b *planner) kind() (Field[Kind], error) {
	o := b.at(b.target.Type)
	switch b.target.Type.Text {
	case "local":
		return Field[Kind]{Local, o}, nil
	case "localdocker", "docker", "remotedocker", "virtualmachine":
		return Field[Kind]{Docker, o}, nil
	case "remote":
		return Field[Kind]{Remote, o}, nil
	case "cluster":
		return Field[Kind]{Cluster, o}, nil
	}
	return Field[Kind]{}, notSupported(b.target, o)
}

// interpreter is the program that runs the script.
func (b *planner) interpreter(kind Kind, root string) Field[string] {
	name, o := b.target.PythonLocation, Origin{Note: "default"}
	spark := b.job.UsesSpark()
	if spark {
		name = b.target.SparkSubmit
	}
	if name.Explicit {
		o = b.at(name)
	}
	f := Field[string]{name.Text, o}
	if f.Value == "" {
		f.Value = "python"
	}
	if spark && kind != Cluster {
		f.Origin.Note = join(f.Origin.Note, "Framework is PySpark, "+b.at(b.job.Framework).String())
	}
	if kind == Remote || kind == Cluster {
		if !name.Explicit {
			f.Origin.Note = join(f.Origin.Note, "looked for there")
		}
		return f
	}
	if kind == Docker {
		if b.target.Dialect == schema.Workbench { // pythonLocation and sparkSubmitLocation are for local targets
			f.Value, f.Origin.Path, f.Origin.Line = "python", "", 0
			if spark {
				f.Value = "spark-submit"
			}
			f.Origin.Note = join("the image's own", f.Origin.Note)
		}
		return f
	}
	found, err := local.FindProgram(f.Value, root)
	f.Value = found.Path
	switch {
	case err != nil:
		f.Origin.Note = join(f.Origin.Note, "not found")
	case found.Note != "":
		f.Origin.Note = join(f.Origin.Note, found.Note)
	case !name.Explicit:
		f.Origin.Note = join(f.Origin.Note, "found on PATH")
	}
	return f
}

// join puts a colon between two remarks, unless one is empty.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ": " + b
}

// variables are those of the run configuration, and one that keeps Python's output live.
func (b *planner) variables(kind Kind) (env []Item, err error) {
	const live = "PYTHONUNBUFFERED"
	set := false
	for _, v := range b.job.Variables {
		if why := unsettable(v.Name, v.Value.Text, kind); why != "" {
			return nil, &PlanError{Origin: b.at(v.Value), Text: why}
		}
		env = append(env, Item{Name: v.Name, Value: v.Value.Text, Origin: b.at(v.Value), Secret: secret.Variable(v.Name, v.Value.Text)})
		set = set || v.Name == live
	}
	if !set {
		env = append(env, Item{Name: live, Value: "1", Origin: Origin{Note: "default: output comes at once"}})
	}
	return env, nil
}

// share plans the folder that nativeSharedDirectory names. used is false where it cannot be had.
func (b *planner) share(p *Plan, used bool) error {
	f := b.target.SharedDirectory
	if !f.Explicit || f.Text == "" {
		return nil
	}
	if !used {
		p.Unshared = Field[bool]{true, b.at(f)} // as in Workbench, whose own template has this pair: only a script that reads the variable is in trouble
		p.Notes = append(p.Notes, Field[string]{"nativeSharedDirectory is not used: in a container it needs sharedVolumes: true", b.at(f)})
		return nil
	}
	if p.Distributed.Value {
		p.Notes = append(p.Notes, Field[string]{"nativeSharedDirectory is not used: the script runs on a node of the cluster, and it is a folder of the head node; keep data in the cluster's file system", b.at(f)})
		return nil
	}
	name := filepath.Base(p.Project)
	if p.Host.Value != "" {
		p.ShareDir = Field[string]{path.Join(schema.Slashes(f.Text), name), b.at(f)}
		if err := refuseShare(b.at(f), p.ShareDir.Value, unsharedThere(p.ShareDir.Value)); err != nil {
			return err
		}
	} else {
		base, err := expandHome(schema.Slashes(f.Text))
		if err != nil {
			p.Notes = append(p.Notes, Field[string]{"nativeSharedDirectory is not used: this user has no home folder", b.at(f)})
			return nil
		}
		if !filepath.IsAbs(base) {
			base = filepath.Join(p.Project, base)
		}
		p.ShareDir = Field[string]{filepath.Join(base, name), b.at(f)}
		if err := refuseShare(b.at(f), p.ShareDir.Value, unsharedHere(p.ShareDir.Value, p.Project)); err != nil {
			return err
		}
	}
	inside := p.ShareDir.Value
	if p.Kind.Value == Docker {
		inside = docker.ShareDir
	}
	p.Env = append(p.Env, Item{Name: shareVariable, Value: inside, Origin: b.at(f)})
	return nil
}

func expandHome(dir string) (string, error) {
	rest, ok := strings.CutPrefix(dir, "~")
	if !ok || rest != "" && rest[0] != '/' && rest[0] != '\\' {
		return filepath.FromSlash(dir), nil
	}
	home, err := os.UserHomeDir()
	if err == nil && home == "" {
		err = errors.New("no home folder")
	}
	return filepath.Join(home, filepath.FromSlash(rest)), err
}
