package migrate

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Related is a file of the repository that concerns Azure ML but was not migrated, because no run configuration uses
// it.
type Related struct {
	// File is its path relative to the project's folder.
	File string
	// What says what it is, and Instead what replaces it.
	What, Instead string
	// Beside is a folder next to the project's whose programs build what can be migrated, this file among it; or "".
	Beside string
}

// relatedKind recognizes one kind of file by its text.
type relatedKind struct {
	names   *regexp.Regexp // of the file, in lower case
	words   string         // in lower case; text is searched only if one of them occurs
	text    *regexp.Regexp // that it contains; nil for any
	what    string
	instead string
}

// relatedKinds are compiled on first use, because other commands need none.
var relatedKinds = plain.Once[[]relatedKind]{Make: func() []relatedKind {
	return []relatedKind{
		{regexp.MustCompile(`^\.amlignore$`), "", nil, "files that are not uploaded", "v2 also reads it"},
		{regexp.MustCompile(`\.json$`), "workspace_name scope", regexp.MustCompile(`"workspace_name"\s*:|"Scope"\s*:\s*"/subscriptions/`), "the address of a workspace", "MLClient.from_config also reads it; for the command line, use `az configure --defaults workspace=… group=…`"},
		{regexp.MustCompile(`\.(ya?ml|json)$`), "entryscript", regexp.MustCompile(`(?m)(?:^|[{,])\s*"?entryScript"?\s*:`), inferenceFile, "code_configuration and environment in a managed online deployment"},
		{regexp.MustCompile(`\.(ya?ml|json)$`), "computetype", regexp.MustCompile(`(?mi)(?:^|[{,])\s*"?computeType"?\s*:\s*"?(aci|aks|akscompute|local|acicompute)\b`), deploymentFile, "a managed online endpoint and deployment: instance_type and instance_count set its size"},
		{regexp.MustCompile(`\.ya?ml$`), "pipeline", regexp.MustCompile(`(?m)^\x{FEFF}?pipeline:\s*(?:#.*)?$[\s\S]*?^\s+steps:|^\W{0,4}pipeline"?\s*:\s*\{[\s\S]*?\bsteps"?\s*:`), pipelineFile, "a pipeline job (type: pipeline) with a command component for each step"},
		{regexp.MustCompile(`\.(ya?ml|json)$`), "sampling parameter_space hyperdrive", regexp.MustCompile(`(?m)(?:^|[{,])\s*"?(hyperparameter_sampling|parameter_space|hyperdrive)"?\s*:|^\s*"?sampling"?\s*:[\s\S]*"?(primary_metric|primaryMetric)`), hyperdriveFile, "a sweep job (type: sweep)"},
		{regexp.MustCompile(`\.(ya?ml|json)$`), "datasettype", regexp.MustCompile(`(?mi)(?:^|[{,])\s*"?datasetType"?\s*:\s*"?(File|Tabular)\b`), "a dataset of the CLI v1", "a data asset: az ml data create"},
		{regexp.MustCompile(`\.ya?ml$`), "schedule", regexp.MustCompile(`(?m)^\x{FEFF}?Schedule"?:\s*(?:#.*)?$[\s\S]*?^\s+(?:recurrence|datastore_name|polling_interval)\s*:`), "a schedule of the CLI v1", "a schedule with trigger and create_job: az ml schedule create"},
		{regexp.MustCompile(`\.ya?ml$`), "azure/aml-", regexp.MustCompile(`(?mi)^[\s-]*uses:\s*["']?azure/aml-[a-z]+@`), "a workflow with GitHub actions for SDK v1", "steps that run `az ml` with its extension of version 2, after azure/login"},
		{regexp.MustCompile(`\.json$`), "create_workspace compute_type runconfig_python_file runconfig_yaml_file pipeline_yaml_file deployment_compute_target", regexp.MustCompile(`"(create_workspace|compute_type|runconfig_(python|yaml)_file|pipeline_yaml_file|deployment_compute_target)"\s*:`), "parameters of a GitHub action for SDK v1", "files for `az ml`: a job, a compute target or a deployment"},
		{regexp.MustCompile(`\.(ya?ml|json)$`), "communicator", regexp.MustCompile(`(?m)^[\s{]*"?framework"?\s*:[\s\S]*^\s*"?communicator"?\s*:`), "a run configuration of SDK v1", "the job that amlfix writes for it as `.azureml/NAME.runconfig`"},
		{regexp.MustCompile(`\.compute$`), "", nil, "a Workbench compute target", "a compute target in the workspace: az ml compute create"},
		{regexp.MustCompile(`\.(ya?ml)$`), "azureml-", regexp.MustCompile(`(?m)^dependencies:[\s\S]*\bazureml-`), looseConda, "conda_file of an environment: az ml environment create"},
		{regexp.MustCompile(`\.py$`), "init(", regexp.MustCompile(`(?m)^def init\([\s\S]*^def run\(`), "the entry script of a web service", "the same functions in a managed online deployment; AZUREML_MODEL_DIR is the path of the model"},
		{regexp.MustCompile(`\.py$`), "azureml", regexp.MustCompile(`(?m)^\s*(import|from)\s+azureml\b`), "Python that uses SDK v1", "azure-ai-ml, or mlflow in the script of a job; if it is in the project's folder, its calls are listed"},
		{regexp.MustCompile(`\.ipynb$`), "azureml", regexp.MustCompile(`(import|from)\s+azureml\b`), "a notebook that uses SDK v1", "azure-ai-ml"},
	}
}}

