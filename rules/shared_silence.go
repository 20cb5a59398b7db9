package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// place identifies bytes of a file.
type place struct {
	src  *source.Source
	span source.Span
}

// silence drops schema findings where a specific rule reports the same in better words, and where to find a build if
// the finding is that another one is needed. A finding about a glued key replaces all findings about the value it is
// in, except those about secrets: the value is not the one that was meant. One about a key whose lines lost their
// indentation replaces those that say of each of these lines that it is unknown or unused where it is.
func silence(all []finding.Finding) []finding.Finding {
	spoken, switched, swapped := map[place]bool{}, map[place]bool{}, map[place]bool{}
	glued := map[*source.Source][]source.Span{}
	lines := map[place]bool{}
	for _, f := range all {
		if f.Rule == schemaType.ID && f.Fix != nil && len(f.Fix.Changes) > 0 && f.Fix.Changes[0].Op == finding.SpliceText && f.Source.Path == f.Fix.Changes[0].File {
			for _, c := range f.Fix.Changes {
				lines[place{f.Source, source.Span{Start: c.Offset}}] = true
			}
		}
		if !strings.HasPrefix(f.Rule, "schema/") && f.Severity > finding.Info {
			spoken[place{f.Source, f.Span}] = true
			if f.Severity == finding.Error {
				spoken[place{f.Source, withQuotes(f)}] = true
			}
		}
		if strings.HasPrefix(f.Rule, "gpu/") && f.Severity > finding.Info {
			swapped[place{f.Source, f.Span}] = true
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
		glued[src] = source.Merge(glued[src])
	}
	kept := all[:0]
	for _, f := range all {
		at := place{f.Source, f.Span}
		switch {
		case f.Rule == yamlAmbiguousScalar.ID && switched[at]:
			continue // advice on how to write "off" does not help if "true" is needed
		case f.Rule == pipLocalVersion.ID && swapped[at]:
			continue // where to find a build does not matter if another one is needed
		case strings.HasPrefix(f.Rule, "schema/") && spoken[at]:
			continue
		case (f.Rule == schemaUnknownKey.ID || f.Rule == refUnused.ID) && len(lines) > 0 && lines[place{f.Source, source.Span{Start: f.Source.Line(f.Source.LineAt(f.Span.Start)).Start}}]:
			continue // its line moves with those of the key without a value
		case f.Rule != yamlNoSpaceAfterColonID && !strings.HasPrefix(f.Rule, "secret/") && source.AnyOverlaps(glued[f.Source], f.Span):
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

// withQuotes returns the span of a finding with the quotes around it, if it is all that they contain: schema findings
// are about the whole value.
func withQuotes(f finding.Finding) source.Span {
	text, s := f.Source.Text, f.Span
	if s.Start == 0 || s.End >= len(text) || text[s.Start-1] != text[s.End] || text[s.End] != '"' && text[s.End] != '\'' {
		return s
	}
	return source.Span{Start: s.Start - 1, End: s.End + 1}
}

// onePerItem keeps, of the findings of one rule about an item that several Dockerfiles install, the most severe: each
// Dockerfile has its own jobs, and so its own message, which it names as well. The findings are sorted.
func onePerItem(p *schema.Project, all []finding.Finding) []finding.Finding {
	kept := all[:0]
	for _, f := range all {
		last := len(kept) - 1
		switch {
		case last < 0 || kept[last].Rule != f.Rule || kept[last].Span != f.Span || kept[last].Source.Path != f.Source.Path || !p.Unwritable(f.Source):
			kept = append(kept, f)
		case f.Severity > kept[last].Severity:
			f, kept[last] = kept[last], f
			fallthrough
		default:
			kept[last].Related = append(slices.Clip(kept[last].Related), alsoSaid(f, kept[last])...)
		}
	}
	return kept
}

// alsoSaid returns what a finding says that another of the same rule and item does not say, at the job that it is
// about.
func alsoSaid(f, other finding.Finding) []finding.Location {
	if len(f.Related) == 0 || f.Message == other.Message || slices.ContainsFunc(other.Related, func(l finding.Location) bool { return l.Message == f.Message }) {
		return nil
	}
	at := f.Related[0]
	at.Message = f.Message
	return []finding.Location{at}
}
