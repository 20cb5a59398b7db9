package plan

import (
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// Within returns the position of a node in a file.
func (d *Draft) Within(f *schema.File, node *document.Node) Origin {
	return Origin{Path: d.Name(f), Line: f.Source.Position(node.Span.Start).Line}
}

// SetFrameworks records the conda file's frameworks, for a target on which nothing is installed.
func (d *Draft) SetFrameworks() {
	env := d.Job.Environment
	if env == nil || d.Job.UsesSpark() {
		return
	}
	for _, pkg := range env.Packages {
		name := pkg.Requirement.Key
		if name == "" && pkg.Requirement.Wheel != nil {
			name = pkg.Requirement.Wheel.Dist
		}
		if _, ok := preflight.Framework(name); pkg.Err == nil && ok {
			d.Plan.Frameworks = append(d.Plan.Frameworks, Field[string]{name, d.Within(env.File, pkg.Node)})
		}
	}
}
