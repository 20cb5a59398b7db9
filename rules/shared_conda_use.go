package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

// ofWorkbench reports whether only Workbench, which is gone, could build an environment, so that maintenance advice
// would be useless. An SDK v1 job that names no conda file gets the one of Workbench jobs next to it only by chance.
func ofWorkbench(p *Pass, e *schema.Environment) bool {
	old := slices.ContainsFunc(e.Jobs, func(j *schema.Job) bool { return j.Dialect == schema.Workbench })
	later := slices.ContainsFunc(e.Jobs, func(j *schema.Job) bool { return j.Dialect != schema.Workbench && (j.CondaPath.Explicit || !old) })
	return !later && len(p.installed().users[e]) == 0 && (old || path.Base(e.File.Dir()) == "aml_config")
}

// ofSpark reports whether a Spark job installs an environment: it runs the cluster's Python.
func (p *Pass) ofSpark(e *schema.Environment) bool {
	return slices.ContainsFunc(e.Jobs, (*schema.Job).UsesSpark) ||
		slices.ContainsFunc(p.installed().trained[e], func(t training) bool { return strings.EqualFold(t.body.Node.Get("type").Text(), "spark") })
}

// managed reports whether a job's conda environment is installed for it: in an environment that the user manages, its
// file means nothing.
func managed(j *schema.Job) bool { return j.Target == nil || !j.Target.UserManaged.Bool }
