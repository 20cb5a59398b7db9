package migrate

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/condaenv"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
)

// InAzure is the part that the emitters of Azure ML's own formats have in common.
type InAzure struct{}

// Keeps reports true: every image may be kept, because the jobs run in Azure.
func (InAzure) Keeps(string) bool { return true }

// Base returns Azure ML's own base image.
func (InAzure) Base(gpu bool) condaenv.Base {
	name := catalog.MigrationDefault("azure-cpu-image").Value
	if gpu {
		name = catalog.MigrationDefault("azure-gpu-image").Value
	}
	known, _ := catalog.LookupImage(name, "latest")
	// no page lists the dated tags, and "latest" is at least honest
	return condaenv.Base{Image: name + ":latest", CUDA: known.CUDA, CUDNN: known.CUDNN}
}

// ForEach returns a line for each written file whose name has a prefix: %s in it stands for the name.
func (m *Migration) ForEach(prefix, line string) (lines []string) {
	for _, f := range m.Files {
		if strings.HasPrefix(f.Path, prefix) {
			lines = append(lines, strings.ReplaceAll(line, "%s", f.Path))
		}
	}
	return lines
}

// StepsOf returns the jobs that are steps of a pipeline, each after those whose outputs it uses.
func (m *Migration) StepsOf(p *Pipeline) (steps []*Job) {
	for _, j := range m.Jobs {
		if j.Step != nil && j.Step.In == p {
			steps = append(steps, j)
		}
	}
	return steps
}

// MapNodes records that the number of a job's nodes became result.
func (m *Migration) MapNodes(j *Job, result string) {
	m.Ledger.Map(j.Name, result, "", j.Source.Nodes)
	if t := j.Source.Target; t != nil {
		m.Ledger.Map(j.Name, result, "", t.NodeCount())
	}
}

// MapGPU records that the GPU switch of a job's target became result, if it was on and nothing else is known of it.
func (m *Migration) MapGPU(j *Job, result, why string) {
	if t := j.Source.Target; t != nil && t.GPUSwitch.Bool && m.Ledger.Unknown(t.GPUSwitch) {
		m.Ledger.Map(j.Name, result, why, t.GPUSwitch)
	}
}

// AskSecret asks how who, in the job named scope, gets a secret, which was not copied; or is what another answer would
// mean. The result is a comment for the place where the value was, or "" if there is an answer.
func (m *Migration) AskSecret(scope, who, name string, f schema.Field, or string) (mark string) {
	id := "secret-" + account.Slug(name)
	answer, open := m.Decide(&account.Question{ID: id, Scope: scope, Ask: "How does " + who + " get " + name + "?", Choices: []string{"script"},
		Why: "its value is a secret and was not copied; answer `script` if the script reads it from a Key Vault" + or})
	m.Ledger.Decide(scope, answer, id, f)
	if open {
		mark = account.Marker + ": " + name + " is a secret and is not copied; see " + account.Report
	}
	return mark
}

// AskName asks about a variable whose name the new format rejects, and reports whether the question is open.
func (m *Migration) AskName(j *Job, v Variable, why string) (open bool) {
	id := "variable-" + account.Slug(v.Name)
	_, open = m.Decide(&account.Question{ID: id, Scope: j.Name, Ask: "What should happen to the variable " + account.Name(v.Name) + "?", Choices: []string{"drop"}, Why: why})
	m.Ledger.Decide(j.Name, "left out", id, v.Source)
	return open
}

// RequestedGPUs returns how many GPUs a job that needs some requests if it gets part of a machine: as many as its old
// machine had, or as its processes use, and at least one.
func (j *Job) RequestedGPUs() int {
	n := max(1, j.GPUs)
	if d := j.Distribution; d != nil {
		n = max(n, d.PerNode)
	}
	return n
}
