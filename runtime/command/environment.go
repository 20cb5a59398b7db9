package command

import (
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/reference"
)

// choose is what is offered where the image is not known.
const choose = "choose one with --image IMAGE"

// environment plans the image of a container, and the conda file.
func (m *maker) environment() error {
	e, name := m.Job.V2.Environment, m.Job.V2.EnvironmentName
	t := m.job.Target
	if e != nil {
		m.job.Environment, m.job.CondaPath = e.Conda, e.CondaPath
		if rel, ok := e.CondaPath.Path(); ok && e.Conda == nil {
			return m.fail(e.CondaPath, "there is no conda file %s", rel)
		}
	}
	if !t.Container() {
		m.unused(e)
		return nil
	}
	switch {
	case m.Image != "":
		t.Image, m.work.Image = schema.Field{Text: m.Image}, plan.Origin{Note: "command line: --image"}
	case e != nil && e.Image.Explicit:
		t.Image = e.Image
	case e != nil && e.Build.Explicit:
		return m.build(e)
	case e != nil:
		return m.fail(name, "the environment names no image: %s", choose)
	case !name.Explicit:
		return &plan.Error{Origin: m.At(m.Job.Command), Text: "the job names no environment: " + choose}
	default:
		return m.curated(name)
	}
	return nil
}

// unused says what of the environment a target without containers does not have.
func (m *maker) unused(e *schema.V2Environment) {
	name := m.Job.V2.EnvironmentName
	switch {
	case e == nil && name.Explicit:
		m.note("the environment is not used: the job runs with what is installed on the machine", name)
	case e != nil && e.Conda != nil:
		m.note("neither image nor packages of the environment are used: the job runs with what is installed on the machine", or(e.CondaPath, name))
	case e != nil:
		m.note("the image is not used: the job runs with what is installed on the machine", or(e.Image, or(e.Build, name)))
	}
	m.Image = ""
}

func (m *maker) note(text string, f schema.Field) {
	m.work.Notes = append(m.work.Notes, plan.From(text, m.At(f)))
}

// curated plans the image of an environment that Azure ML keeps. Where its registry
// has it no more, the run says so.
func (m *maker) curated(name schema.Field) error {
	known, ok := catalog.Curated(name.Text)
	r := reference.Parse(name.Text)
	if !ok || r.Kind == reference.Registry && r.Registry != "azureml" {
		return m.fail(name, "environment %s is known to Azure ML only: %s", name.Text, choose)
	}
	tag := "latest"
	if r.Version != "" {
		tag = r.Version
	}
	image := name
	image.Text = "mcr.microsoft.com/azureml/curated/" + strings.ToLower(strings.TrimPrefix(known.Name, "AzureML-")) + ":" + tag
	m.job.Target.Image = image
	return nil
}

// build plans an image that a Dockerfile makes.
func (m *maker) build(e *schema.V2Environment) error {
	return m.fail(e.Build, "the environment is built from a Dockerfile, which amlfix does not do yet: build it with docker build, and %s", choose)
}