// pipelineFile is what Related calls a pipeline in YAML.
const pipelineFile = "an SDK v1 pipeline"

// looseConda is what Related calls an unused conda file.
const looseConda = "a conda file that no run configuration uses"

// oldCommand matches commands of the CLI v1, including Workbench's, that the CLI v2 does not have.
var oldCommand = plain.Regexp{Text: `\baz ml (computetarget (?:create|attach|delete|update|show)[ a-z]*|run (?:submit-[a-z]+|cancel|list|show)|experiment (?:submit|prepare|create|list)|model (?:register|deploy|profile|package)|service [a-z]+|folder [a-z]+|dataset [a-z]+|endpoint [a-z]+|pipeline (?:clone|create|disable|enable|get|last|list|show|update)[a-z-]*)`}

// newCommands maps the first words of CLI v1 commands to their replacements.
func newCommands() map[string]string {
	return map[string]string{
		"computetarget": "az ml compute create", "run": "az ml job create", "experiment": "az ml job create", "model": "az ml online-deployment create", "service": "az ml online-endpoint",
		"folder": "az configure --defaults", "dataset": "az ml data create", "endpoint": "az ml online-endpoint", "pipeline": "az ml job create",
		"pipeline create-schedule": "az ml schedule create", "pipeline update-schedule": "az ml schedule update", "pipeline enable-schedule": "az ml schedule enable",
		"pipeline disable-schedule": "az ml schedule disable", "pipeline show-schedule": "az ml schedule show", "pipeline list-schedules": "az ml schedule list",
		"model register": "az ml model create --type custom_model",
	}
}

// mayRelate reports whether files with a name are searched.
func mayRelate(name string) bool {
	name = strings.ToLower(name)
	return notes(name) || slices.ContainsFunc(relatedKinds.Get(), func(k relatedKind) bool { return k.names.MatchString(name) })
}

// related says what a file is; file is its path for display.
func related(file, text string) (list []Related) {
	name := strings.ToLower(filepath.Base(file))
	lower := strings.ToLower(text)
	for _, k := range relatedKinds.Get() {
		if k.names.MatchString(name) && (k.words == "" || containsAny(lower, strings.Fields(k.words)...)) && (k.text == nil || k.text.MatchString(text)) {
			list = append(list, Related{File: file, What: k.what, Instead: k.instead})
			break
		}
	}
	if !notes(name) || !strings.Contains(text, "az ml ") {
		return list
	}
	seen := map[string]bool{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		for _, found := range oldCommand.Get().FindAllStringSubmatch(line, -1) {
			command := strings.TrimSpace(found[1])
			if first, _, _ := strings.Cut(command, " "); !seen[command] {
				seen[command] = true
				list = append(list, Related{File: fmt.Sprintf("%s:%d", file, n), What: "`az ml " + command + "` of the CLI v1", Instead: "`" + cmp.Or(newCommands()[command], newCommands()[first]) + "`"})
			}
		}
	}
	return list
}

// lists reports whether a file in the project's own folder concerns Azure ML: it is listed even if nothing can be
// migrated. A configuration folder further down belongs to another project.
func (m *Migration) lists(found []Related) bool {
	return m.Emitter.Format() == "v2" && slices.ContainsFunc(found, func(r Related) bool {
		rel := way(m.Project.Root, r.File)
		folder := path.Dir(rel)
		other := slices.Contains(schema.ConfigFolders, path.Base(folder)) && path.Dir(folder) != "."
		return filepath.IsLocal(filepath.FromSlash(rel)) && !other
	})
}

