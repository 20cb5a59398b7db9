package migrate

import (
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
)

// Skipped is a file that was not migrated.
type Skipped struct {
	File, Why string
	// Unread means that the file may describe a job but cannot be read; Job means that it is a job that the new format
	// cannot express.
	Unread, Job bool
}

// source adds the files that describe a job to the ledger.
func (m *Migration) source(j *schema.Job) {
	for _, f := range sources(j) {
		if !m.isPart(f) && f.Of != f.Rel {
			m.enter(f)
		}
	}
}

func sources(j *schema.Job) (files []*schema.File) {
	add := func(f *schema.File) {
		if f != nil && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	add(j.File)
	add(j.EnvironmentFile)
	if j.Target != nil {
		add(j.Target.File)
	}
	if j.Environment != nil {
		add(j.Environment.File)
	}
	add(j.Spark)
	return files
}

// isNew reports whether a file has none of the old formats, or belongs only to a v2 file: an earlier migration may have
// written it.
func (m *Migration) isNew(f *schema.File) bool {
	switch f.Kind {
	case schema.Compute, schema.RunConfig, schema.SparkFile, schema.Unknown:
		return false
	case schema.CondaFile:
	default:
		return true
	}
	return Written(filepath.Dir(f.Path), m.Project.Root) || slices.ContainsFunc(m.Project.V2Environments, func(e *schema.V2Environment) bool {
		return e.File == f || e.Conda != nil && e.Conda.File == f
	})
}

// leave accounts for the files that no chosen job uses. If everything is migrated, those that another file would use
// are sources too, and their keys are dropped. Files that Related describes in more detail are left to it.
func (m *Migration) leave(chosen []*schema.Job, found []Related) {
	more := map[string]bool{}
	for _, r := range found {
		more[way(m.Project.Root, r.File)] = r.What == hyperdriveFile || r.What == pipelineFile || more[way(m.Project.Root, r.File)]
	}
	for _, f := range m.Project.Files {
		switch {
		case m.Ledger.Has(f):
		case m.isNew(f):
		case f.Err != nil:
			m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: schema.ReadError(f.Err), Unread: true})
		case f.Kind == schema.Unknown && m.built[f] != nil:
			m.leaveMade(f)
		case f.Kind == schema.Unknown && more[f.Rel]:
		case f.Kind == schema.Unknown:
			m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: "not a job file"})
		case f.Of != "":
		case len(chosen) < len(m.configurations()):
			m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: "not used by the chosen run configurations"})
		case f.Root() == nil || f.Kind == schema.RunConfig:
			m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: "it cannot be read: fix it first (amlfix shows what is wrong), then migrate again", Unread: true})
		default:
			m.Ledger.Add(f)
			for _, root := range f.Stream.Documents {
				m.Ledger.Node(account.Note{Disposition: account.Dropped, Why: "no run configuration uses this file"}, root)
			}
		}
	}
}

// leaveMade lists what a program creates in a workspace and this migration does not write.
func (m *Migration) leaveMade(f *schema.File) {
	kind := m.built[f].Kind
	what := map[built.Kind]string{built.Compute: "a compute target", built.Data: "data", built.Model: "a model", built.Schedule: "a schedule"}[kind]
	if what == "" {
		return // it is listed elsewhere
	}
	why := "it creates " + what + " in the workspace: only --to v2 writes that"
	switch {
	case m.Emitter.Format() != "v2":
	case len(m.Options.Configs) > 0:
		why = "not used by the chosen run configurations"
	case kind == built.Schedule:
		why = "it starts a pipeline that is not migrated"
	}
	m.Skipped = append(m.Skipped, Skipped{File: account.Place(schema.Field{File: f, Node: f.Root()}), Why: why})
}
