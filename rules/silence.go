package rules

import (
	"cmp"
	"slices"
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
// the same in better words. A glued key speaks for the whole value it is in, to
// all rules but those about secrets: the value is not the one that was meant.
func silence(all []finding.Finding) []finding.Finding {
	spoken, switched := map[place]bool{}, map[place]bool{}
	glued := map[*source.Source][]source.Span{}
	for _, f := range all {
		if !strings.HasPrefix(f.Rule, "schema/") && f.Severity > finding.Info {
			spoken[place{f.Source, f.Span}] = true
		}
		if f.Rule == gpuNvidiaDocker.ID {
			switched[place{f.Source, f.Span}] = true
		}
		if f.Rule == yamlNoSpaceAfterColonID {
			glued[f.Source] = append(glued[f.Source], f.Span)
			for _, value := range f.Related {
				glued[value.Source] = append(glued[value.Source], value.Span)
			}
		}
	}
	for src := range glued {
		glued[src] = joined(glued[src])
	}
	kept := all[:0]
	for _, f := range all {
		at := place{f.Source, f.Span}
		switch {
		case f.Rule == yamlAmbiguousScalar.ID && switched[at]:
			continue // how "off" is to be written helps nobody who needs "true"
		case strings.HasPrefix(f.Rule, "schema/") && spoken[at]:
			continue
		case f.Rule != yamlNoSpaceAfterColonID && !strings.HasPrefix(f.Rule, "secret/") && overlaps(glued[f.Source], f.Span):
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

// joined sorts spans and joins those that overlap, so that they can be searched.
func joined(spans []source.Span) (list []source.Span) {
	slices.SortFunc(spans, func(a, b source.Span) int { return cmp.Compare(a.Start, b.Start) })
	for _, s := range spans {
		if n := len(list); n > 0 && s.Start < list[n-1].End {
			list[n-1].End = max(list[n-1].End, s.End)
			continue
		}
		list = append(list, s)
	}
	return list
}

// overlaps reports whether a span shares a byte with one of joined spans.
func overlaps(joined []source.Span, span source.Span) bool {
	i, _ := slices.BinarySearchFunc(joined, span.Start, func(s source.Span, at int) int { return cmp.Compare(s.End, at+1) })
	return i < len(joined) && joined[i].Overlaps(span)
}

// validate holds every file against the schema of its format.
func validate(project *schema.Project) (all []finding.Finding) {
	for _, f := range project.Files {
		kind, ok := formatOf(f)
		if !ok || f.Broken() {
			continue
		}
		if f.V2 != "" && len(f.Stream.Documents) > 1 {
			all = append(all, validateEach(f)...)
			continue
		}
		all = append(all, format.Validate(kind, f.Source, f.Root())...)
	}
	return all
}

// validateEach holds each document of v2 in a file of several against its own
// schema. Nothing is repaired there: Azure's client reads no such file.
func validateEach(f *schema.File) (all []finding.Finding) {
	for _, root := range f.Stream.Documents {
		if kind := schema.V2KindOf(root); kind != "" {
			all = append(all, format.Validate(format.Kind("v2-"+kind), f.Source, root)...)
		}
	}
	for i := range all {
		all[i].Fix = nil
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
	case f.V2 != "":
		return format.Kind("v2-" + f.V2), true
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
