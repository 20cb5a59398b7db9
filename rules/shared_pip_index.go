package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// pipIndex is where pip looks for an environment's packages besides PyPI. pip takes the highest version of all places,
// and a local label makes a version higher: 2.3.0+cpu is preferred to 2.3.0, and +cu118 to +cpu, in alphabetical order.
type pipIndex struct {
	// unknown is true if an address may have builds of all kinds.
	unknown bool
	// count is the number of places; best maps a package to the place with the highest label for it.
	count int
	best  map[string]foundIndex
}

type foundIndex struct {
	catalog.WheelIndex
	item listed
}

// indexesOf reads the pip options among an environment's items. They apply to one list or, in a Dockerfile, to one
// command; see schema.Package.
func indexesOf(items []listed) map[int]pipIndex {
	byCommand := map[int]pipIndex{}
	for _, pkg := range items {
		r := pkg.Requirement
		if pkg.Err != nil || r.Kind != requirement.Option || pkg.Manager != requirement.Pip {
			continue
		}
		places := byCommand[pkg.Command]
		switch {
		case r.Option == "--no-index":
			places.unknown = true
		case slices.Contains(requirement.IndexOptions, r.Option) && !catalog.IsPyPI(r.OptionValue):
			index, ok := catalog.LookupWheelIndex(r.OptionValue)
			places.unknown = places.unknown || !ok
			places.count++
			if places.best == nil {
				places.best = map[string]foundIndex{}
			}
			for _, name := range index.Packages {
				if best, found := places.best[name]; !found || index.Label > best.Label {
					places.best[name] = foundIndex{index, pkg}
				}
			}
		}
		byCommand[pkg.Command] = places
	}
	return byCommand
}

// of returns the place that pip takes an unlabelled package from: the one that has it with the highest label. ok is
// false for PyPI, and if the place is not known.
func (i pipIndex) of(name string) (best foundIndex, ok bool) {
	best, ok = i.best[name]
	return best, ok && !i.unknown
}
