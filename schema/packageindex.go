package schema

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

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
//
//go:noinline
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
	for _, item := range list.Items() {
		if name := requirement.ChannelName(item.Text()); name == "nodefaults" {
			e.onlyChannels = true
		} else {
			e.channels[name] = true
		}
	}
}