// isV2 reports whether a file that was found is the conda file of a v2 environment.
func (m *Migration) isV2(r Related) bool {
	return r.What == looseConda && slices.ContainsFunc(m.Project.V2Environments, func(e *schema.V2Environment) bool {
		return e.Conda != nil && e.Conda.File.Rel == way(m.Project.Root, r.File)
	})
}

// relate sets Related to the files found that are not sources, sorted.
func (m *Migration) relate(found []Related) {
	sources := map[string]bool{}
	for _, row := range m.Ledger.Rows {
		sources[row.File.Rel] = true
	}
	for _, s := range m.Skipped {
		sources[s.File] = true
	}
	for _, f := range found {
		why := m.refused[f.File]
		f.File = way(m.Project.Root, f.File)
		if f.Instead = m.instead(f); f.What == pipelineFile && why != "" {
			f.Instead += "; not written, because " + why
		}
		if job := m.ofLine(f.File); job != "" {
			f.Instead = "`az ml job create --file " + job + "`"
		}
		if command := m.madeAt(f.File); command != "" {
			f.Instead = "`" + command + "`"
		}
		if f.Beside = m.folderBeside(f); f.Beside != "" {
			f.Instead = "what `amlfix migrate --to " + m.Emitter.Format() + " " + escape.Word(f.Beside) + "` writes for it"
		}
		if m.rewrittenAway(f) || m.isEntry(f.File) {
			continue
		}
		if !sources[f.File] && (f.File != ignoreFile || !m.ignores) {
			m.Related = append(m.Related, f)
		}
	}
	plain.SortFunc(m.Related, func(a, b Related) int { return cmp.Compare(a.File, b.File) })
}

// folderBeside returns the folder in which "amlfix migrate" finds a program outside the project's folder that builds
// jobs, a pipeline or a service; "" for other files.
func (m *Migration) folderBeside(f Related) string {
	at := strings.LastIndex(f.File, "../") + len("../")
	folder, _, in := strings.Cut(f.File[at:], "/")
	if !strings.HasPrefix(f.File, "../") || !in {
		return ""
	}
	text, ok := readText(m.Project.PathOf(f.File))
	if strings.HasSuffix(f.File, ".ipynb") {
		text = notebook(text)
	}
	if !ok || !slices.ContainsFunc(built.Read(source.New(f.File, []byte(text)), "."), func(th *built.Thing) bool {
		return th.Kind == built.Job || th.Kind == built.Pipeline || th.Kind == built.Service || th.Kind == built.AutoML && m.Emitter.Format() == "v2"
	}) {
		return ""
	}
	return f.File[:at] + folder
}

// instead returns what replaces a file in the new format.
func (m *Migration) instead(r Related) string {
	switch {
	case !m.outside():
	case r.What == hyperdriveFile:
		return "nothing: " + m.Emitter.Title() + " has no sweeps, so run the job once for each set of arguments"
	case r.What == pipelineFile:
		return "nothing: " + m.withoutPipelines()
	}
	return r.Instead
}

// withoutPipelines says what replaces an SDK v1 pipeline outside Azure ML.
func (m *Migration) withoutPipelines() string {
	switch {
	case m.again:
		return "the job is migrated that an earlier migration wrote for v2"
	case len(m.configurations()) == 0:
		return "amlfix does not write SDK v1 pipelines for " + m.Emitter.Title() + ": use --to v2 first, and then --to " + m.Emitter.Format() + " again, which reads what that wrote"
	case m.Emitter.Format() == SkyPilot:
		return "amlfix does not write SDK v1 pipelines for SkyPilot: write the steps as documents of one file, which `sky jobs launch` runs one after another"
	}
	return "amlfix does not write SDK v1 pipelines for " + m.Emitter.Title() + ": start the steps one after another"
}

// reportRelated writes the list of related files.
func (m *Migration) reportRelated(p printer) {
	if len(m.Related) == 0 {
		return
	}
	p("\n## Found, and not migrated\n\nOther files in the repository that belong to Azure ML.\n\n| file | what it is | what replaces it |\n|---|---|---|\n")
	const most = 500 // rows; nobody reads more
	for _, r := range m.Related[:min(len(m.Related), most)] {
		p("| %s | %s | %s |\n", cell(account.Name(r.File)), cell(r.What), cell(r.Instead))
	}
	if more := len(m.Related) - most; more > 0 {
		p("| %d more |  |  |\n", more)
	}
}
