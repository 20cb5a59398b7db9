package migrate

import (
	"cmp"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
)

// ExperimentOf returns the experiment of a job or pipeline that f describes. known is its name, if a file contains it.
// In Workbench, the runs of a project were its experiment.
func (m *Migration) ExperimentOf(scope, known string, f *schema.File) string {
	if known != "" || f.Dialect == schema.Workbench {
		return cmp.Or(known, m.Name())
	}
	q := account.Question{ID: "experiment", Scope: scope, Ask: "In which experiment are the runs?", Default: m.Name(), Example: "NAME", Why: "it was named when the job was submitted"}
	if th := m.built[f]; th != nil && th.ExperimentAt != nil {
		q.Why = ""
		q = m.Computed(q, schema.Field{File: f, Node: th.ExperimentAt})
	}
	name, _ := m.Decide(&q)
	return name
}
