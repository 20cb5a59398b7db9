package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

var refScope = Rule{
	ID:       "ref/scope",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An expression begins with a word that has no meaning in this place.",
	Why: `The inputs of a pipeline's job come from the pipeline: ${{parent.inputs.NAME}}. The job's command only sees
the job's own inputs: ${{inputs.NAME}}. The first preview wrote both in the same way, which the Azure ML client now
rejects.`,
	Remedy: "Adds or removes \"parent.\", or corrects the word, if the name then exists; with --unsafe, also where another program may replace the expression.",
	Bad: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings:
  default_compute: azureml:cpu
inputs:
  digits:
    path: azureml:digits:1
jobs:
  train:
    command: python train.py ${{inputs.data}}
    environment: azureml:env:1
    inputs:
      data: ${{inputs.digits}}
`,
	Good: `
-- pipeline.yml --
$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
settings:
  default_compute: azureml:cpu
inputs:
  digits:
    path: azureml:digits:1
jobs:
  train:
    command: python train.py ${{inputs.data}}
    environment: azureml:env:1
    inputs:
      data: ${{parent.inputs.digits}}
`,
	Check: func(p *Pass) {
		foreignExpressions(p)
		for _, e := range p.shared.expressions {
			switch {
			case e.name == "":
				unrooted(p, e)
			case e.body.Parent != nil && e.Place == flow.Data && slices.Contains(ofPipelines, e.root):
				if e.Whole {
					fromPipeline(p, e)
				}
			case e.Place == flow.Command && strings.HasPrefix(e.root, "parent.") && slices.Contains(ofPipelines, e.root[len("parent."):]):
				ofPipeline(p, e, e.Name)
			case e.root == "parent.jobs" && !e.misplaced():
				misspeltPart(p, e)
			default:
				misspeltRoot(p, e)
			}
		}
	},
}

// unrooted reports data that is named without the word for its section: a command's own, and the pipeline's in the
// inputs and outputs of its jobs. A command cannot name anything else.
func unrooted(p *Pass, e expression) {
	of, prefix := e.body, ""
	declared := map[string]flow.Names{"inputs": of.Inputs, "outputs": of.Outputs, "search_space": of.Space}
	switch {
	case e.Place == flow.Data && e.Whole && of.Parent != nil && !slices.Contains(filled, e.Name):
		of, prefix = of.Parent, "parent."
		declared = map[string]flow.Names{"inputs": of.Inputs}
		if e.inOutputs() {
			declared = map[string]flow.Names{"outputs": e.body.Parent.Outputs}
		}
	case e.Place != flow.Command:
		return
	}
	for _, section := range slices.Sorted(maps.Keys(declared)) {
		if declared[section].Has(e.Name) {
			right := prefix + section + "." + e.Name
			fix := e.rename(right)
			if fix != nil {
				fix.Applicability = finding.Unsafe // another program may replace it
			}
			p.reportAs(finding.Warning, e.at(fmt.Sprintf("Azure ML does not replace this unless the name begins with %s: write %s", prefix+section, e.shown(right))), fix)
			return
		}
	}
	command := e.Node == of.Node.Get("command") || e.Node == of.Node.Get("trial").Get("command") // not arguments without a shell
	if !of.Declared && (strings.ContainsAny(e.Node.Text(), `'\#`) || strings.Contains(e.Node.Text(), "<<")) {
		return // the shell may not look into it
	}
	if command && binding.PortName.Get().MatchString(e.Name) && !catalog.ComponentAttributes.Has(e.Name) {
		p.reportAs(finding.Warning, e.at(meaningless(of, e.Name)), nil)
	}
}

// filled are the names that Azure ML replaces in the paths of data.
var filled = []string{"name", "output_name", "default_datastore"}

// meaningless says that the first word of an expression in a command means nothing.
func meaningless(of *flow.Body, root string) string {
	effect := "so the shell gets the expression as it is, and stops there"
	if of.Declared {
		effect = "and Azure ML rejects the component"
	}
	return fmt.Sprintf("%q has no meaning here, %s, unless another program replaces this first: write the name of an input or output", shown(root), effect)
}

// fromPipeline reports a pipeline's value that is written as if it were the job's own.
func fromPipeline(p *Pass, e expression) {
	pipeline := e.body.Parent
	name, _, _ := strings.Cut(e.name, ".")
	var fix *finding.Fix
	if e.root == "inputs" && pipeline.Inputs.Has(name) || e.root == "outputs" && pipeline.Outputs.Has(name) || e.root == "jobs" && pipeline.Child(name) != nil {
		fix = e.rename("parent." + e.Name)
	}
	p.report(e.at("the inputs and outputs of a pipeline's jobs come from the pipeline: write "+e.shown("parent."+e.Name)), fix)
}

// ofPipeline reports a command that refers to the pipeline, as in parent.inputs.NAME.
func ofPipeline(p *Pass, e expression, name string) {
	own := strings.TrimPrefix(name, "parent.")
	part, named, _ := strings.Cut(own, ".")
	if has := map[string]flow.Names{"inputs": e.body.Inputs, "outputs": e.body.Outputs}[part]; has.Has(named) {
		p.report(e.at(fmt.Sprintf("a command only sees the job's own %s: write %s", part, e.shown(own))), e.rename(own))
		return
	}
	if part == "jobs" {
		p.report(e.at("a command only sees the job's own inputs: give the job this output as an input, and use that here"), nil)
		return
	}
	p.report(e.at(fmt.Sprintf("a command only sees the job's own %s: pass one from the pipeline to the job, and use that here", part)), nil)
}

