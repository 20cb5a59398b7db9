package v1

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
)

// writer writes one run configuration, and records each part in the ledger.
type writer struct {
	m     *migrate.Migration
	j     *migrate.Job
	about []string
	names map[string]string // of compute targets
}

// body returns the run configuration, with its keys in the SDK's own order.
func (w *writer) body() (m yamlout.Map) {
	j, s := w.j, w.j.Source
	script, mark := j.Program()
	if mark != "" {
		w.about = append(w.about, mark)
	}
	arguments := yamlout.List{}
	for _, word := range j.Arguments {
		text, _ := word.Text() // Workbench has no data in arguments
		arguments = append(arguments, text)
	}
	framework := "Python"
	if j.Spark {
		framework = "PySpark"
	}
	w.m.Ledger.MapRest(j.Name, "`framework: "+framework+"`", "", s.Framework)
	m = m.Set("script", script).Set("arguments", arguments).Set("target", w.target()).Set("framework", framework).Set("communicator", "None")
	m = m.Set("nodeCount", j.Nodes)
	if t := s.Target; t != nil {
		w.m.Ledger.Map(j.Name, "`nodeCount`", "", t.NodeCount())
	}
	m = m.Fill("environmentVariables", w.variables())
	m = m.Set("environment", w.environment())
	// Later versions of the SDK read the switch here, earlier ones in the environment.
	m = m.Set("docker", yamlout.Map{{Key: "useDocker", Value: s.Target.Container()}})
	w.m.Ledger.Map(j.Name, "`history.outputCollection`", "", s.TrackedRun)
	m = m.Set("history", yamlout.Map{{Key: "outputCollection", Value: s.TrackedRun.Bool}, {Key: "snapshotProject", Value: true}})
	if j.Spark {
		m = m.Set("spark", yamlout.Map{{Key: "configuration", Value: w.configuration()}})
		if t := s.Target; t != nil && t.YarnDeployMode().Explicit {
			m = m.Set("hdi", yamlout.Map{{Key: "yarnDeployMode", Value: deployMode(t.YarnDeployMode().Text)}})
			w.m.Ledger.Map(j.Name, "`hdi.yarnDeployMode`", "", t.YarnDeployMode())
		}
	}
	return m
}

// target returns the name of where the job runs: this computer, or a compute target that has to be attached to the
// workspace again.
func (w *writer) target() string {
	j, s := w.j, w.j.Source
	fields := []schema.Field{s.TargetName}
	if s.Target != nil {
		fields = append(fields, s.Target.Type)
	}
	if j.Place == migrate.OnLocal {
		w.m.Ledger.Map(j.Name, "`target: local`", "", fields...)
		return "local"
	}
	name := w.names[j.Target]
	w.m.Ledger.Map(j.Name, "`target: "+name+"`", "it is not attached to the workspace yet: attach it", fields...)
	if name != j.Target {
		w.m.Ledger.Map(j.Name, "`"+name+"`", "names of compute targets are unique, have 2 to 16 letters, digits and dashes, and begin with a letter", s.TargetName)
	}
	return name
}

// targetNames returns the names that the workspace accepts for the jobs' machines and clusters, by their old names.
func targetNames(m *migrate.Migration) map[string]string {
	const longest = 16
	names, taken := map[string]string{"": ""}, plain.Names{Sep: "-", Fold: true}
	for _, valid := range []bool{true, false} { // which keep their names whatever the others become
		for _, j := range m.Jobs {
			name := account.Slug(j.Target)
			kept := len(name) >= 2 && len(name) <= longest && name == strings.ToLower(j.Target)
			if _, known := names[j.Target]; known || kept != valid {
				continue
			}
			if kept {
				names[j.Target] = taken.Take(j.Target)
				continue
			}
			if rest, prefixed := strings.CutPrefix(name, "job-"); len(name) < 2 || prefixed && !strings.HasPrefix(strings.ToLower(j.Target), "job") {
				name = "vm-" + rest
			}
			names[j.Target] = taken.Take(strings.TrimRight(name[:min(len(name), longest-2)], "-")) // a number may follow
		}
	}
	return names
}

