package check

import (
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestGate counts two warnings, an info and an accepted error of a project with settings, and a warning of another
// project, which does not count towards the limit of the first.
func TestGate(t *testing.T) {
	limit := func(n int) *settings.Settings { return &settings.Settings{Path: "a.yaml", MaxWarnings: n} }
	text := "2 warnings: more than the 1 that max-warnings of a.yaml allows"
	for name, c := range map[string]struct {
		gate     Gate
		settings *settings.Settings
		failed   bool
		why      []string
	}{
		"no limit":              {gate: Gate{MaxWarnings: -1}, settings: limit(-1)},
		"met":                   {gate: Gate{MaxWarnings: -1}, settings: limit(2)},
		"exceeded":              {gate: Gate{MaxWarnings: -1}, settings: limit(1), failed: true, why: []string{text}},
		"the flag counts all":   {gate: Gate{MaxWarnings: 2}, settings: limit(-1), failed: true},
		"the flag overrides":    {gate: Gate{MaxWarnings: 3}, settings: limit(0)},
		"severity of settings":  {gate: Gate{MaxWarnings: -1}, settings: &settings.Settings{MaxWarnings: -1, FailOn: finding.Warning}, failed: true},
		"severity of the flag":  {gate: Gate{MaxWarnings: -1, FailOn: finding.Error}, settings: &settings.Settings{MaxWarnings: -1, FailOn: finding.Info}},
		"never, and the limit":  {gate: Gate{MaxWarnings: -1, FailOn: settings.Never}, settings: limit(1), failed: true, why: []string{text}},
		"never, and no warning": {gate: Gate{MaxWarnings: -1, FailOn: settings.Never}, settings: limit(2)},
	} {
		count := func(s *settings.Settings, severity finding.Severity, accepted *finding.Suppression) {
			c.gate.Count(report.Finding{Severity: severity, Suppression: accepted, Settings: s})
		}
		count(c.settings, finding.Warning, nil)
		count(c.settings, finding.Warning, nil)
		count(c.settings, finding.Info, nil)
		count(c.settings, finding.Error, &finding.Suppression{})
		count(nil, finding.Warning, nil)
		failed, why := c.gate.Closed(func(path string) string { return path })
		testkit.Same(t, c.failed, failed, name)
		testkit.Same(t, c.why, why, name)
	}
}
