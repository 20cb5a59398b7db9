package main

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// concern tells which findings are about a target and some of its jobs. Files
// are known by path, for a repaired project has new ones.
type concern struct {
	own    []string // files of the target and the jobs alone
	shared []string // environments, which others may use too
}

// concernOf returns the concern of a target, which may be nil, and jobs.
func concernOf(t *schema.Target, jobs ...*schema.Job) (c concern) {
	if t != nil {
		c.own = append(c.own, t.File.Path)
	}
	for _, j := range jobs {
		c.own = append(c.own, j.File.Path)
		if j.EnvironmentFile != nil {
			c.own = append(c.own, j.EnvironmentFile.Path)
		}
		if j.UsesConda() && j.Environment != nil {
			c.shared = append(c.shared, j.Environment.File.Path)
		}
		if j.UsesSpark() && j.Spark != nil {
			c.shared = append(c.shared, j.Spark.Path)
		}
	}
	return c
}

// about reports whether a finding is about the concern: it is in one of its own
// files, or in a shared one and there about these jobs or about no one in
// particular.
func (c concern) about(f finding.Finding) bool {
	if slices.Contains(c.own, f.Source.Path) {
		return true
	}
	return slices.Contains(c.shared, f.Source.Path) && (len(f.Related) == 0 ||
		slices.ContainsFunc(f.Related, func(l finding.Location) bool { return slices.Contains(c.own, l.Source.Path) }))
}

// errors counts the findings of severity error about the concern.
func (c concern) errors(list []finding.Finding) int { return c.count(list, finding.Error) }

// count counts the findings of one severity about the concern.
func (c concern) count(list []finding.Finding, severity finding.Severity) (n int) {
	for _, f := range list {
		if f.Severity == severity && c.about(f) {
			n++
		}
	}
	return n
}
