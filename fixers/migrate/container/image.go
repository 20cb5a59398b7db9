package container

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/reference"
)

// Images builds each image once, whichever jobs share it.
type Images struct {
	m           *migrate.Migration
	dockerfiles map[string]string // name by text
	inPlace     map[string]bool   // names of the images that the project's own Dockerfiles build
}

// give sets the image of a container: built if something is installed on top of the base image, and pulled otherwise.
func (i *Images) give(c *Container) {
	j := c.Job
	base := j.Image.Image
	if j.Registered != "" {
		base = Registered(i.m, c)
	}
	if j.Spark {
		base = value("outside-spark-image")
	}
	switch {
	case i.Dockerfile(c):
	case j.Registered != "":
		c.Image = base // it contains all packages, and a conda from elsewhere would hide them
	case j.Conda != nil || !j.Spark && j.Image.Replaced:
		i.build(c, dockerfile(j, base))
	default:
		c.Image = base
	}
}

// NewImages returns an Images for a migration.
func NewImages(m *migrate.Migration) *Images {
	i := &Images{m: m, dockerfiles: map[string]string{}, inPlace: map[string]bool{}}
	for _, j := range m.Jobs {
		if d := j.Dockerfile; d != nil && d.Text == "" {
			i.inPlace[imageName(m, path.Join(d.Context, d.Path))] = true
		}
	}
	return i
}

// Dockerfile sets the image of a container whose job has a Dockerfile; false for others.
func (i *Images) Dockerfile(c *Container) bool {
	switch d := c.Job.Dockerfile; {
	case d == nil:
		return false
	case d.Text == "":
		i.buildInPlace(c)
	case c.Job.Conda != nil:
		i.build(c, d.WithConda(c.Job.Conda.Name))
	default:
		i.build(c, d.Text)
	}
	return true
}

// Registered asks for the image of an environment that exists only in Azure ML, and returns it. The image of a current
// curated environment is in a public registry.
func Registered(m *migrate.Migration, c *Container) string {
	j, name := c.Job, c.Job.Registered
	if strings.HasPrefix(name, "//") { // the address of one in a registry
		name = "azureml:" + name
	}
	q := account.Question{ID: "image", Scope: j.Name, Ask: "Which image is the environment " + name + "?", Example: "python:3.11",
		Why: "it is registered in an Azure ML workspace, and cannot be used outside of it"}
	ref := reference.Parse("azureml:" + j.Registered)
	switch e, known := catalog.Curated(ref.Text); {
	case !known || ref.Kind == reference.Registry && ref.Registry != "azureml":
	case e.Status == "current":
		q.Default, q.Why = e.ImageAt(ref.Version), "Microsoft publishes the image of this curated environment, and it can be pulled without Azure"
	default:
		if next, ok := catalog.Curated(catalog.CuratedFor(e.Name)); ok {
			q.Example = next.ImageAt("")
		}
		q.Why = "it is a curated environment that Microsoft no longer builds, so its image may be gone: use one with the packages that the job needs"
	}
	answer, open := m.Decide(&q)
	m.Ledger.Decide(j.Name, answer, "image", j.Source.SDK.EnvironmentName, j.Source.SDK.EnvironmentVersion)
	if open {
		c.about(account.Marker + ": the files do not name the image of the registered environment " + name + "; see " + account.Report)
		return strings.ToLower(account.Marker)
	}
	return answer
}

// buildInPlace makes a container build from the project's own Dockerfile.
func (i *Images) buildInPlace(c *Container) {
	d := c.Job.Dockerfile
	c.Build = &Build{Context: i.m.Up(d.Context), Dockerfile: d.Path}
	c.Image = imageName(i.m, path.Join(d.Context, d.Path))
}

// build adds a Dockerfile unless there is an equal one.
func (i *Images) build(c *Container, text string) {
	name, ok := i.dockerfiles[text]
	if !ok {
		name = "Dockerfile"
		if len(i.dockerfiles) > 0 || i.inPlace[imageName(i.m, name)] {
			name += "." + c.Name
		}
		name = plain.Unused(name, "-", func(n string) bool { return i.inPlace[imageName(i.m, n)] })
		i.dockerfiles[text] = name
		i.m.Write(name, []byte(text))
	}
	if conda := c.Job.Conda; conda != nil {
		i.m.WriteConda(conda)
	}
	c.Build = &Build{Context: ".", Dockerfile: name}
	c.Image = imageName(i.m, name)
}

// imageName returns the name of the image that a Dockerfile builds: the project's, with a suffix after the first one.
func imageName(m *migrate.Migration, file string) string {
	name := m.Name()
	if suffix, ok := strings.CutPrefix(file, "Dockerfile."); ok {
		name += "-" + suffix
	} else if file != "Dockerfile" {
		name += "-" + account.Slug(file)
	}
	return name + ":1"
}

// Builds returns the commands that build the images of a migration; registry is the prefix of their names.
func Builds(m *migrate.Migration, registry string, push bool) (lines []string) {
	build := func(file, context, image string) {
		line := "docker build -f " + escape.Word(file) + " -t " + escape.Word(registry+image) + " " + escape.Word(context)
		if slices.Contains(lines, line) {
			return
		}
		if lines = append(lines, line); push {
			lines = append(lines, "docker push "+escape.Word(registry+image))
		}
	}
	for _, f := range m.Files {
		if strings.HasPrefix(f.Path, "Dockerfile") {
			build(f.Path, ".", imageName(m, f.Path))
		}
	}
	for _, j := range m.Jobs {
		if d := j.Dockerfile; d != nil && d.Text == "" {
			context := m.Up(d.Context)
			build(path.Join(context, d.Path), context, imageName(m, path.Join(d.Context, d.Path)))
		}
	}
	return lines
}

// dockerfile returns the text of a Dockerfile that installs a job's conda file on an image. It copies conda from
// another image, because the image may not have it.
func dockerfile(j *migrate.Job, base string) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if j.Image.Replaced && j.GPU {
		p("# Azure ML's own GPU images may be used in Azure only; this one may be used anywhere.")
	}
	if base == account.Marker {
		p("# %s: the image is not decided yet; see %s", account.Marker, account.Report)
		base = strings.ToLower(base)
	}
	p("FROM %s", base)
	if j.Spark {
		p("USER root")
	}
	if conda := value("outside-cpu-image"); base != conda {
		p("COPY --from=%s /opt/conda /opt/conda", conda)
	}
	p("ENV PATH=/opt/conda/bin:$PATH")
	if j.Conda != nil {
		p("COPY %s /tmp/conda.yml", j.Conda.Name)
		if j.Spark {
			// The file leaves Python to Spark's session, which does not have one here.
			p("RUN conda create -y -p /opt/env -c conda-forge python=%s && conda env update -p /opt/env -f /tmp/conda.yml && conda clean -afy", value("python"))
			p("ENV PYSPARK_PYTHON=/opt/env/bin/python")
		} else {
			p("RUN conda env create -p /opt/env -f /tmp/conda.yml && conda clean -afy")
		}
		p("ENV PATH=/opt/env/bin:$PATH")
	}
	p("WORKDIR %s", Workdir)
	return b.String()
}
