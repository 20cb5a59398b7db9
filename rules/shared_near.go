package rules

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/template"
)

// definedAs returns the files of the project that define something of the kinds by
// the names that they give it.
func definedAs(project *schema.Project, kinds ...string) map[string]*schema.File {
	defined := map[string]*schema.File{}
	for _, f := range project.Files {
		for _, kind := range kinds {
			if name := f.Root().Get("name"); string(f.V2) == kind && !f.Broken() && name.IsString() && name.Text() != "" {
				defined[name.Text()] = f
			}
		}
	}
	return defined
}

// nearlyNamed reports a name that nothing in the project is defined as, where just one
// thing is by nearly that name: most likely they are meant to be the same. with
// returns the field's text with another name in the place of this one.
func nearlyNamed(p *Pass, at schema.Field, name, what string, defined map[string]*schema.File, with func(name string) string) {
	if defined[name] != nil {
		return
	}
	found := ""
	for other := range defined {
		if !sameSlip(name, other) {
			continue
		}
		if found != "" {
			return
		}
		found = other
	}
	if found == "" {
		return
	}
	var fix *finding.Fix
	if change, ok := at.Set(finding.Text(with(found))); ok {
		fix = &finding.Fix{Title: fmt.Sprintf("write %q", shown(with(found))), Applicability: finding.Unsafe, Changes: []finding.Change{change}}
	}
	file := defined[found]
	p.report(at.Location(fmt.Sprintf("the project defines %s %q, not %q: if that is meant, write its name", what, shown(found), shown(name))), fix,
		schema.FieldAt(file, file.Root().Resolve(), "name").Location("it is defined here"))
}

// minSlip is how long a name must be for a missing letter to be taken for a slip.
const minSlip = 6

// sameSlip reports whether two names differ in what people get wrong without meaning
// another thing: case, hyphens and underscores, a letter too many or too few, two
// letters exchanged. env1 and env2, or gpu and cpu, are different things.
func sameSlip(a, b string) bool {
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("-_. ", r) {
				return -1
			}
			return unicode.ToLower(r)
		}, s)
	}
	a, b = plain(a), plain(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b {
		return true
	}
	if len(a) < minSlip || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(b) == len(a)+1 {
		return a[i:] == b[i+1:] && unicode.IsLetter(rune(b[i]))
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// environmentNames reports the environments that files of v2 name nearly as the
// project defines them.
func environmentNames(p *Pass) {
	defined := definedAs(p.Project, "environment")
	if len(defined) == 0 {
		return
	}
	for _, f := range p.Project.Files {
		kind, ok := formatOf(f)
		if f.V2 == "" || !ok || f.Broken() {
			continue
		}
		format.Walk(kind, f.Root(), func(key, n *document.Node, place *format.Place) {
			rest, ours := strings.CutPrefix(n.Text(), "azureml:")
			if key == nil || place.Asset() != "environments" || !n.IsString() || !ours || template.In(n.Value) || strings.HasPrefix(rest, "/") {
				return
			}
			name := rest
			if i := strings.IndexAny(rest, ":@"); i >= 0 {
				name = rest[:i]
			}
			nearlyNamed(p, schema.FieldAt(f, n.Parent, key.Value), name, "an environment", defined, func(other string) string { return "azureml:" + other + rest[len(name):] })
		})
	}
}

// endpointNames reports the endpoints that deployments name nearly as the project
// defines them.
func endpointNames(p *Pass) {
	online, batch := definedAs(p.Project, "online-endpoint"), definedAs(p.Project, "batch-endpoint")
	for _, f := range p.Project.Files {
		if !strings.HasSuffix(string(f.V2), "deployment") || f.Broken() {
			continue
		}
		defined := batch
		if f.V2 == "online-deployment" {
			defined = online
		}
		at := schema.FieldAt(f, f.Root().Resolve(), "endpoint_name")
		if at.Node.IsString() && !template.In(at.Text) {
			nearlyNamed(p, at, at.Text, "an endpoint", defined, func(name string) string { return name })
		}
	}
}
