package v2

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema/plain"
)

// environmentEntry returns the environment of a command job, and writes the file it refers to.
func (w *jobWriter) environmentEntry() yamlout.Entry {
	j := w.j
	entry := yamlout.Entry{Key: "environment"}
	if j.Registered != "" {
		entry.Value = "azureml:" + j.Registered
		if !strings.Contains(j.Registered, ":") {
			entry.Value = "azureml:" + j.Registered + "@latest"
		}
		for _, d := range w.m.Open() {
			if d.ID == "registered" && slices.Contains(d.Scopes, j.Name) {
				entry.Above = []string{account.Marker + ": the program computes the environment; see " + account.Report}
			}
			if strings.HasPrefix(d.ID, "environment-") && slices.Contains(d.Scopes, j.Name) {
				entry.Above = []string{account.Marker + ": this v1 environment no longer exists; see " + account.Report}
			}
		}
		return entry
	}
	entry.Value = "file:" + w.environmentFile()
	return entry
}

// environmentFile writes the job's environment unless there is an equal one, and returns the file's name.
func (w *jobWriter) environmentFile() string {
	body, key := w.environmentBody()
	if name, ok := w.environments[key]; ok {
		return name
	}
	suffix := w.environmentName()
	name := "environment-" + suffix + ".yml"
	w.environments[key] = name
	m := schemaOf("environment").Set("name", w.registeredName(suffix)).Fill("description", w.about())
	w.m.Write(name, yamlout.Bytes([]string{"Written by amlfix."}, append(m, body...)))
	return name
}

// environmentName returns a name that distinguishes the environments of a project: by what they run on and, if needed,
// by the job.
func (w *jobWriter) environmentName() string {
	name := "cpu"
	if w.j.GPU {
		name = "gpu"
	}
	if w.j.Spark {
		name = "spark"
	}
	if w.j.Conda == nil && w.j.Dockerfile == nil {
		name += "-bare"
	}
	if w.j.Part {
		name = partName(w.j)
	}
	if w.isTaken(name) {
		name = w.j.Name
	}
	return plain.Unused(name, "-", w.isTaken)
}

// isTaken reports whether an environment that is written, or that of a part, has a name.
func (w *jobWriter) isTaken(name string) bool {
	for _, used := range w.environments {
		if strings.EqualFold(used, "environment-"+name+".yml") {
			return true
		}
	}
	return !w.j.Part && slices.ContainsFunc(w.m.Parts, func(j *migrate.Job) bool { return hasEnvironment(j) && strings.EqualFold(partName(j), name) })
}

// about returns a description of the environment.
func (w *jobWriter) about() string {
	var from []string
	if w.j.Conda != nil {
		file := w.j.Conda.Source.File
		if from = append(from, file.Rel); strings.HasSuffix(file.Rel, account.PartEnding) {
			from[0] = file.Of
		}
	}
	if w.j.Image.Old != "" {
		from = append(from, w.j.Image.Old)
	}
	if len(from) == 0 {
		return ""
	}
	return "Migrated from " + strings.Join(from, " on ")
}

// environmentBody returns the keys of an environment, and a text that is equal for equal environments.
func (w *jobWriter) environmentBody() (m yamlout.Map, key string) {
	j := w.j
	switch {
	case j.Dockerfile != nil && j.Dockerfile.Text == "":
		m = yamlout.Map{{Key: "build", Value: yamlout.Map{
			{Key: "path", Value: w.m.Up(j.Dockerfile.Context)}, {Key: "dockerfile_path", Value: j.Dockerfile.Path},
		}}}
	case j.Dockerfile != nil:
		m = yamlout.Map{{Key: "build", Value: yamlout.Map{{Key: "path", Value: w.context()}}}}
	default:
		m = yamlout.Map{{Key: "image", Value: j.Image.Image}}
		if j.Conda != nil {
			m = m.Set("conda_file", j.Conda.Name)
		}
	}
	return m, string(yamlout.Bytes(nil, m))
}

// context writes the folder that an image is built from, and returns its name.
func (w *jobWriter) context() string {
	j := w.j
	text := j.Dockerfile.Text
	if j.Conda != nil {
		text = j.Dockerfile.WithConda(j.Conda.Name)
	}
	key := "context\n" + text
	if name, ok := w.environments[key]; ok {
		return name
	}
	name := "docker-" + w.environmentName()
	w.environments[key] = name
	w.m.Write(path.Join(name, "Dockerfile"), []byte(text))
	if j.Conda != nil {
		w.m.Write(path.Join(name, j.Conda.Name), j.Conda.Text)
	}
	return name
}
