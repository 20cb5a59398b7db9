package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// strayVariables reports environment variables that are settings of what they are for, indented too far.
func strayVariables(p *Pass) {
	var seen []*schema.File
	for _, j := range p.Project.Jobs {
		i := slices.IndexFunc(j.Variables, func(v schema.Variable) bool { return stray(j.Dialect, v.Name, v.Value.Node) })
		if i < 0 || slices.Contains(seen, j.Variables[i].Value.File) {
			continue
		}
		f := j.Variables[i].Value.File
		seen = append(seen, f)
		kind, _ := FormatOf(f)
		format.Walk(kind, f.Root(), func(key, n *document.Node, place *format.Place) {
			if key == nil || !strings.EqualFold(strings.ReplaceAll(key.Value, "_", ""), "environmentVariables") {
				return
			}
			for _, e := range n.Own() {
				if name := e.Key.Value; stray(j.Dialect, name, e.Value) && place.Parent().Knows(name) && n.Parent.Get(name) == nil {
					p.reportAs(finding.Warning, finding.Location{Source: f.Source, Span: e.Key.Span, Message: fmt.Sprintf(
						"%q is indented like an environment variable: if it is meant as a setting, indent it like %q", shown(name), shown(key.Value))}, nil)
				}
			}
		})
	}
}

// stray reports whether an environment variable looks like something else: names of variables are in upper case, and
// only other keys of v2 hold references and mappings.
func stray(dialect schema.Dialect, name string, value *document.Node) bool {
	if dialect == schema.V2 {
		return value.IsMapping() || strings.HasPrefix(value.Text(), "azureml:")
	}
	return strings.ToUpper(name) != name
}
