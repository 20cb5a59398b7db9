package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/settings"
)

// Gate decides whether the remaining findings fail a check. What its fields leave open is decided by the settings of
// each finding's project.
type Gate struct {
	// FailOn is the lowest severity that fails; 0 if not specified.
	FailOn finding.Severity
	// MaxWarnings is how many warnings may remain; -1 if not specified.
	MaxWarnings int

	failed   bool
	total    int                        // of warnings
	warnings map[*settings.Settings]int // of settings with a limit
}

// Count counts a remaining finding.
func (g *Gate) Count(f report.Finding) {
	if f.Suppression != nil {
		return
	}
	failOn, s := g.FailOn, f.Settings
	if failOn == 0 && s != nil {
		failOn = s.FailOn
	}
	if failOn == 0 {
		failOn = finding.Error
	}
	g.failed = g.failed || f.Severity >= failOn
	if f.Severity == finding.Warning {
		g.total++
	}
	if s != nil && s.MaxWarnings >= 0 && f.Severity == finding.Warning {
		if g.warnings == nil {
			g.warnings = map[*settings.Settings]int{}
		}
		g.warnings[s]++
	}
}

// Closed reports whether the check fails, and which limits in settings are exceeded.
func (g *Gate) Closed(rel func(string) string) (failed bool, why []string) {
	if g.MaxWarnings >= 0 {
		return g.failed || g.total > g.MaxWarnings, nil
	}
	failed = g.failed
	byPath := func(a, b *settings.Settings) int { return cmp.Compare(a.Path, b.Path) }
	for _, s := range slices.SortedFunc(maps.Keys(g.warnings), byPath) {
		if n := g.warnings[s]; n > s.MaxWarnings {
			why = append(why, fmt.Sprintf("%s: more than the %d that max-warnings of %s allows", plain.Count(n, "warning"), s.MaxWarnings, rel(s.Path)))
			failed = true
		}
	}
	return failed, why
}