// variables returns the environment variables that are not secrets, for the top level of the file: in the environment
// section they are deprecated.
func (w *writer) variables() (m yamlout.Map) {
	for _, v := range w.j.Variables {
		if v.Secret {
			if mark := w.m.AskSecret(w.j.Name, "the job", v.Name, v.Source, ""); mark != "" {
				w.about = append(w.about, mark)
			}
			continue
		}
		m = m.Set(v.Name, v.Value)
		w.m.Ledger.Map(w.j.Name, "`environmentVariables`", "", v.Source)
	}
	return m
}

func (w *writer) environment() (m yamlout.Map) {
	m = m.Set("python", w.python()).Set("docker", w.docker())
	if w.j.Spark {
		m = m.Set("spark", w.spark())
	}
	w.m.Ledger.Drop(w.j.Name, "SDK v1 builds the environment when it is needed", w.j.Source.PrepareEnvironment())
	return m
}

func (w *writer) python() (m yamlout.Map) {
	j := w.j
	managed := j.Conda == nil
	m = m.Set("userManagedDependencies", managed).Set("interpreterPath", j.Interpreter)
	if !managed {
		m = m.Set("condaDependenciesFile", folder+j.Conda.Name)
	}
	if t := j.Source.Target; t != nil {
		w.m.Ledger.MapRest(j.Name, "`environment.python.userManagedDependencies`", "", t.UserManaged)
		w.m.Ledger.MapRest(j.Name, "`environment.python.interpreterPath`", "", t.PythonLocation)
	}
	return m
}

func (w *writer) docker() (m yamlout.Map) {
	j := w.j
	enabled := j.Source.Target.Container()
	m = m.Set("enabled", enabled)
	switch {
	case j.Dockerfile != nil:
		m = m.Set("baseImage", nil).Set("baseDockerfile", j.Dockerfile.Text)
	case enabled:
		m = m.Set("baseImage", j.Image.Image)
	}
	return m
}

func (w *writer) spark() yamlout.Map {
	j, s := w.j, w.j.Source.SparkSettings
	repositories, packages := yamlout.List{}, yamlout.List{}
	for _, r := range s.Repositories {
		repositories = append(repositories, r.Text)
		w.m.Ledger.Map(j.Name, "`environment.spark.repositories`", "", r)
	}
	for _, p := range s.Packages {
		packages = append(packages, yamlout.Map{{Key: "group", Value: p.Group.Text}, {Key: "artifact", Value: p.Artifact.Text}, {Key: "version", Value: p.Version.Text}})
		w.m.Ledger.Map(j.Name, "`environment.spark.packages`", "", p.Entry)
	}
	return yamlout.Map{{Key: "repositories", Value: repositories}, {Key: "packages", Value: packages}, {Key: "precachePackages", Value: true}}
}

// configuration returns Spark's properties, keeping numbers as numbers.
func (w *writer) configuration() yamlout.Map {
	m := yamlout.Map{}
	given := map[string]bool{}
	for _, v := range w.j.Source.SparkSettings.Configuration {
		if !v.Value.Explicit || given[v.Name] {
			continue
		}
		given[v.Name] = true
		m = m.Set(v.Name, v.Value.Text)
		w.m.Ledger.Map(w.j.Name, "`spark.configuration`", "", v.Value)
	}
	return m
}

// rest accounts for what has no key in SDK v1.
func (w *writer) rest() {
	j, s := w.j, w.j.Source
	left := func(why string, fields ...schema.Field) { w.m.Ledger.DropRest(j.Name, why, fields...) }
	for _, v := range s.SparkSettings.Configuration {
		left("the job does not run on Spark", v.Value)
	}
	for _, p := range s.SparkSettings.Packages {
		left("the job does not run on Spark", p.Entry)
	}
	left("the job does not run on Spark", s.SparkSettings.Repositories...)
	left("SDK v1 has no key for it", s.Description())
	if t := s.Target; t != nil {
		left("the workspace stores it once the target is attached", t.Address(), t.Username(), t.Password())
		left("SDK v1 decides by the image", t.GPUSwitch)
		left("SDK v1 always shares the run's folder", t.SharedVolumes)
		left("SDK v1 has no shared folder on the machine: use a datastore", t.SharedDirectory)
		left("the service finds Spark", t.SparkSubmit(), t.YarnDeployMode())
	}
}

// deployMode returns the service's spelling of a mode, or the text itself if it is not one.
func deployMode(text string) string {
	if small := strings.ToLower(text); small == "client" || small == "cluster" {
		return small
	}
	return text
}
