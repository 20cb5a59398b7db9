package v2

import (
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
)

// part writes an environment or a compute target that no job uses.
func (e *emission) part(j *migrate.Job) {
	w := &jobWriter{emission: e, j: j}
	if s := j.Source; s.Dialect == schema.Workbench {
		w.head = []string{"Written by amlfix from " + s.Target.File.Rel + "."}
		w.place()
	}
	if hasEnvironment(j) {
		w.environmentEntry()
	}
}

func hasEnvironment(j *migrate.Job) bool {
	return j.Conda != nil || j.Dockerfile != nil || j.Image.Old != ""
}

// partName returns the name of a part's files.
func partName(j *migrate.Job) string { return account.Slug(j.Name) }

// environmentNames matches the names that Azure ML accepts for environments.
var environmentNames = plain.Regexp{Text: `^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$`}

// registeredName returns the name of an environment: the one in the program if no job uses it, or one derived from the
// project's.
func (w *jobWriter) registeredName(suffix string) string {
	name := w.j.Source.SDK.EnvironmentName
	if w.j.Part && name.Explicit && environmentNames.Get().MatchString(name.Text) && name.Node.Tag() != built.Open {
		w.m.Ledger.Map(w.j.Name, "`name`", "", name)
		return name.Text
	}
	return w.m.Name() + "-" + account.Slug(suffix)
}
