package migrate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// ownSteps are the steps that run something that v2 can run too.
var ownSteps = []string{"", "PythonScriptStep", "CommandStep", "EstimatorStep", "HyperDriveStep", "ParallelRunStep", "MpiStep"}

// otherComputes are the steps that ran on compute targets that v2 does not have, or not for commands.
var otherComputes = []string{"AdlaStep", "AzureBatchStep", "DatabricksStep", "DataTransferStep", "KustoStep", "SynapseSparkStep"}

const trialMetrics = "the metrics of the trials are in MLflow runs, children of the step's run"

// foreign reports whether a step is of a kind that v2 does not have.
func (p *pipelineReader) foreign(j *Job) bool { return !slices.Contains(ownSteps, j.Step.Kind) }

// elsewhere reports whether a step ran where no command runs.
func (p *pipelineReader) elsewhere(j *Job) bool { return slices.Contains(otherComputes, j.Step.Kind) }

// runs reads what a step that a program builds runs.
func (p *pipelineReader) runs(j *Job, n *document.Node) {
	m, s := p.m, j.Source
	script, folder := schema.FieldAt(p.f, n, "script_name"), schema.FieldAt(p.f, n, "source_directory")
	if th := m.built[s.File]; th != nil && th.InStep {
		m.readCode(j)
		if !script.Explicit {
			script, folder = s.Script, schema.FieldAt(s.File, s.File.Root(), "sourceDirectory")
		}
		m.Ledger.Map(j.Name, "the script of the command", "", s.Script)
		if n.Get("compute") == nil {
			m.Ledger.Map(j.Name, "`compute`", "", s.TargetName)
		} else {
			m.Ledger.Drop(j.Name, "the step sets its own compute target", s.TargetName)
		}
	}
	if j.Step.Kind == "ParallelRunStep" {
		if j.Step.Parallel, j.Step.File = n.Get("parallel"), p.f; j.Step.Parallel == nil {
			j.Step.Parallel = document.NewMapping(n.Span)
		}
	}
	m.Ledger.Drop(j.Name, "v2 has no equivalent: the resources of a step cannot be parameters", p.lost(n, "runconfig_pipeline_params"))
	for _, e := range n.Own() {
		if strings.HasSuffix(e.Key.Value, built.ParallelParameter+built.NotLiteral) {
			m.Ledger.Drop(j.Name, "v2 has no equivalent: the settings of a parallel step cannot be parameters, but `az ml job create --set` changes them", schema.FieldAt(p.f, n, e.Key.Value))
		}
	}
	for _, key := range []string{"version", "hash_paths"} {
		m.Ledger.Drop(j.Name, "v2 has no equivalent: whether a step runs again depends on all of its code", p.lost(n, key))
	}
	for _, key := range []string{"runconfig", "parallel_run_config"} {
		if f := p.lost(n, key); f.Explicit {
			j.Lost = f
		}
	}
	if f := schema.FieldAt(p.f, n, "runconfig"); f.Explicit && m.isPart(j.Source.File) {
		j.Lost = f
	}
	m.Ledger.Drop(j.Name, trialMetrics, p.lost(n, "metrics_output"))
	p.program(j, n, script, folder)
}

// program reads the script or the command of a step, or asks for it.
func (p *pipelineReader) program(j *Job, n *document.Node, script, folder schema.Field) {
	m, s := p.m, j.Source
	command := schema.FieldAt(p.f, n, "command")
	switch from := schema.Slashes(folder.Text); {
	case j.Step.Kind == "CommandStep" && command.Explicit:
		j.Code, _ = p.code(from, ".")
		for _, key := range []string{"command", "data", "outputData"} {
			m.Ledger.MapRest(j.Name, "the command of the step", "", schema.FieldAt(s.File, s.File.Root(), key))
		}
		if command.Node.IsSequence() {
			return // its arguments are read with its inputs and outputs
		}
		j.Shell = command.Text
		if m.hidesIn(command) {
			j.Shell, _ = m.secretWord(s, command).Text()
		}
		m.readCommand(j, j.Shell, command)
		m.Ledger.Map(j.Name, "the command, unchanged", "", command)
	case j.Step.Kind == "DataTransferStep":
		j.Code = "."
		m.Ledger.Map(j.Name, "a command that copies the data", "", schema.FieldAt(p.f, n, "type"))
	case p.foreign(j) || !script.Explicit || !plainText(script.Node):
		j.Code, _ = p.code(from, ".")
		p.askRun(j, n)
	default:
		j.Code, j.Script = p.code(from, schema.Slashes(script.Text))
		if !m.has(j.Script) {
			p.findScript(j, n, script)
		} else {
			p.askInstead(j, folder)
		}
	}
}

