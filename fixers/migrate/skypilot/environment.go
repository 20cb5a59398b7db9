package skypilot

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
	"github.com/amlfix/amlfix/schema/catalog"
)

const (
	registryDecision = "registry"
	condaFile        = "~/environment.yml"
	// prefix is the folder of a conda file's environment.
	prefix = `"$HOME/environment"`
)

// inHome returns a path in a container as a shell word, below the home directory.
func inHome(place string) string { return `"$HOME"` + shell.Quote(migrate.Home(place)) }

// environment sets the image and the commands that create the environment in it. SkyPilot does not build images: what a
// Dockerfile would do happens when the machine is set up.
func (t *task) environment(images *container.Images) {
	j := t.j
	c := &container.Container{Job: j, Name: t.name}
	switch {
	case j.Registered != "":
		t.image = container.Registered(t.m, c)
		t.about = append(t.about, c.About...)
		return
	case images.Dockerfile(c):
		if t.built(c); j.Conda != nil && j.Dockerfile.Text != "" {
			t.before, t.last = "/opt/env/bin:", ":/opt/conda/bin" // a login shell may lose those of the image
		}
		return
	}
	t.image = j.Image.Image
	if j.Spark {
		t.image = catalog.MigrationDefault("outside-cpu-image").Value
	}
	if t.image == account.Marker {
		t.image = strings.ToLower(t.image)
	}
	if j.Conda == nil && !j.Spark && !j.Image.Replaced {
		return
	}
	t.last = `:/opt/conda/bin:$HOME/miniforge3/bin`
	t.setup = append(t.setup, `export PATH="$PATH`+t.last+`"`, `if ! command -v conda > /dev/null; then`,
		`  curl -fsSL -o /tmp/miniforge.sh "https://github.com/conda-forge/miniforge/releases/latest/download/Miniforge3-Linux-$(uname -m).sh"`,
		`  bash /tmp/miniforge.sh -b -p "$HOME/miniforge3"`, `fi`)
	if j.Conda == nil && !j.Spark {
		return
	}
	t.before = "$HOME/environment/bin:"
	t.conda()
}

// conda creates the environment, unless the machine still has it from an earlier task.
func (t *task) conda() {
	j := t.j
	made := prefix[:len(prefix)-1] + `/made-of.yml"`
	has := "[ -e " + made + " ]"
	if j.Conda != nil {
		t.m.WriteConda(j.Conda)
		t.mounts = t.mounts.Set(condaFile, local(j.Conda.Name))
		has = "cmp -s " + condaFile + " " + made
	}
	t.setup = append(t.setup, "if ! "+has+"; then", "  rm -rf "+prefix)
	switch {
	case j.Spark:
		// The file leaves Python to Spark's session, which does not have one here.
		t.setup = append(t.setup, "  conda create -y -p "+prefix+" -c conda-forge python="+catalog.MigrationDefault("python").Value+" pyspark="+catalog.MigrationDefault("spark-runtime").Value+" openjdk=17")
		if j.Conda != nil {
			t.setup = append(t.setup, "  conda env update -p "+prefix+" -f "+condaFile)
		}
	default:
		t.setup = append(t.setup, "  conda env create -p "+prefix+" -f "+condaFile)
	}
	if j.Conda != nil {
		t.setup = append(t.setup, "  cp "+condaFile+" "+made)
	} else {
		t.setup = append(t.setup, "  touch "+made)
	}
	t.setup = append(t.setup, "fi")
}

// built sets an image that has to be built and pushed to where the machine can pull it.
func (t *task) built(c *container.Container) {
	answer, open := t.m.Decide(&account.Question{ID: registryDecision, Scope: t.j.Name, Ask: "Which registry stores the built images?", Example: "registry.example.com/team",
		Why: "SkyPilot builds no images: the machine that it rents pulls the one that is built from the Dockerfile and pushed there"})
	if open {
		t.image = strings.ToLower(account.Marker)
		t.marked("the image has to be built and pushed to a registry")
		return
	}
	if answer == "local" {
		t.m.Refuse(registryDecision, answer, "a machine that SkyPilot rents cannot pull images from this one: name a registry")
	}
	t.image = strings.TrimSuffix(answer, "/") + "/" + c.Image
}

// registryOf returns the prefix of the names of built images.
func registryOf(m *migrate.Migration) string {
	for _, d := range m.Decisions {
		if d.ID == registryDecision && !d.Open() {
			return strings.TrimSuffix(d.Taken, "/") + "/"
		}
	}
	return account.Marker + "/"
}
