package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var jobVariables = Rule{
	ID:       "job/variables",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "Environment variables of an SDK v1 job are inside its environment.",
	Why: `Since SDK 1.x moved them, environmentVariables is a key of the run configuration, beside script and target; in
the environment it is deprecated, and a job that names the environment by name and version does not get them. The
example that the SDK wrote there, EXAMPLE_ENV_VAR, is left alone.`,
	Bad:  sdkPython + "  environmentVariables:\n    OMP_NUM_THREADS: \"4\"\n",
	Good: sdkPython + "environmentVariables:\n  OMP_NUM_THREADS: \"4\"\n",
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			at := j.SDK.EnvironmentVariables
			if j.Dialect != schema.SDKv1 || !at.Explicit || !at.Node.IsMapping() || at.File.Broken() || onlyExample(at) {
				continue
			}
			p.report(finding.Location{Source: at.File.Source, Span: at.Key.Span,
				Message: "variables in the environment are deprecated: move environmentVariables to the top of the run configuration, beside script"}, nil)
		}
	},
}

// onlyExample reports whether a mapping holds nothing but what the SDK's template
// has there.
func onlyExample(at schema.Field) bool {
	for _, e := range at.Node.Resolve().Entries {
		if e.Key.Value != "EXAMPLE_ENV_VAR" {
			return false
		}
	}
	return true
}
