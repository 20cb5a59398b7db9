package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var yamlMultipleDocuments = Rule{
	ID:       "yaml/multiple-documents",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "The file contains more than one YAML document.",
	Why: `Each of these files should contain one document. Anything after a second "---" is ignored or makes the file
unreadable.`,
	Bad: `
-- aml_config/docker.compute --
type: localdocker
---
type: remotedocker
`,
	Good: `
-- aml_config/docker.compute --
---
type: localdocker
`,
	Check: func(p *Pass) {
		for _, f := range p.Project.Files {
			if f.Kind == schema.Unknown {
				continue
			}
			for _, problem := range f.Stream.Problems {
				if problem.Kind == document.MultipleDocuments {
					p.report(finding.Location{Source: f.Source, Span: problem.Span, Message: problem.Message}, nil)
				}
			}
		}
	},
}
