package migrate

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
)

// lostKeys are the keys of a job or an environment that determine what the job runs in; a program may compute them.
var lostKeys = []string{"environment", configKey, directoryKey, "environment." + missingKey, missingKey, "environment.python.condaDependenciesFile", "environment.python.condaDependencies", "environment.pipRequirements", "python.condaDependenciesFile", "python.condaDependencies", "pipRequirements"}

// lostImages are those of the image that the job starts from.
var lostImages = []string{"environment.docker.baseImage", "environment.docker.baseDockerfile", "docker.baseImage", "docker.baseDockerfile"}

// lostRegistries are those of the registry that the image is in.
var lostRegistries = []string{"environment.docker.baseImageRegistry", "environment.docker.baseImageRegistry.address", "docker.baseImageRegistry", "docker.baseImageRegistry.address"}

// askLost asks for the environment of a job if the program computes it: with nothing installed, the job would fail at
// its first import.
func (m *Migration) askLost(j *Job) {
	lost := m.lostEnvironment(j)
	if !lost.Explicit || j.Part && !j.Serves {
		return
	}
	q := account.Question{ID: "registered", Scope: j.Name, Ask: "In which registered environment does the job run?", Example: "NAME:VERSION", OrNone: true, Why: "; `none` starts from the image only"}
	if lost.Node.Tag() == built.Open {
		q = m.Computed(q, lost)
	} else {
		what := "the run configuration "
		switch lost.Node {
		case m.lost(j, directoryKey).Node:
			what = "the environment in "
		case m.lost(j, "environment."+missingKey, missingKey).Node:
			what = "the requirements file "
		}
		q.Why = account.Place(lost) + " loads " + what + account.Name(lost.Text) + ", which is not in the project, or cannot be read" + q.Why
	}
	answer, open := m.Decide(&q)
	m.Ledger.Decide(j.Name, answer, "registered", lost)
	switch {
	case open:
		j.Registered = account.Marker
	case answer != "none":
		j.Registered = strings.TrimSuffix(strings.TrimPrefix(answer, "azureml:"), "@latest")
	}
}

// lostEnvironment returns the computed field that determines what a job runs in, if any.
func (m *Migration) lostEnvironment(j *Job) (lost schema.Field) {
	if f := j.Lost; f.Explicit {
		return f
	}
	return m.lost(j, lostKeys...)
}

// lost returns the first of the keys of a job, or of the environment that it uses, that a program computes.
func (m *Migration) lost(j *Job, keys ...string) (lost schema.Field) {
	for _, f := range []*schema.File{j.Source.File, j.Source.File.Uses} {
		if f == nil || m.built[f] == nil {
			continue
		}
		for _, key := range keys {
			if lost = schema.FieldAt(f, f.Root(), key); (key == configKey || key == directoryKey || strings.HasSuffix(key, missingKey)) && lost.Explicit && m.grafts[m.built[f]] == nil {
				return lost
			}
			if lost = schema.FieldAt(f, f.Root(), key+built.NotLiteral); lost.Explicit && lost.Node.Tag() == built.Open {
				return lost
			}
		}
	}
	return schema.Field{}
}
