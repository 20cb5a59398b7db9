// Package v1 writes Azure ML SDK v1 run configurations for Workbench projects, in the form that the SDK itself wrote
// from 2019 on. Source of the keys: runconfig.py and environment.py of azureml-core.
package v1

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/format"
)

// Emitter writes .azureml/NAME.runconfig for each Workbench run configuration, with the conda files next to it.
type Emitter struct{ migrate.InAzure }

// folder is the folder in which SDK v1 finds run configurations.
const folder = ".azureml/"

// Format is "v1".
func (Emitter) Format() string { return "v1" }

// Title returns the name of the format for people.
func (Emitter) Title() string { return "SDK v1" }

// Schema returns the format of a written file, by its name.
func (Emitter) Schema(f migrate.File) format.Kind {
	switch {
	case strings.HasSuffix(f.Path, ".runconfig"):
		return format.SDKRunConfig
	case strings.HasSuffix(f.Path, ".yml"):
		return format.Conda
	}
	return ""
}

// Secret returns a phrase that says where SDK v1 keeps a secret variable.
func (Emitter) Secret(_ *migrate.Migration, _ *migrate.Job, v migrate.Variable) string {
	return fmt.Sprintf("Put it into the workspace's Key Vault (`ws.get_default_keyvault().set_secret(%q, …)`) and read it in the script with Run.get_context().get_secret.", account.Slug(v.Name))
}

// Next returns the commands that make SDK v1 find and run the files.
func (Emitter) Next(m *migrate.Migration) (lines []string) {
	up := m.Up(".") + "/"
	lines = []string{
		"# SDK v1 looks in aml_config first if it exists: move it away, and put .azureml in its place",
		"mv " + escape.Word(up+"aml_config") + " " + escape.Word(up+"aml_config.workbench"),
		"cp -r .azureml " + escape.Word(up),
	}
	attached, names := map[string]bool{}, targetNames(m)
	for _, j := range m.Jobs {
		name := names[j.Target]
		if t := j.Source.Target; t == nil || attached[name] || j.Place != migrate.OnMachine && j.Place != migrate.OnCluster {
			continue
		}
		attached[name] = true
		kind := "remote"
		if j.Place == migrate.OnCluster {
			kind = "hdi"
		}
		lines = append(lines, "az ml computetarget attach "+kind+" --name "+escape.Word(name)+" --address ADDRESS --ssh-port 22 --username USER --private-key-file ~/.ssh/id_rsa")
	}
	for _, j := range m.Jobs {
		script, _ := j.Program()
		lines = append(lines, "az ml run submit-script --run-configuration-name "+j.Name+" --experiment-name "+m.Name()+" "+escape.Word(script))
	}
	return lines
}

// Emit adds the files to the migration. The error is a *migrate.ConfigError if one of the run configurations is already
// an SDK v1 one.
func (Emitter) Emit(m *migrate.Migration) error {
	for _, j := range m.Jobs {
		if j.Source.Dialect == schema.SDKv1 {
			return &migrate.ConfigError{Text: j.Source.File.Rel + " is already an SDK v1 run configuration: select the Workbench ones with -c, or use --to v2"}
		}
	}
	for _, c := range m.Conda {
		m.Write(folder+c.Name, c.Text)
	}
	names := targetNames(m)
	for _, j := range m.Jobs {
		w := &writer{m: m, j: j, names: names}
		body := w.body()
		w.about = append(w.about, m.Marks(j, w.about)...)
		m.Write(folder+j.Name+".runconfig", yamlout.Bytes(append([]string{"Written by amlfix from " + from(j) + "."}, w.about...), body))
		w.rest()
	}
	return nil
}

func from(j *migrate.Job) string {
	if t := j.Source.Target; t != nil {
		return j.Source.File.Rel + " and " + t.File.Rel
	}
	return j.Source.File.Rel
}
