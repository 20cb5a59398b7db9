package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// pipIndex is where the pip list of an environment looks for packages besides PyPI.
// pip takes the highest version of all places, and a local label makes a version
// higher: 2.3.0+cpu goes before 2.3.0, and +cu118 before +cpu, in the order of letters.
type pipIndex struct {
	// known is false where an address may have builds of all kinds.
	known bool
	// count is how many places there are, best the one with the highest label for each
	// package that one has.
	count int
	best  map[string]foundIndex
}

type foundIndex struct {
	catalog.WheelIndex
	item listed
}

// indexOptions are the options of pip that name a place for packages, but for
// those that let it look nowhere.
var indexOptions = []string{"-i", "--index-url", "--extra-index-url", "-f", "--find-links"}

// indexesOf reads the options for pip among what an environment installs. They hold for
// one list, or in a Dockerfile for one command; see schema.Package.
func indexesOf(items []listed) map[int]pipIndex {
	byCommand := map[int]pipIndex{}
	for _, pkg := range items {
		places, met := byCommand[pkg.Command]
		if !met {
			places = pipIndex{known: true, best: map[string]foundIndex{}}
		}
		switch r := pkg.Requirement; {
		case pkg.Err != nil || r.Kind != requirement.Option || pkg.Manager != requirement.Pip:
		case r.Option == "--no-index":
			places.known = false
		case slices.Contains(indexOptions, r.Option) && !catalog.IsPyPI(r.OptionValue):
			index, ok := catalog.LookupWheelIndex(r.OptionValue)
			places.known = places.known && ok
			places.count++
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

// of returns the place that pip takes a package without a label from: the one with
// the highest label that has the package. ok is false for PyPI, and where that is not
// known.
func (i pipIndex) of(name string) (best foundIndex, ok bool) {
	best, ok = i.best[name]
	return best, ok && i.known
}