// misspeltPart reports a part of another job that is not called outputs, or an output without that word before it.
func misspeltPart(p *Pass, e expression) {
	job, part, name := e.member()
	if job == nil || part == "" || slices.Contains(ofJobs, part) {
		return
	}
	near := nearestWord(part, ofJobs)
	if given, _ := job.Gives(part); given && name == "" {
		near, name = []string{"outputs"}, part
	}
	if len(near) != 1 || name == "" {
		return
	}
	right := "parent.jobs." + job.Key.Value + "." + near[0] + "." + name
	var fix *finding.Fix
	if given, _ := job.Gives(name); given && near[0] == "outputs" {
		fix = e.rename(right)
	}
	p.report(e.at(fmt.Sprintf("after the name of a job comes the word %s: write %s", near[0], e.shown(right))), fix)
}

// ofPipelines are the words that come after parent, and ofJobs those after the name of a job.
var (
	ofPipelines = []string{"inputs", "jobs", "outputs"}
	ofJobs      = []string{"inputs", "outputs"}
)

// misspeltRoot reports an expression whose first words are a misspelling of those that Azure ML knows, or in a
// component, none of them.
func misspeltRoot(p *Pass, e expression) {
	words, written, prefix := binding.Roots, e.root, ""
	if second, ok := strings.CutPrefix(e.root, "parent."); ok {
		words, written, prefix = ofPipelines, second, "parent."
	}
	near := nearestWord(written, words)
	switch {
	case slices.Contains(words, written):
		return
	case ofJob(e) != "":
		right := "parent.jobs." + ofJob(e)
		p.report(e.at("the outputs of a pipeline's jobs are under parent.jobs: write "+e.shown(right)), e.rename(right))
		return
	case ofParent(e) != "":
		p.report(e.at("a pipeline's inputs and outputs are under parent: write "+e.shown(ofParent(e))), e.rename(ofParent(e)))
		return
	case slices.Contains(ofCI, e.root) && !isRejected(e):
		return // reported with those of other files
	case len(near) == 0 && isRejected(e): // in jobs, the client does not look
		p.reportAs(finding.Warning, e.at(meaningless(e.body, e.root)), nil)
		return
	case len(near) != 1:
		return
	}
	right := corrected(prefix + near[0] + "." + e.name)
	second, _, _ := strings.Cut(strings.TrimPrefix(right, "parent."), ".")
	switch known := slices.Contains(ofPipelines, second); {
	case !strings.HasPrefix(right, "parent."), known && e.Place != flow.Command:
		p.report(e.at(fmt.Sprintf("%q has no meaning here: did you mean %s?", shown(e.root), e.shown(right))), e.rename(right))
	case known:
		ofPipeline(p, e, right)
	default:
		words := "parent.inputs, parent.outputs or parent.jobs"
		if e.Place == flow.Command {
			words = "inputs.NAME or outputs.NAME"
		}
		p.report(e.at(fmt.Sprintf("%q has no meaning here: write %s", shown(e.Name), words)), nil)
	}
}

// corrected returns a name whose words after parent are those of Azure ML, where they are near one each, as in
// parent.Jobs.NAME.Outputs.NAME.
func corrected(name string) string {
	words := strings.Split(name, ".")
	straight := func(i int, known []string) {
		if i < len(words)-1 {
			if near := nearestWord(words[i], known); len(near) == 1 {
				words[i] = near[0]
			}
		}
	}
	if words[0] == "parent" {
		straight(1, ofPipelines)
		if words[1] == "jobs" {
			straight(3, ofJobs)
		}
	}
	return strings.Join(words, ".")
}

// nearestWord returns the words of Azure ML, all in lowercase, that a written one is most likely a typo of.
func nearestWord(written string, known []string) []string {
	if written = strings.ToLower(written); slices.Contains(known, written) {
		return []string{written}
	}
	return format.Nearest(written, known)
}

// ofJob returns NAME.outputs.OUTPUT from the end of an expression in a pipeline's job, if the pipeline has that job:
// other programs write steps.NAME or only NAME.
func ofJob(e expression) string {
	if e.body.Parent == nil || e.Place == flow.Command {
		return ""
	}
	for rest := e.Name; rest != ""; {
		job, end, _ := strings.Cut(rest, ".")
		if e.body.Parent.Child(job) != nil && strings.HasPrefix(end, "outputs.") {
			return rest
		}
		rest = end
	}
	return ""
}

// inOutputs reports whether an expression is in the outputs of its job.
func (e expression) inOutputs() bool {
	of := e.body.Outputs.Node
	return of != nil && of.Span.Start < e.At.Start && e.At.End <= of.Span.End
}

// ofParent returns parent.inputs.NAME or parent.outputs.NAME for what other programs write as pipeline.inputs.NAME in a
// pipeline's job, if the pipeline has that name; outputs only where the job's own are.
func ofParent(e expression) string {
	words := strings.Split(strings.TrimPrefix(e.Name, "parent."), ".")
	if e.body.Parent == nil || e.Place != flow.Data || !e.Whole || len(words) != 3 || words[0] != "pipeline" {
		return ""
	}
	if words[1] == "inputs" && e.body.Parent.Inputs.Has(words[2]) || words[1] == "outputs" && e.body.Parent.Outputs.Has(words[2]) && e.inOutputs() {
		return "parent." + words[1] + "." + words[2]
	}
	return ""
}
