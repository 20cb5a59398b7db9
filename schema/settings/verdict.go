package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// Filter applies the settings to findings: it drops those that do not count, and sets the severity of the others. A fix
// that would change an excluded file is removed from its finding. Findings about the settings file itself always count:
// it must not be able to hide its own faults.
func (s *Settings) Filter(list []finding.Finding) []finding.Finding {
	if s == nil || s.Path == "" {
		return list
	}
	kept := make([]finding.Finding, 0, len(list))
	for _, f := range list {
		severity, counts := s.Verdict(f.Rule, f.Source.Path, f.Severity)
		if !counts {
			continue
		}
		f.Severity = severity
		if f.Fix != nil && slices.ContainsFunc(f.Fix.Changes, func(c finding.Change) bool { return s.Excluded(c.File) }) {
			f.Fix = nil
		}
		kept = append(kept, f)
	}
	return kept
}

// Verdict reports whether a finding of a rule in the file at path counts, and its severity; severity is the one that
// the rule gave it. A setting for a rule has precedence over one for its group; between equals, ignore wins. A later
// entry of paths overrides earlier ones and the top level.
func (s *Settings) Verdict(rule, path string, severity Severity) (_ Severity, counts bool) {
	v := s.verdict(rule, path, severity)
	return v.severity, v.counts
}

// Why returns the JSON pointer of the setting that decides whether a rule counts in the file at path, and with which
// severity, or "" if no setting does.
func (s *Settings) Why(rule, path string) (pointer string) {
	return s.verdict(rule, path, finding.Error).why
}

// verdict is the effect of settings on the findings of one rule in one file.
type verdict struct {
	severity Severity
	counts   bool
	why      string // the pointer of the setting that decided, or ""
}

func (s *Settings) verdict(rule, path string, severity Severity) verdict {
	v := verdict{severity: severity, counts: true}
	if s == nil || s.Path == "" || path == s.Path {
		return v
	}
	if s.Excluded(path) {
		return verdict{severity, false, "/exclude"}
	}
	selected := 0
	if len(s.Select) > 0 {
		if selected = s.named(rule).selected; selected == 0 {
			v.counts, v.why = false, "/select"
		}
	}
	v.add(rule, selected, "", s.named(rule).ignored, s.Severity)
	for _, i := range s.of(path).paths {
		v.add(rule, -1, "/paths/"+strconv.Itoa(i), strength(s.Paths[i].Ignore, rule), s.Paths[i].Severity)
	}
	return v
}

// strengths are how strongly a rule is selected and ignored everywhere.
type strengths struct{ selected, ignored int }

// named returns the strengths for a rule, which are determined once.
func (s *Settings) named(rule string) strengths {
	known, _ := s.rules.Load(rule)
	if had, ok := known.(strengths); ok {
		return had
	}
	n := strengths{strength(s.Select, rule), strength(s.Ignore, rule)}
	s.rules.Store(rule, n)
	return n
}

// matched is what the patterns say of a file.
type matched struct {
	excluded bool
	paths    []int // indexes of the Paths that apply
}

// of returns what the patterns say of the file at path, which is determined once.
func (s *Settings) of(path string) matched {
	known, _ := s.seen.Load(path)
	if had, ok := known.(matched); ok {
		return had
	}
	s.once.Do(func() {
		s.exclude = files(s.Exclude)
		for _, p := range s.Paths {
			s.match = append(s.match, files(p.Match))
		}
	})
	rel := plain.Rel(s.Folder, path)
	matches := func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, rel) }
	m := matched{excluded: slices.ContainsFunc(s.exclude, matches)}
	for i, patterns := range s.match {
		if slices.ContainsFunc(patterns, matches) {
			m.paths = append(m.paths, i)
		}
	}
	s.seen.Store(path, m)
	return m
}

// add applies the settings at a pointer. selected is how strongly the rule is selected there, or -1 if nothing is
// selected: then a severity re-enables an ignored rule. out is how strongly it is ignored.
func (v *verdict) add(rule string, selected int, pointer string, out int, severities map[string]Severity) {
	group, _, _ := strings.Cut(rule, "/")
	given, name := 0, ""
	if severities[rule] != 0 {
		given, name = 2, rule
	} else if severities[group] != 0 {
		given, name = 1, group
	}
	said := severities[name]
	if given > 0 && said != Off {
		v.severity = said
		if v.counts {
			v.why = pointer + "/severity/" + document.EscapeToken(name)
		}
	}
	switch {
	case out > 0 && out >= max(given, selected):
		v.counts, v.why = false, pointer+"/ignore"
	case given > 0 && said == Off:
		v.counts, v.why = false, pointer+"/severity/"+document.EscapeToken(name)
	case given > 0 && selected < 0:
		v.counts, v.why = true, pointer+"/severity/"+document.EscapeToken(name)
	}
}

// Excluded reports whether a file is neither reported on nor changed.
func (s *Settings) Excluded(path string) bool {
	return s != nil && len(s.Exclude) > 0 && path != s.Path && s.of(path).excluded
}
