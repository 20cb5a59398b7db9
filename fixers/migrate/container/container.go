// Package container provides what the formats outside Azure have in common: a job as a container, the image it runs in,
// and what replaces the service's data. Each format writes it in its own way.
package container

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/condaenv"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
)

// Container is a job in a container.
type Container struct {
	Job *migrate.Job
	// Name is valid in Compose, Kubernetes and DNS.
	Name string
	// Image is the image's name; if Build is set, of the image that is built.
	Image string
	// Build says how the image is built; nil if it is pulled.
	Build *Build
	// Launcher starts the script: the interpreter, or a program that starts several of it. Argv follows it, and is the
	// whole command if Launcher is empty.
	Launcher, Argv []string
	// Variables are the environment variables, in order.
	Variables []migrate.Variable
	// Mounts are folders and volumes other than the project, which is at Workdir.
	Mounts []Mount
	// Ranks means that the command gets its machine's rank, and the address of the first machine, from variables: see
	// ranked.
	Ranks bool
	// After are the containers of the same pipeline that have to succeed first.
	After []*Container
	// Shm is the size of /dev/shm, such as 2g; "" for the engine's default.
	Shm string
	// About are comments to write at the beginning.
	About []string
}

// Workdir is the project's folder in a container.
const Workdir = migrate.Workdir

// Folder returns the container's working directory.
func (c *Container) Folder() string { return path.Join(Workdir, c.Job.Code) }

// Build is an image that is built.
type Build struct {
	// Context is the folder with what the Dockerfile copies, relative to the written folder; Dockerfile is relative to
	// Context.
	Context, Dockerfile string
}

// Mount is a folder or file in a container.
type Mount struct {
	// Name is the data's name.
	Name string
	// Host is a folder or file of the project, relative to its root, or one elsewhere (see migrate.Away); "" for a
	// volume with that Name.
	Host string
	// Path is its path in the container.
	Path     string
	ReadOnly bool
	// File means that it is a file.
	File bool
	// Open means that it is not known where the data is.
	Open bool
}

// azureOnly is the prefix of images that are for use with Azure services.
const azureOnly = "mcr.microsoft.com/azureml/"

// Outside is the part that the emitters of all formats outside Azure have in common.
type Outside struct{}

// Keeps reports whether an image may be used outside Azure.
func (Outside) Keeps(image string) bool { return !strings.HasPrefix(image, azureOnly) }

// Base returns the image to start from outside Azure.
func (Outside) Base(gpu bool) condaenv.Base {
	if !gpu {
		return condaenv.Base{Image: value("outside-cpu-image")}
	}
	return condaenv.Base{Image: value("outside-gpu-image"), CUDA: value("outside-gpu-cuda"), CUDNN: value("outside-gpu-cudnn")}
}

func value(id string) string { return catalog.MigrationDefault(id).Value }

// All returns the containers of a migration's jobs, and adds the Dockerfiles and conda files they are built from to the
// migration.
func All(m *migrate.Migration) (list []*Container) {
	images := NewImages(m)
	taken := plain.Names{Sep: "-"}
	for _, j := range m.Jobs {
		name := account.Slug(j.Name)
		if j.Called = taken.Take(name); len(j.Called) > 50 { // Kubernetes' names of Jobs would lose the number
			j.Called = taken.Take(strings.TrimRight(name[:46], "-"))
		}
		c := &Container{Job: j, Name: j.Called}
		c.About = []string{"Written by amlfix from " + From(j) + "."}
		w := &writer{m: m, j: j, c: c}
		images.give(c)
		w.data()
		w.variables()
		w.command()
		w.dockerArguments()
		w.shm()
		c.About = append(c.About, m.Marks(j, c.About)...)
		list = append(list, c)
	}
	for _, c := range list {
		if c.Job.Step == nil {
			continue
		}
		for _, other := range list {
			if s := other.Job.Step; s != nil && s.In == c.Job.Step.In && slices.Contains(c.Job.Step.After, s.Name) {
				c.After = append(c.After, other)
			}
		}
	}
	return list
}

// From names the source files of a job.
func From(j *migrate.Job) string {
	if j.Step != nil && j.Step.In.File != j.Source.File {
		if rel := j.Step.In.File.Rel; rel != j.Source.File.Rel {
			return rel + " and " + j.Source.File.Rel
		}
		return j.Step.In.File.Rel
	}
	if t := j.Source.Target; t != nil && t.File != j.Source.File {
		return j.Source.File.Rel + " and " + t.File.Rel
	}
	return j.Source.File.Rel
}

// writer builds one container, and records in the ledger what it uses.
type writer struct {
	m *migrate.Migration
	j *migrate.Job
	c *Container
}

// about adds a comment.
func (c *Container) about(line string) { c.About = append(c.About, line) }