// askInstead is the Migration's for a step whose folder may not exist.
func (p *pipelineReader) askInstead(j *Job, folder schema.Field) {
	if at := schema.Slashes(folder.Text); !p.m.Project.Folder(path.Clean(cmp.Or(at, "."))) && !p.m.Project.Folder(path.Join(p.f.Dir(), at)) {
		p.m.askInstead(j, folder)
	}
}

// counterpart returns what v2 has instead of a step that is not migrated, or "".
func counterpart(step string) string {
	switch step {
	case "AutoMLStep":
		return "jobs of type automl"
	case "ModuleStep":
		return "components"
	case "SynapseSparkStep":
		return "jobs of type spark"
	}
	return ""
}

// askRun asks what a step runs if the program computes it, or if v2 has nothing like it.
func (p *pipelineReader) askRun(j *Job, n *document.Node) {
	at := schema.FieldAt(p.f, n, "type")
	for _, key := range []string{"script_name", "command", "runconfig", "parallel_run_config"} {
		if f := p.lost(n, key); f.Explicit {
			at = f
			break
		}
	}
	q := account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script does the step run?", Example: "train.py"}
	if q = p.m.Computed(q, at); p.foreign(j) {
		what := ", which v2 does not have"
		if now := counterpart(j.Step.Kind); now != "" {
			what = "; v2 has " + now + " instead, which amlfix does not write as steps"
		}
		q.Why = account.Place(at) + " makes a step of type " + j.Step.Kind + what + ": use a script that does its work, or that calls the service that did it"
	}
	answer, open := p.m.decideScript(q)
	if !open {
		j.Script = answer
		if below := j.Code + "/"; j.Code != "." && !strings.HasPrefix(j.Script, below) {
			j.Code = path.Dir(j.Script)
		}
	}
	if j.Script != "" {
		answer = "`" + j.Script + "`"
	}
	p.m.Ledger.Decide(j.Name, answer, scriptQuestion, at, schema.FieldAt(p.f, n, "type"), p.lost(n, "source_directory"))
	if !p.foreign(j) {
		return
	}
	for _, e := range n.Own() {
		if f := schema.FieldAt(p.f, n, e.Key.Value); e.Value.Tag() == built.Open && p.m.Ledger.Unknown(f) || e.Key.Value == "script_name" {
			p.m.Ledger.Decide(j.Name, answer, scriptQuestion, f)
		}
	}
}

// findScript finds a script that is not where the program says, or is in a folder that it computes, or asks about it.
func (p *pipelineReader) findScript(j *Job, n *document.Node, f schema.Field) {
	named := schema.Slashes(f.Text)
	lost := p.lost(n, "source_directory")
	if same := slices.DeleteFunc(p.m.scripts.called(named), func(s string) bool { return s != named && !strings.HasSuffix(s, "/"+named) }); lost.Explicit && len(same) == 1 {
		j.Script, j.Code = same[0], cmp.Or(strings.TrimSuffix(strings.TrimSuffix(same[0], named), "/"), ".")
		answer, _ := p.m.decideScript(account.Question{ID: scriptQuestion, Scope: j.Name, Ask: "Which script does the step run?", Default: same[0], Example: same[0], Why: account.Place(lost) + " computes its folder; it is the only one of this name"})
		p.m.Ledger.Decide(j.Name, "`"+answer+"`", scriptQuestion, f, lost)
		if answer != "" && answer != same[0] {
			j.Script, j.Code = answer, "."
		}
		return
	}
	p.m.askStepScript(j, f)
}
