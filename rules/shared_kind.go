package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

// otherKind reports a path in a v2 file that leads to a file of another kind than Azure ML reads there. Instead of a
// component it also reads a job or a flow.
func otherKind(p *Pass) {
	for _, at := range p.shared.paths {
		environment := at.key == "environment" && strings.HasPrefix(at.Text, "file:")
		rel, ok := at.Path()
		if !ok || !environment && !isConda(at) && !isComponent(at) || p.full(at.File.Source) {
			continue
		}
		f := p.Project.FileAt(rel)
		if f == nil || f.Broken() {
			continue
		}
		is, conda := "a conda file", f.Kind == schema.CondaFile && f.Root().Get("dependencies") != nil
		if f.V2 != "" {
			is = kindWords(f.V2)
		}
		name := shortName(strings.TrimPrefix(at.Text, "file:"))
		switch {
		case environment && conda:
			p.report(at.Location(fmt.Sprintf("%q is a conda file, but Azure ML expects a whole environment here and rejects this file: below environment, write image and conda_file: %s", name, name)), nil)
		case isConda(at) && f.V2 != "":
			p.report(at.Location(fmt.Sprintf("%q is %s, not a conda file, so the image cannot be built: write the path of a file with dependencies", name, is)), nil)
		case environment && f.V2 != "" && f.V2 != "environment":
			p.report(at.Location(fmt.Sprintf("%q is %s, not an environment, so Azure ML rejects this file: write the path of an environment's file", name, is)), nil)
		case isComponent(at) && (conda || !slices.Contains([]schema.V2Kind{"", "component", "job", "flow"}, f.V2)):
			p.report(at.Location(fmt.Sprintf("%q is %s, not a component, so Azure ML rejects this file: write the path of a component's file", name, is)), nil)
		}
	}
}
