package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema"
)

// readDatasets gives a script that takes its datasets by options, as it does once it is
// rewritten, the paths of the job's inputs and outputs. Those that the run
// configuration does not have were named when the job was submitted.
func (m *Migration) readDatasets(j *Job) {
	if j.Shell != "" || len(j.Command) > 0 {
		return
	}
	text := m.scripts.text[j.Script]
	for _, in := range tracking.Inputs([]byte(text)) {
		if slices.ContainsFunc(j.Arguments, func(w Word) bool {
			text, _ := w.Text()
			first, _, _ := strings.Cut(text, "=")
			return first == in.Option
		}) {
			continue
		}
		part := Part{}
		if in.Output {
			part.Output = m.outputNamed(j, in.Name)
		} else {
			part.Input = m.inputNamed(j, in.Name, strings.Contains(text, "environ") || strings.Contains(text, "getenv"))
		}
		j.Arguments = append(j.Arguments, literal(in.Option), Word{part})
	}
}

// inputNamed returns the input of a job that a dataset became, which is added when the
// run configuration has none; exported says that the script reads variables, too.
func (m *Migration) inputNamed(j *Job, dataset string, exported bool) string {
	i := slices.IndexFunc(j.Inputs, func(d Data) bool { return d.Source.Name == dataset && !d.Source.Reference })
	if i < 0 {
		names := []string{ShareName}
		for _, d := range slices.Concat(j.Inputs, j.Outputs) {
			names = append(names, d.Name)
		}
		j.Inputs = append(j.Inputs, m.input(j, schema.Data{Name: dataset}, unused(names, identifier(dataset))))
		i = len(j.Inputs) - 1
	}
	if !exported {
		j.Inputs[i].Export = ""
	}
	if j.Inputs[i].Mode == "direct" {
		j.Inputs[i].Mode = "mount" // the script takes a path
	}
	return j.Inputs[i].Name
}

// outputNamed returns the output of a job that a dataset became, which is added when
// the run configuration has none: the service then chooses its place.
func (m *Migration) outputNamed(j *Job, dataset string) string {
	i := slices.IndexFunc(j.Outputs, func(d Data) bool { return d.Source.Name == dataset && !d.Source.Reference })
	if i < 0 {
		names := []string{ShareName}
		for _, d := range slices.Concat(j.Inputs, j.Outputs) {
			names = append(names, d.Name)
		}
		j.Outputs = append(j.Outputs, Data{Name: unused(names, identifier(dataset)), Source: schema.Data{Name: dataset}, Mode: "mount"})
		i = len(j.Outputs) - 1
	}
	return j.Outputs[i].Name
}

// dataset returns what a dataset is to a script: the run configurations that give it
// say so, else it is asked.
func (m *Migration) dataset(script, name string) tracking.Dataset {
	paths := 0
	for _, j := range m.Project.Jobs {
		for _, d := range j.SDK.Inputs {
			if d.Name != name || d.Reference {
				continue
			}
			if mode := strings.ToLower(d.Mode.Text); mode != "mount" && mode != "download" {
				paths = len(m.Project.Jobs) + 1
			}
			paths++
		}
	}
	if paths > 0 && paths <= len(m.Project.Jobs) {
		return tracking.Folder // only datasets of files are mounted
	}
	answer, _ := m.Decide(account.Question{ID: "dataset-" + name, Scope: script, Ask: "Is the dataset " + account.Name(name) + " of " + account.Name(script) + " a folder or a table?", Default: "table", Choices: []string{"folder", "table"},
		Why: "the script does not say it: the path of a folder becomes an argument, and a table has to be read in another way"})
	if answer == "folder" {
		return tracking.Folder
	}
	return tracking.Table
}
