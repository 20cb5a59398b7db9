package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var jobVariables = Rule{
	ID:       "job/variables",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "The environment variables of an SDK v1 job are inside its environment.",
	Why: `environmentVariables belongs at the top level of the run configuration, next to script and target. In the
environment it is deprecated, and a job that refers to the environment by name and version does not get the variables.
EXAMPLE_ENV_VAR, the example that the SDK wrote there, is not reported.`,
	Bad:  sdkPython + "  environmentVariables:\n    OMP_NUM_THREADS: \"4\"\n",
	Good: sdkPython + "environmentVariables:\n  OMP_NUM_THREADS: \"4\"\n",
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			at := j.SDK.EnvironmentVariables
			if j.Dialect != schema.SDKv1 || !at.Explicit || !at.Node.IsMapping() || at.File.Broken() || onlyExample(at) {
				continue
			}
			p.report(finding.Location{Source: at.File.Source, Span: at.Key.Span,
				Message: "environment variables inside the environment are deprecated: move environmentVariables to the top level of the run configuration, next to script"}, nil)
		}
	},
}

// onlyExample reports whether a mapping has only what the SDK's template has there.
func onlyExample(at schema.Field) bool {
	return !slices.ContainsFunc(at.Node.Resolve().Entries(), func(e document.Entry) bool { return e.Key.Value != "EXAMPLE_ENV_VAR" })
}
