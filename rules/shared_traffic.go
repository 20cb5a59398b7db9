package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// trafficNames reports deployments that get traffic of an endpoint under nearly the name that the project gives them.
// Other names are those of deployments that already exist, or that get their names on the command line.
func trafficNames(p *Pass) {
	deployments := map[string]map[string]*schema.File{} // by the name of their endpoint
	for _, f := range p.shared.v2 {
		if f.V2 != "online-deployment" {
			continue
		}
		endpoint, name := f.Root().Get("endpoint_name").Text(), f.Root().Get("name").Text()
		if deployments[endpoint] == nil {
			deployments[endpoint] = map[string]*schema.File{}
		}
		deployments[endpoint][name] = f
	}
	for _, f := range p.shared.v2 {
		if f.V2 != "online-endpoint" {
			continue
		}
		own := deployments[f.Root().Get("name").Text()]
		for _, key := range []string{"traffic", "mirror_traffic"} {
			misnamed(p, f, key, own)
		}
	}
}

// misnamed reports such deployments under a key of an endpoint.
func misnamed(p *Pass, f *schema.File, key string, own map[string]*schema.File) {
	list := f.Root().Get(key).Resolve()
	if !list.IsMapping() || list.Merges() || len(list.Entries())*len(own) > mostDefined || p.full(f.Source) {
		return
	}
	for _, e := range list.Entries() {
		var found []string
		for name := range own {
			if !list.Has(name) && isSlip(e.Key.Value, name) {
				found = append(found, name)
			}
		}
		if len(found) != 1 || own[e.Key.Value] != nil || template.In(e.Key.Value) {
			continue
		}
		file := own[found[0]]
		p.report(finding.Location{Source: f.Source, Span: e.Key.Span, Message: fmt.Sprintf(
			"the project defines a deployment %q of this endpoint, not %q: if you mean that one, write its name", shown(found[0]), shown(e.Key.Value))},
			renameKey(f, e.Value, finding.Unsafe, fmt.Sprintf("write %q", shown(found[0])), found[0]),
			schema.FieldAt(file, file.Root().Resolve(), "name").Location("it is defined here"))
	}
}

// isSlip reports whether two names of at least four characters differ in a letter that is missing, but not at the end,
// or in the order of two. Another letter may be meant: model-a and model-b.
func isSlip(a, b string) bool {
	letters := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, text)
	}
	sorted := func(text string) string {
		all := []byte(text)
		slices.Sort(all)
		return string(all)
	}
	x, y := plainName(a), plainName(b)
	switch {
	case len(a) < 4 || len(b) < 4 || letters(a) == letters(b) || plain.DistanceWithin(x, y, 1) > 1:
		return false
	case len(x) == len(y):
		return x != y && sorted(x) == sorted(y)
	}
	return !strings.HasPrefix(x, y) && !strings.HasPrefix(y, x)
}
