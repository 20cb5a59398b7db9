package migrate

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/shell"
)

// readDatasets passes the paths of the job's inputs and outputs to a script that takes its datasets as options, as it
// does after it is rewritten. Datasets that the run configuration does not have were named at submission.
func (m *Migration) readDatasets(j *Job) {
	switch {
	case j.Shell != "":
		m.askOptions(j)
	case len(j.Command) > 0:
		if runs := shell.Read(shellLine(j.Command)).Runs; len(runs) == 1 {
			j.Command = m.withDatasets(j, path.Clean(path.Join(j.Code, runs[0].Folder, runs[0].Name)), j.Command)
		}
	default:
		j.Arguments = m.withDatasets(j, j.Script, j.Arguments)
	}
}

// withDatasets appends the options and paths that a script takes to the words of its command.
func (m *Migration) withDatasets(j *Job, script string, words []Word) []Word {
	text := m.scripts.text[script]
	for _, in := range tracking.Inputs([]byte(text)) {
		if slices.ContainsFunc(words, func(w Word) bool {
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
		words = append(words, literal(in.Option), Word{part})
	}
	return words
}

// askOptions asks about a shell command that does not pass its scripts the paths that they take.
func (m *Migration) askOptions(j *Job) {
	var without []string
	for _, run := range shell.Read(j.Shell).Runs {
		script := path.Clean(path.Join(j.Code, run.Folder, run.Name))
		for _, in := range tracking.Inputs([]byte(m.scripts.text[script])) {
			if option := account.Name(in.Option) + " of " + account.Name(script); !strings.Contains(j.Shell, in.Option) && !slices.Contains(without, option) {
				without = append(without, option)
			}
		}
	}
	if len(without) > 0 {
		_, j.Fails = m.Decide(&account.Question{ID: "options", Scope: j.Name, Ask: "Does the command pass " + strings.Join(without, ", ") + "?", Choices: []string{"yes"},
			Why: account.Place(j.Source.Command) + " does not, but the rewritten script needs it: the path of a dataset"})
	}
}

// inputNamed returns the input that a dataset became, adding it if the run configuration has none; exported means that
// the script also reads variables.
func (m *Migration) inputNamed(j *Job, dataset string, exported bool) string {
	i := slices.IndexFunc(j.Inputs, func(d Data) bool { return d.Source.Name == dataset && !d.Source.Reference })
	if i < 0 {
		j.Inputs = append(j.Inputs, m.input(j, schema.Data{Name: dataset}, unused(append(j.dataNames(), ShareName), identifier(dataset))))
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

// outputNamed returns the output that a dataset became, adding it if the run configuration has none; the service then
// chooses its location.
func (m *Migration) outputNamed(j *Job, dataset string) string {
	i := slices.IndexFunc(j.Outputs, func(d Data) bool { return d.Source.Name == dataset && !d.Source.Reference })
	if i < 0 {
		j.Outputs = append(j.Outputs, Data{Name: unused(append(j.dataNames(), ShareName), identifier(dataset)), Source: schema.Data{Name: dataset}, Mode: "mount"})
		i = len(j.Outputs) - 1
	}
	return j.Outputs[i].Name
}

// dataNames returns the names that the job's inputs and outputs have.
func (j *Job) dataNames() (names []string) {
	for _, d := range plain.Both(j.Inputs, j.Outputs) {
		names = append(names, d.Name)
	}
	return names
}

// dataset returns what a dataset is to a script: what its run configurations say, or else the user's answer.
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
	if paths > 0 && paths <= len(m.Project.Jobs) || paths == 0 && m.mountedInStep(name) {
		return tracking.Folder // only file datasets are mounted
	}
	answer, _ := m.Decide(&account.Question{ID: "dataset-" + name, Scope: script, Ask: "Is the dataset " + account.Name(name) + " of " + account.Name(script) + " a folder or a table?", Default: "table", Choices: []string{"folder", "table"},
		Why: "the script does not say: the path of a folder becomes an argument, but a table has to be read in another way"})
	if answer == "folder" {
		return tracking.Folder
	}
	return tracking.Table
}

// mountedInStep reports whether programs create steps that take a dataset of a name, and mount or download it in each.
func (m *Migration) mountedInStep(name string) bool {
	steps := 0
	for _, th := range m.built {
		for _, e := range th.Root.Get("steps").Own() {
			if in := e.Value.Get("inputs").Get(name); in != nil && in.Get("bind_mode") == nil {
				return false
			} else if in != nil {
				steps++
			}
		}
	}
	return steps > 0
}

// RegisteredType asks which type the datasets have that SDK v1 registered. Source: azure-ai-docs
// how-to-read-write-data-v2.md, "Read V1 data assets"; with other types and modes, the service refuses them.
func (m *Migration) RegisteredType(scope string) string {
	answer, _ := m.Decide(&account.Question{ID: "data-type", Scope: scope, Ask: "Are the datasets those that SDK v1 registered?", Default: "mltable", Choices: []string{"mltable", "uri_folder", "uri_file"},
		Why: "v2 reads these only as mltable, also files; `uri_folder` or `uri_file` is for data that you create again with `az ml data create`"})
	return answer
}

// creates reports whether the migration writes a file for a dataset, because a program registers it.
func (m *Migration) creates(dataset string) bool {
	return len(m.Options.Configs) == 0 && slices.ContainsFunc(m.Project.Files, func(f *schema.File) bool {
		th := m.built[f]
		return th != nil && th.Kind == built.Data && schema.FieldAt(f, f.Root(), "name").Text == dataset
	})
}
