package check

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// Concern selects the findings about a target and some of its jobs. It identifies files by path, because a repaired project
// has new ones.
type Concern struct {
	own    []string // files used only by the target and the jobs
	shared []string // environments that others may use as well
}

// ConcernOf returns the concern of a target, which may be nil, and jobs.
func ConcernOf(t *schema.Target, jobs ...*schema.Job) (c Concern) {
	if t != nil {
		c.own = append(c.own, t.File.Path)
	}
	for _, j := range jobs {
		c.own = append(c.own, j.File.Path)
		if j.EnvironmentFile != nil {
			c.own = append(c.own, j.EnvironmentFile.Path)
		}
		for runs := j.Runs; runs != nil; runs = runs.Runs {
			c.own = append(c.own, runs.File.Path)
		}
		if j.V2 != nil && j.V2.Environment != nil {
			c.own = append(c.own, j.V2.Environment.File.Path)
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

// About reports whether a finding is about the concern: it is in one of its own files, or in a shared one and about these
// jobs or about none in particular.
func (c Concern) About(f finding.Finding) bool {
	if slices.Contains(c.own, f.Source.Path) {
		return true
	}
	return slices.Contains(c.shared, f.Source.Path) && (len(f.Related) == 0 ||
		slices.ContainsFunc(f.Related, func(l finding.Location) bool { return slices.Contains(c.own, l.Source.Path) }))
}

// Errors counts the findings of severity error about the concern.
func (c Concern) Errors(list []finding.Finding) int { return c.Count(list, finding.Error) }

// Count counts the findings of a severity about the concern.
func (c Concern) Count(list []finding.Finding, severity finding.Severity) (n int) {
	for _, f := range list {
		if f.Severity == severity && c.About(f) {
			n++
		}
	}
	return n
}
