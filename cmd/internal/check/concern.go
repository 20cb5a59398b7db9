package check

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// Concern selects the findings about a target and some of its jobs. It identifies files by path, because a repaired
// project has new ones.
type Concern struct {
	own    []string // files used only by the target and the jobs
	shared []string // environments that others may use as well
	// within are the jobs' own parts of their files; others are those of jobs that are left out.
	within, others []place
}

// place is a part of a file.
type place struct {
	path string
	span source.Span
}

func placeOf(j *schema.Job) place { return place{j.File.Path, j.Node.Span} }

// holds reports whether a location is in one of some places.
func holds(list []place, l finding.Location) bool {
	return slices.ContainsFunc(list, func(p place) bool {
		return p.path == l.Source.Path && p.span.Start <= l.Span.Start && l.Span.End <= p.span.End
	})
}

// ConcernOf returns the concern of a target, which may be nil, and jobs.
func ConcernOf(t *schema.Target, jobs ...*schema.Job) (c Concern) {
	if t != nil {
		c.own = append(c.own, t.File.Path)
	}
	for _, j := range jobs {
		c.own = append(c.own, j.File.Path)
		if j.Node != nil {
			c.within = append(c.within, placeOf(j))
		}
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

// Without returns the concern without findings about other jobs in the same files, unless these jobs are part of the
// reason. A job with an anchor stays, because the part that it marks may be used anywhere.
func (c Concern) Without(jobs []*schema.Job) Concern {
	for _, j := range jobs {
		if j.Node != nil && !anchored(j.Node) && !slices.Contains(c.within, placeOf(j)) {
			c.others = append(slices.Clip(c.others), placeOf(j))
		}
	}
	return c
}

// anchored reports whether a node or something in it has an anchor.
func anchored(n *document.Node) bool {
	return n.Anchor() != "" || slices.ContainsFunc(n.Items(), anchored) || slices.ContainsFunc(n.Entries(), func(e document.Entry) bool { return anchored(e.Value) })
}

// About reports whether a finding is about the concern: it is in one of its own files, or in a shared one and about
// these jobs or about none in particular.
func (c Concern) About(f finding.Finding) bool {
	if holds(c.others, f.Location) && !slices.ContainsFunc(f.Related, func(l finding.Location) bool { return holds(c.within, l) }) {
		return false
	}
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
