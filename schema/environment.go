package schema

import (
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
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

// Package is one item of an environment's dependency lists.
type Package struct {
	Node    *document.Node
	Manager requirement.Manager
	// Requirement is what the item asks for; meaningless if Err is set. Items with the same text share it.
	Requirement *requirement.Requirement
	// Err says why the item could not be parsed as a requirement.
	Err error
	// Command is the number, from 1, of the command of a Dockerfile that installs the package; 0 in a conda file.
	// Options of pip apply to one command.
	Command int
}

// OnlyV2 reports whether jobs use the environment, and all of them are v2 jobs.
func (e *Environment) OnlyV2() bool { return len(e.Jobs) > 0 && !e.older }

// UsedBy returns the jobs for which the service builds this environment and whose target satisfies want.
func (e *Environment) UsedBy(want func(*Target) bool) (jobs []*Job) {
	for _, j := range e.Jobs {
		if (e.built || j.UsesConda()) && want(j.Target) {
			if jobs == nil {
				jobs = make([]*Job, 0, len(e.Jobs))
			}
			jobs = append(jobs, j)
		}
	}
	return jobs
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
		if seen[t] || !e.built && !j.UsesConda() {
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

// Python returns the requirement for the interpreter; ok is false if there is none.
func (e *Environment) Python() (p Package, ok bool) {
	if e.look.Do(e.index); e.first < 0 {
		for _, other := range e.beside {
			if other.look.Do(other.index); other.first >= 0 {
				return other.Packages[other.first], true
			}
		}
		absent := requirement.Named("", "")
		return Package{Requirement: &absent}, false
	}
	return e.Packages[e.first], true
}

// Lists reports whether the environment has a package of that name, in either package manager; each compares names in
// its own way. Extras do not count.
func (e *Environment) Lists(name string) bool {
	e.look.Do(e.index)
	name, _, _ = strings.Cut(name, "[")
	for _, other := range e.beside {
		if other.look.Do(other.index); other.names[requirement.Pip][plain.PackageName(name)] || other.names[requirement.Conda][strings.ToLower(name)] {
			return true
		}
	}
	return e.names[requirement.Pip][plain.PackageName(name)] || e.names[requirement.Conda][strings.ToLower(name)]
}

// Distinct reports whether all items but options are packages with names, and no two of one manager have the same name.
func (e *Environment) Distinct() bool {
	e.look.Do(e.index)
	return e.apart
}

// Options returns the indexes of the packages that are options of pip. The list must not be changed.
func (e *Environment) Options() []int {
	e.look.Do(e.index)
	return e.list
}

// At returns the index of the package that a node holds, or -1.
func (e *Environment) At(n *document.Node) int {
	e.place.Do(func() {
		e.at = make(map[*document.Node]int, len(e.Packages))
		for i, p := range e.Packages {
			e.at[p.Node] = i
		}
	})
	if i, ok := e.at[n]; ok {
		return i
	}
	return -1
}

// Channels returns the channels that a conda file names; only is true if conda searches no others. The map must not be
// changed.
func (e *Environment) Channels() (names map[string]bool, only bool) {
	e.look.Do(e.index)
	return e.channels, e.onlyChannels
}

// index indexes the packages: rules look up each of thousands.
func (e *Environment) index() {
	sizes, items := [2]int{}, 0
	for _, p := range e.Packages {
		sizes[p.Manager]++
	}
	for m, n := range sizes {
		e.names[m] = make(map[string]bool, n)
	}
	e.first = -1
	for i := range e.Packages {
		p := &e.Packages[i]
		if p.Err != nil {
			continue
		}
		if e.first < 0 && p.Manager == requirement.Conda && p.Requirement.Key == "python" {
			e.first = i
		}
		if p.Requirement.Kind == requirement.Package {
			e.names[p.Manager][p.Requirement.Key] = true
			e.indexCUDA(p.Requirement)
		}
		if p.Requirement.Kind == requirement.Option {
			e.list = append(e.list, i)
		} else {
			items++
		}
	}
	e.apart = len(e.names[requirement.Pip])+len(e.names[requirement.Conda]) == items
	e.indexChannels()
}

// ForCUDA reports whether the environment asks for the CUDA build of a pip package: by an extra, a label or a plugin,
// such as jax[cuda12], jaxlib==0.4.14+cuda12.cudnn89 and jax-cuda12-plugin.
func (e *Environment) ForCUDA(name string) bool {
	e.look.Do(e.index)
	return e.cuda[plain.PackageName(name)]
}

func (e *Environment) indexCUDA(r *requirement.Requirement) {
	name, _, plugin := strings.Cut(r.Key, "-cuda")
	if plugin || strings.Contains(r.Constraint, "+cuda") || slices.ContainsFunc(r.Extras, func(extra string) bool { return strings.HasPrefix(extra, "cuda") }) {
		if e.cuda == nil {
			e.cuda = map[string]bool{}
		}
		e.cuda[name] = true
	}
}

func (e *Environment) indexChannels() {
	list := e.Node.Get("channels").Resolve()
	if !list.IsSequence() {
		return
	}
	e.channels = map[string]bool{}
	for _, item := range list.Items {
		if name := requirement.ChannelName(item.Text()); name == "nodefaults" {
			e.onlyChannels = true
		} else {
			e.channels[name] = true
		}
	}
}

// readEnvironment returns the environment of the mapping n.
func readEnvironment(f *File, n *document.Node) *Environment {
	e := &Environment{File: f, Node: n}
	e.targets = sync.OnceValue(e.distinctTargets)
	if n == f.Root() {
		e.Packages = slices.Clip(Note(f, notePackages, func(f *File) []Package { return readPackages(n, f.Stream.Values) }))
	} else {
		e.Packages = readPackages(n, f.Stream.Values)
	}
	return e
}

// notePackages is the number of the note on a conda file's packages; those of rules count from 0.
const notePackages = 62

// packageList is what has been read of a list.
type packageList struct {
	packages []Package
	parsed   []requirement.Requirement // the last ones, made several at a time
}

// readPackages returns the packages of the mapping n. There are at most as many as values: aliases may name one list
// many times.
func readPackages(n *document.Node, most int) []Package {
	list := n.Get("dependencies").Resolve()
	if !list.IsSequence() {
		return nil
	}
	count, pips := len(list.Items), 0
	for _, item := range list.Items {
		if pip := item.Get("pip").Resolve(); pip.IsSequence() {
			pips += len(pip.Items)
		}
	}
	seen := [2]map[string]int{pipManager: make(map[string]int, min(pips, most)), condaManager: make(map[string]int, min(count, most))}
	all := packageList{packages: make([]Package, 0, min(count+pips, most))}
	for _, item := range list.Items {
		if item.IsMapping() {
			if pip := item.Get("pip").Resolve(); pip.IsSequence() {
				for _, requirement := range pip.Items {
					all.add(requirement, pipManager, seen[pipManager])
				}
			}
			continue
		}
		all.add(item, condaManager, seen[condaManager])
	}
	return all.packages
}

const (
	pipManager   = requirement.Pip
	condaManager = requirement.Conda
)

// add parses one item, or reuses what was read from another with the same text, recorded in seen; items that are not
// strings are reported by the format's schema.
func (l *packageList) add(item *document.Node, manager requirement.Manager, seen map[string]int) {
	if !item.IsString() {
		return
	}
	text := item.Text()
	var p Package
	if i, known := seen[text]; known {
		p = l.packages[i]
	} else {
		parse := requirement.ParseConda
		if manager == requirement.Pip {
			parse = requirement.ParsePip
		}
		if len(l.parsed) == cap(l.parsed) {
			l.parsed = make([]requirement.Requirement, 0, min(32, cap(l.packages)-len(l.packages)))
		}
		r, err := parse(text)
		l.parsed = append(l.parsed, r)
		p = Package{Manager: manager, Requirement: &l.parsed[len(l.parsed)-1], Err: err}
		seen[text] = len(l.packages)
	}
	p.Node = item
	l.packages = append(l.packages, p)
}
