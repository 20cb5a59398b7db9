package schema

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
)

// v2Linker turns v2 files into jobs. Each mapping is read once, however it is reached, so that neither aliases nor
// files that name each other cause a loop.
type v2Linker struct {
	*Project
	jobs         map[*document.Node]*Job // by the mapping; nil for a pipeline, and for what is being read
	environments map[*document.Node]*V2Environment
	computes     map[*File]*V2Compute
	targets      map[v2Target]*Target
	added        []*Job
	run          map[*Job]bool // components that another job runs
	defaults     *v2Defaults
}

// v2Target is what v2 jobs must share to have the same target.
type v2Target struct {
	compute     string
	size        *document.Node
	environment *V2Environment
	curated     string // the curated environment with CUDA that the job names
	kind        string
}

// linkV2 reads the v2 files and links them: environments with their conda files, jobs with their environments and
// computes, and with what they run.
func (p *Project) linkV2() {
	if !slices.ContainsFunc(p.Files, func(f *File) bool { return f.V2 != "" }) {
		return
	}
	p.indexAssets()
	l := &v2Linker{Project: p, jobs: map[*document.Node]*Job{}, environments: map[*document.Node]*V2Environment{},
		computes: map[*File]*V2Compute{}, targets: map[v2Target]*Target{}, run: map[*Job]bool{}}
	for _, f := range slices.Clone(p.Files) {
		switch f.Kind {
		case V2EnvironmentFile:
			l.environment(f, f.Root())
		case V2ComputeFile:
			root := f.Root()
			l.computes[f] = &V2Compute{File: f, Name: FieldAt(f, root, "name"), Size: FieldAt(f, root, "size"),
				Password: FieldAt(f, root.Get("ssh_settings"), "admin_password")}
			p.V2Computes = append(p.V2Computes, l.computes[f])
		default: // jobs are read below, when these are known
		}
	}
	l.defaults = l.readDefaults()
	for _, f := range slices.Clone(p.Files) {
		l.file(f)
	}
	l.ask()
	for _, j := range l.added {
		if j.V2.Environment != nil {
			j.V2.Environment.Jobs = append(j.V2.Environment.Jobs, j)
		}
		// A component has no machine: the jobs that run it name one.
		if j.Environment != nil && !l.run[j] {
			j.Environment.Jobs = append(j.Environment.Jobs, j)
		}
		if j.recipe != nil && !l.run[j] {
			j.recipe.install(j)
		}
		j.Target.Jobs = append(j.Target.Jobs, j)
	}
	for _, j := range l.added {
		if t := j.Target; t.Jobs[0] == j { // once for each
			t.Evidence = v2Evidence(t)
		}
	}
	p.Jobs = append(p.Jobs, l.added...)
}

// file reads the jobs of a file, and returns the job that the whole file is.
func (l *v2Linker) file(f *File) *Job {
	root := f.Root().Resolve()
	if !root.IsMapping() {
		return nil
	}
	switch f.V2 {
	case "job":
		return l.job(f, root, "", Standalone, nil)
	case "component":
		return l.job(f, root, "", Component, nil)
	case "schedule":
		if inline := root.Get("create_job"); inline != nil && inline.Kind == document.Mapping {
			l.job(f, inline, "create_job", Standalone, nil)
		}
	case "online-deployment", "batch-deployment", "model-batch-deployment":
		return l.job(f, root, "", Deployment, nil)
	default: // not run by any job
	}
	return nil
}

// job reads a mapping and what is in it: the children of a pipeline, or one job. pipeline is the pipeline that the
// mapping is a child of, or nil.
func (l *v2Linker) job(f *File, n *document.Node, where string, kind JobKind, pipeline *document.Node) *Job {
	if j, known := l.jobs[n]; known {
		return j
	}
	l.jobs[n] = nil
	if jobs := n.Get("jobs"); jobs.IsMapping() {
		l.children(f, n, jobs.Resolve(), where)
		return nil
	}
	body, runs := n.Get("task"), (*Job)(nil)
	switch component, trial := n.Get("component"), n.Get("trial"); {
	case component != nil:
		if runs = l.component(f, n, "component", where); runs == nil && l.pipeline(f, n) {
			return nil
		}
	case trial != nil:
		if kind = Trial; trial.IsMapping() {
			body = trial
		} else {
			runs = l.component(f, n, "trial", where)
		}
	case slices.Contains(controls, lower(n.Get("type"))), lower(n.Get("type")) == "pipeline":
		return nil
	}
	r := &v2Reader{l: l, file: f, own: []*document.Node{n, body.Resolve()}, pipeline: pipeline}
	j := r.read(kind, runs)
	if j.Name = f.Rel; where != "" {
		j.Name += ": " + where
	}
	l.jobs[n] = j
	l.added = append(l.added, j)
	return j
}

