package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var yamlDuplicateKey = Rule{
	ID:       "yaml/duplicate-key",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A mapping has the same key twice.",
	Why: `The YAML standard forbids duplicate keys, and readers disagree about them: Azure ML's Python reader silently
takes the last value, others take the first, and others refuse the file. You may read one value and run with
the other.`,
	Bad: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
Framework: PySpark
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Good: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Check: func(p *Pass) {
		for _, f := range p.Project.Files {
			if f.Kind == schema.Unknown {
				continue
			}
			for _, problem := range f.Stream.Problems {
				if problem.Kind == document.DuplicateKey {
					severity := finding.Error
					if problem.Same && f.V2 != "" {
						severity = finding.Warning // Azure's client takes it, whichever it reads
					}
					p.reportAs(severity, finding.Location{Source: f.Source, Span: problem.Span, Message: problem.Message}, nil,
						finding.Location{Source: f.Source, Span: problem.First, Message: "first here"})
				}
			}
		}
	},
}
