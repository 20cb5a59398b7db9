package settings

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/amlfix/amlfix/schema/finding"
)

// Filter returns what the settings make of findings: those that do not count
// left out, the others with the severity they are given. A fix that would change
// an excluded file is taken from its finding. Findings about the settings file
// itself always count: it must not be able to hide its own faults.
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

// Verdict tells whether a finding of a rule in the file at path counts, and how
// bad it is; severity is the one that the rule gave it. A setting for a rule is
// stronger than one for its group; of those that are equally strong, to ignore
// wins. Among paths the later entry wins over the earlier one and the top level.
func (s *Settings) Verdict(rule, path string, severity Severity) (_ Severity, counts bool) {
	if s == nil || s.Path == "" || path == s.Path {
		return severity, true
	}
	if s.Excluded(path) {
		return severity, false
	}
	counts = len(s.Select) == 0 || strength(s.Select, rule) > 0
	layer := func(ignore []string, severities map[string]Severity, selected int) {
		group, _, _ := strings.Cut(rule, "/")
		given, said := 0, Severity(0)
		if said = severities[rule]; said != 0 {
			given = 2
		} else if said = severities[group]; said != 0 {
			given = 1
		}
		if given > 0 && said != Off {
			severity = said
		}
		switch out := strength(ignore, rule); {
		case out > 0 && out >= max(given, selected), given > 0 && said == Off:
			counts = false
		case given > 0 && selected < 0:
			counts = true
		}
	}
	layer(s.Ignore, s.Severity, strength(s.Select, rule))
	for _, p := range s.Paths {
		if s.matches(p.Match, path) {
			layer(p.Ignore, p.Severity, -1)
		}
	}
	return severity, counts
}

// strength is 2 when a list names a rule, 1 when it names its group, else 0.
func strength(list []string, rule string) int {
	group, _, _ := strings.Cut(rule, "/")
	switch {
	case slices.Contains(list, rule):
		return 2
	case slices.Contains(list, group):
		return 1
	}
	return 0
}

// Excluded reports whether a file is neither reported on nor changed.
func (s *Settings) Excluded(path string) bool {
	return s != nil && len(s.Exclude) > 0 && path != s.Path && s.matches(s.Exclude, path)
}

// matches reports whether one of the patterns matches a file, or a folder it is in.
func (s *Settings) matches(patterns []string, path string) bool {
	rel := s.rel(path)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
		if pattern == "" {
			return false
		}
		return match(pattern, rel) || match(pattern+"/**", rel)
	})
}

func match(pattern, rel string) bool {
	ok, err := doublestar.Match(pattern, rel)
	return ok && err == nil
}

// rel returns a path as patterns see it: slash-separated, from the folder of the
// settings file.
func (s *Settings) rel(path string) string {
	folder := filepath.Dir(s.Path)
	if filepath.IsAbs(path) != filepath.IsAbs(folder) {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		if abs, err := filepath.Abs(folder); err == nil {
			folder = abs
		}
	}
	if rel, err := filepath.Rel(folder, path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}
