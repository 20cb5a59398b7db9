package command

import (
	"os"
	"path"
	"path/filepath"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/reference"
)

// choose is the advice where the image is not known.
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
		if m.Image != "" {
			return &plan.Error{Usage: true, Text: "--image is for containers, and jobs of target " + t.Name + " are processes: leave it out, or use a target of a docker type"}
		}
		m.unused(e)
		return nil
	}
	switch {
	case m.Image != "":
		m.job.Environment, m.job.CondaPath = nil, schema.Field{}
		if e != nil && e.Conda != nil {
			m.note("the packages of the conda file are not installed, because --image replaces the environment", e.CondaPath)
		}
		t.Image, m.work.Image = schema.Field{Text: m.Image}, plan.ImageFlag
	case e != nil && e.Image.Explicit:
		t.Image = e.Image
	case e != nil && e.Build.Explicit:
		return m.build(e)
	case e != nil:
		return m.fail(name, "the environment has no image: %s", choose)
	case !name.Explicit:
		return &plan.Error{Origin: m.At(m.Job.Command), Text: "the job has no environment: " + choose}
	default:
		return m.curated(name)
	}
	return nil
}

// unused warns about parts of the environment that a target without containers does not use.
func (m *maker) unused(e *schema.V2Environment) {
	name := m.Job.V2.EnvironmentName
	switch {
	case e == nil && name.Explicit:
		m.note("the environment is not used: the job uses what is installed on the machine", name)
	case e != nil && e.Conda != nil:
		m.note("neither image nor packages of the environment are used: the job uses what is installed on the machine", or(e.CondaPath, name))
	case e != nil:
		m.note("the image is not used: the job uses what is installed on the machine", or(e.Image, or(e.Build, name)))
	}
}

func (m *maker) note(text string, f schema.Field) {
	m.work.Notes = append(m.work.Notes, plan.From(text, m.At(f)))
}

// curated plans the image of an environment maintained by Azure ML. If its registry no longer has the image, the run
// reports that.
func (m *maker) curated(name schema.Field) error {
	known, ok := catalog.Curated(name.Text)
	r := reference.Parse(name.Text)
	if !ok || r.Kind == reference.Registry && r.Registry != "azureml" {
		return m.fail(name, "environment %s exists only in Azure ML: %s", name.Text, choose)
	}
	image := name
	image.Text = known.ImageAt(r.Version)
	m.job.Target.Image = image
	return nil
}

// build plans an image built from a Dockerfile.
func (m *maker) build(e *schema.V2Environment) error {
	dir, err := m.local(e.Build, "build.path")
	if err != nil {
		return err
	}
	name := e.Dockerfile.Text
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return m.fail(e.Dockerfile, "dockerfile_path is %s, which is outside build.path", name)
	}
	if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil || info.IsDir() {
		return m.fail(or(e.Dockerfile, e.Build), "there is no file %s in %s", name, e.Build.Text)
	}
	m.work.Build = plan.Build{Context: plan.From(dir, m.At(e.Build)), Dockerfile: path.Clean(filepath.ToSlash(name))}
	m.job.Target.Image = e.Build
	return nil
}
