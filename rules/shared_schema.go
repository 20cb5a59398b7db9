package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// validate holds every file against the schema of its format. What it finds is
// reported by the rules schema/*, each its own ids, through fromSchema.
func validate(project *schema.Project) (all []finding.Finding) {
	for _, f := range project.Files {
		kind, ok := formatOf(f)
		if !ok || f.Broken() {
			continue
		}
		all = append(all, format.Validate(kind, f.Source, f.Root())...)
	}
	return all
}

func formatOf(f *schema.File) (format.Kind, bool) {
	switch {
	case f.Kind == schema.Compute:
		return format.Compute, true
	case f.Kind == schema.RunConfig && f.Dialect == schema.SDKv1:
		return format.SDKRunConfig, true
	case f.Kind == schema.RunConfig:
		return format.WorkbenchRunConfig, true
	case f.Kind == schema.EnvironmentFile:
		return format.SDKEnvironment, true
	case f.Kind == schema.CondaFile:
		return format.Conda, true
	case f.Kind == schema.SparkFile:
		return format.Spark, true
	case f.Kind == schema.V2JobFile:
		switch strings.ToLower(f.Root().Get("type").Text()) {
		case "spark":
			return format.V2Spark, true
		case "pipeline":
			return format.V2Pipeline, true
		}
		return format.V2Command, true
	case f.Kind == schema.V2EnvironmentFile:
		return format.V2Environment, true
	case f.Kind == schema.V2ComputeFile:
		return format.V2Compute, true
	case f.Kind == schema.Settings:
		return format.Settings, true
	}
	return "", false
}

// fromSchema reports the schema findings that carry the rule's id.
func fromSchema(p *Pass) {
	for _, f := range p.shared.schema {
		if f.Rule == p.rule.ID {
			p.reportAs(f.Severity, f.Location, f.Fix, f.Related...)
		}
	}
}
