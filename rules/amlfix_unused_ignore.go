package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var amlfixUnusedIgnore = Rule{
	ID:       "amlfix/unused-ignore",
	Severity: finding.Warning,
	Since:    "2026-11-21",
	Doc:      "A suppression comment matches no finding.",
	Why: `The problem was fixed, or its line has moved away from the comment. If the comment stays, it will hide the
next problem of this kind.`,
	Remedy: "Removes the rule from the comment, or the whole comment if it names no other rule.",
	Bad: `
-- aml_config/docker.compute --
# amlfix: ignore schema/value -- our own type of target
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Good: `
-- aml_config/docker.compute --
# amlfix: ignore schema/value -- our own type of target
type: ourdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Check: func(p *Pass) {
		// A file that cannot be read may hide what a comment in another file is about.
		broken := func(f *schema.File) bool { return f.Kind != schema.Unknown && f.Broken() }
		if len(p.shared.comments) == 0 || slices.ContainsFunc(p.Project.Files, broken) {
			return
		}
		for i := range p.shared.comments {
			d := &p.shared.comments[i]
			if strings.HasPrefix(d.file.Rel, "../") || !d.Understood() { // another project may need what is outside of this one
				continue
			}
			for k, name := range d.Names {
				if d.used[k] || !slices.Contains(p.shared.ids, name.Text) || p.quietHere(name.Text) || p.full(d.file.Source) {
					continue
				}
				where := fmt.Sprintf("line %d has no such problem", d.Line)
				switch {
				case d.File:
					where = "the file has no such problem"
				case d.Line == 0:
					where = "no line follows the comment"
				}
				p.report(finding.Location{Source: d.file.Source, Span: name.Span,
					Message: fmt.Sprintf("the suppression of %s matches nothing: %s", name.Text, where)},
					editIgnore(d, "remove "+name.Text+" from the comment", func() string { return d.Without(d.file.Source, k) }))
			}
		}
	},
}

// quietHere reports whether a rule reports nothing for a reason outside the files.
func (p *Pass) quietHere(rule string) bool {
	return slices.Contains(hostBound, rule) && slices.Contains([]string{"linux", "js"}, p.Project.Host())
}
