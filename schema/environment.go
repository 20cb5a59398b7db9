package schema

import (
	"slices"
	"sync"

	"github.com/amlfix/amlfix/schema/document"
)

// Environment is a conda environment: a conda file, or the same inline in an SDK v1 run configuration.
type Environment struct {
	// File is where the environment is.
	File *File
	// Node is the mapping that holds "dependencies"; nil if it is Built.
	Node *document.Node
	// Packages are its requirements in file order, conda's and pip's.
	Packages []Package
	// Jobs are the jobs that name this environment, whether or not the service would build it for them. A v2 component
	// that other jobs run is not among them, but those jobs are.
	Jobs []*Job

	targets func() []*Target // see Targets

	look  sync.Once
	names [2]map[string]bool // keys of the packages by their manager; see Lists
	apart bool               // see Distinct
	first int                // index of the first requirement for Python, -1 without one
	list  []int              // see Options
	cuda  map[string]bool    // see ForCUDA

	place sync.Once
	at    map[*document.Node]int // see At

	assets []*V2Environment // that are made of it
	built  bool             // see Built
	beside []*Environment   // those of one Dockerfile, itself among them

	together []Package // of all of these
	older    bool      // a run configuration names it

	channels     map[string]bool // see Channels
	onlyChannels bool
}

// OnlyV2 reports whether jobs use the environment, and all of them are v2 jobs.
func (e *Environment) OnlyV2() bool { return len(e.Jobs) > 0 && !e.older }

// InV2 reports whether an environment of v2 is made of it.
func (e *Environment) InV2() bool { return len(e.assets) > 0 }

// servesJob reports whether the service builds the environment for one of its Jobs.
func (e *Environment) servesJob(j *Job) bool { return e.built || j.UsesConda() }

// UsedBy returns the jobs for which the service builds this environment and whose target satisfies want.
func (e *Environment) UsedBy(want func(*Target) bool) (jobs []*Job) {
	for _, j := range e.Jobs {
		if e.servesJob(j) && want(j.Target) {
			if jobs == nil {
				jobs = make([]*Job, 0, len(e.Jobs))
			}
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// IsUsedBy reports whether UsedBy returns any job.
//
//go:noinline
func (e *Environment) IsUsedBy(want func(*Target) bool) bool {
	return slices.ContainsFunc(e.Jobs, func(j *Job) bool { return e.servesJob(j) && want(j.Target) })
}

// Targets returns the targets for which the service builds this environment, each once, and only one of several v2
// targets with the same machine and image: thousands of jobs may share an environment. The list must not be changed.
func (e *Environment) Targets() []*Target { return e.targets() }

// likeTarget is what two v2 targets must share to count as the same in Targets.
type likeTarget struct {
	image, size, kind              string
	gpu, requested, declined, open bool
}

// distinctTargets computes what Targets returns.
func (e *Environment) distinctTargets() (list []*Target) {
	seen, like := map[*Target]bool{}, map[likeTarget]bool{}
	for _, j := range e.Jobs {
		t := j.Target
		if seen[t] || !e.servesJob(j) {
			continue
		}
		if seen[t] = true; t.Dialect == V2 {
			key := likeTarget{t.Base().Text, t.VMSize.Text, t.Type.Text, t.GPU(), t.requested, t.declined, t.Open()}
			if like[key] {
				continue
			}
			like[key] = true
		}
		list = append(list, t)
	}
	return list
}

// NewEnvironment returns the conda environment of the mapping n of a file.
func NewEnvironment(f *File, n *document.Node) *Environment {
	e := &Environment{File: f, Node: n}
	e.targets = sync.OnceValue(e.distinctTargets)
	if n == f.Root() {
		e.Packages = slices.Clip(TextNote(f, notePackages, func(f *File) []Package { return readPackages(n, f.Stream.Values) }))
	} else {
		e.Packages = readPackages(n, f.Stream.Values)
	}
	return e
}

// EnvironmentAt returns the conda environment of a file that no job of the project names yet; nil if there is none, or
// if it cannot be read.
func (p *Project) EnvironmentAt(rel string) *Environment {
	if f := p.FileAt(rel); f != nil {
		return nil
	}
	name, ok := p.reach(rel)
	if !ok {
		return nil
	}
	f := p.read(name)
	if f.Broken() || f.Root().Get("dependencies") == nil {
		return nil
	}
	return NewEnvironment(f, f.Root())
}
