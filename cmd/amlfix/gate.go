package main

import (
	"cmp"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
)

// gate decides whether the findings that are left fail a check. What the command
// line does not say, the settings of each finding's project do.
type gate struct {
	failOn      finding.Severity // of the command line; 0 when it says nothing
	maxWarnings int              // of the command line; -1 when it says nothing
	exitZero    bool
	failed      bool
	total       int                        // of warnings
	warnings    map[*settings.Settings]int // of settings with a limit
}

// gateOf reads the flags.
func gateOf(ctx *cli.Context) (g gate, err error) {
	g.maxWarnings, g.exitZero = ctx.Int("max-warnings"), ctx.Bool("exit-zero")
	if ctx.IsSet("fail-on") {
		if g.failOn, err = settings.ParseFailOn(ctx.String("fail-on")); err != nil {
			return g, usage("check", "--fail-on: %v", err)
		}
	}
	if ctx.IsSet("max-warnings") && g.maxWarnings < 0 {
		return g, usage("check", "--max-warnings: %d is no number of warnings", g.maxWarnings)
	}
	return g, nil
}

// count takes a finding that is left.
func (g *gate) count(f report.Finding) {
	if f.Suppression != nil {
		return
	}
	failOn, s := g.failOn, f.Settings
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

// closed reports whether the check fails. say is told of limits that are passed.
func (g *gate) closed(say func(format string, args ...any), rel func(string) string) bool {
	failed := g.failed
	if g.maxWarnings >= 0 {
		return failed || g.total > g.maxWarnings
	}
	byPath := func(a, b *settings.Settings) int { return cmp.Compare(a.Path, b.Path) }
	for _, s := range slices.SortedFunc(maps.Keys(g.warnings), byPath) {
		if n := g.warnings[s]; n > s.MaxWarnings {
			say("%s: more than the %d that max-warnings of %s allows", ui.Count(n, "warning"), s.MaxWarnings, rel(s.Path))
			failed = true
		}
	}
	return failed
}
