package flow

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

// register holds the components of a project's files by name and version, as a
// workspace would that they were registered in.
type register map[string]map[string][]*Body

// registerOf returns the components of files.
func registerOf(files map[*schema.File]*Body) register {
	r := register{}
	for f, b := range files {
		name := b.Node.Get("name").Text()
		if f.V2 != "component" || name == "" {
			continue
		}
		if r[name] == nil {
			r[name] = map[string][]*Body{}
		}
		version := b.Node.Get("version").Text()
		r[name][version] = append(r[name][version], b)
	}
	return r
}

// find returns the component that azureml:NAME:VERSION means, and, where the
// project has that name but not that version, all that it has. Two files of one
// version are none: which was registered is not known.
func (r register) find(reference string) (found *Body, others []*Body) {
	name, version, ok := versioned(reference)
	if !ok {
		return nil, nil
	}
	if same := r[name][version]; len(same) > 0 {
		if len(same) == 1 {
			return same[0], nil
		}
		return nil, nil
	}
	for _, list := range r[name] {
		others = append(others, list...)
	}
	slices.SortFunc(others, func(a, b *Body) int { return strings.Compare(a.File.Rel, b.File.Rel) })
	return nil, others
}

// versioned splits azureml:NAME:VERSION; ok is false for labels, registries and ids
// of resources.
func versioned(reference string) (name, version string, ok bool) {
	rest, ok := strings.CutPrefix(reference, "azureml:")
	if !ok || strings.ContainsAny(rest, "/@") {
		return "", "", false
	}
	name, version, ok = strings.Cut(rest, ":")
	return name, version, ok && name != "" && version != ""
}
