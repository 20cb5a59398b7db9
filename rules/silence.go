package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
)

// place identifies bytes of a file.
type place struct {
	src  *source.Source
	span source.Span
}

// silence drops schema findings where a specific rule already speaks: it says
// the same in better words.
func silence(all []finding.Finding) []finding.Finding {
	spoken := map[place]bool{}
	for _, f := range all {
		if !strings.HasPrefix(f.Rule, "schema/") {
			spoken[place{f.Source, f.Span}] = true
		}
	}
	kept := all[:0]
	for _, f := range all {
		if strings.HasPrefix(f.Rule, "schema/") && spoken[place{f.Source, f.Span}] {
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

// validate holds every file against the schema of its format.
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
	case f.Kind == schema.CondaFile:
		return format.Conda, true
	case f.Kind == schema.SparkFile:
		return format.Spark, true
	}
	return "", false
}

// fromSchema reports the schema findings that carry the rule's id.
func fromSchema(p *Pass) {
	for _, f := range p.shared.schema {
		if f.Rule == p.rule.ID {
			p.report(f.Location, f.Fix, f.Related...)
		}
	}
}