// controls are the types of a pipeline's children that only determine what runs.
var controls = []string{"do_while", "parallel_for", "if_else"}

func lower(n *document.Node) string { return strings.ToLower(n.Text()) }

// children reads the jobs of a pipeline. A job may be written elsewhere and be here through an alias.
func (l *v2Linker) children(f *File, pipeline, jobs *document.Node, where string) {
	if _, known := l.jobs[jobs]; known {
		return
	}
	l.jobs[jobs] = nil
	if where != "" {
		where += "."
	}
	for _, e := range jobs.Own() {
		if n := e.Value.Resolve(); n.IsMapping() {
			l.job(f, n, where+"jobs."+e.Key.Value, Child, pipeline)
		}
	}
}

// component returns what a mapping runs by one of its keys: a mapping in its place, or a file, which is read if it has
// not been read yet.
func (l *v2Linker) component(f *File, n *document.Node, key, where string) (runs *Job) {
	at := FieldAt(f, n, key)
	if inline := at.Node.Resolve(); inline.IsMapping() {
		if where != "" {
			where += "."
		}
		runs = l.job(f, inline, where+key, Component, nil)
	} else if file := l.named(at); file != nil {
		runs = l.file(file)
	}
	if runs != nil {
		l.run[runs] = true
	}
	return runs
}

// named returns the file of the component that a field names, or nil.
func (l *v2Linker) named(at Field) *File {
	if rel, ok := at.Path(); ok && l.FileAt(rel) == nil {
		l.refer(rel, V2File)
	}
	if f := l.Linked("component", at); f != nil && (f.V2 == "job" || f.V2 == "component") {
		return f
	}
	return nil
}

// pipeline reports whether what a child runs is a pipeline, whose jobs are read where it is.
func (l *v2Linker) pipeline(f *File, n *document.Node) bool {
	at := FieldAt(f, n, "component")
	if inline := at.Node.Resolve(); inline.IsMapping() {
		return inline.Get("jobs").IsMapping()
	}
	file := l.named(at)
	return file != nil && file.Root().Get("jobs").IsMapping()
}

// environment returns the environment of a mapping, read once.
func (l *v2Linker) environment(f *File, n *document.Node) *V2Environment {
	if e := l.environments[n]; e != nil || n == nil {
		return e
	}
	build := n.Get("build")
	e := &V2Environment{File: f, Node: n, Image: FieldAt(f, n, "image"), CondaPath: FieldAt(f, n, "conda_file"), Build: FieldAt(f, build, "path"),
		Dockerfile: FieldAt(f, build, "dockerfile_path").orDefault("Dockerfile")}
	if l.environments[n] = e; !e.Image.Explicit {
		if e.recipe = l.recipeOf(e.Build, e.Dockerfile); e.recipe != nil {
			e.recipe.asset = true
		}
	}
	l.V2Environments = append(l.V2Environments, e)
	if inline := e.CondaPath.Node.Resolve(); inline.IsMapping() {
		e.Conda = l.Project.environment(f, inline)
	} else if rel, ok := e.CondaPath.Path(); ok {
		if file := l.refer(rel, CondaFile); file != nil {
			e.Conda = l.Project.environment(file, file.Root())
		}
	}
	if e.Conda != nil {
		e.Conda.assets = append(e.Conda.assets, e)
	}
	return e
}

// environmentOf returns the environment that a job names or contains, if the project defines it.
func (l *v2Linker) environmentOf(at Field) *V2Environment {
	if inline := at.Node.Resolve(); inline.IsMapping() {
		return l.environment(at.File, inline)
	}
	if strings.HasPrefix(at.Text, "file:") {
		if rel, ok := at.Path(); ok {
			l.refer(rel, V2EnvironmentFile)
		}
	}
	if f := l.Linked("environment", at); f != nil {
		return l.environment(f, f.Root())
	}
	return nil
}
