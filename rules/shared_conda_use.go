package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

// v2Users returns the environments of v2 that a conda environment belongs to.
func v2Users(p *Pass, e *schema.Environment) (users []*schema.V2Environment) {
	for _, v := range p.Project.V2Environments {
		if v.Conda == e {
			users = append(users, v)
		}
	}
	return users
}

// ofWorkbench reports whether nothing but Workbench, which is gone, could build an
// environment: advice on how to keep one in order helps nobody there.
func ofWorkbench(p *Pass, e *schema.Environment) bool {
	other := slices.ContainsFunc(e.Jobs, func(j *schema.Job) bool { return j.Dialect != schema.Workbench })
	return !other && len(v2Users(p, e)) == 0 && (len(e.Jobs) > 0 || path.Base(e.File.Dir()) == "aml_config")
}

// ofSpark reports whether a Spark job installs an environment: its Python is that of
// the cluster.
func (p *Pass) ofSpark(e *schema.Environment) bool {
	return slices.ContainsFunc(e.Jobs, (*schema.Job).UsesSpark) ||
		slices.ContainsFunc(p.trainedIn(e), func(t training) bool { return strings.EqualFold(t.body.Node.Get("type").Text(), "spark") })
}
