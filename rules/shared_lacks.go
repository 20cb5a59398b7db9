package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// lack is what a v2 file needs although the Azure ML client accepts it without: one of keys, unless one of unless is
// present.
type lack struct {
	kind schema.V2Kind
	// of are the values of "type", in lower case, that have the need; nil means all, and "" means a file without a
	// type.
	of, keys, unless []string
	severity         finding.Severity
	why              string
	// with is a key without which there is no need, or KEY=VALUE; "" means none.
	with string
}

// lacks has what the service requires, as documented in the reference of each kind, reference-yaml-* of
// learn.microsoft.com/azure/machine-learning.
var lacks = []lack{
	{"online-deployment", nil, []string{"environment"}, nil, finding.Error, withoutPackages, "code_configuration"},
	{"batch-deployment", nil, []string{"environment"}, nil, finding.Error, withoutPackages, "code_configuration"},
	{"model-batch-deployment", nil, []string{"environment"}, nil, finding.Error, withoutPackages, "code_configuration"},
	{"compute", []string{"amlcompute"}, []string{"size"}, nil, finding.Info, `"size" is missing, so Azure chooses the machines: write a size, such as Standard_D4as_v4, to control the cost`, ""},
	{"online-deployment", nil, []string{"model", "environment"}, nil, finding.Info, `"model" is missing, so the deployment has nothing to serve: write azureml:NAME:VERSION, unless --set provides it`, ""},
	{"online-deployment", nil, []string{"model"}, nil, finding.Info, `"model" is missing, which is right only if the environment's image contains the model`, ""},
	{"batch-deployment", []string{""}, []string{"model"}, []string{"job_definition", "component"}, finding.Warning, `"model" is missing, so the deployment has nothing to run: write azureml:NAME:VERSION, or path below it`, ""},
	{"batch-deployment", nil, []string{"type"}, nil, finding.Error, typeless, "component"},
	{"batch-deployment", nil, []string{"type"}, nil, finding.Error, typeless, "job_definition"},
	{"model-batch-deployment", nil, []string{"model"}, nil, finding.Warning, `"model" is missing, so the deployment has nothing to run: write azureml:NAME:VERSION, or path below it`, ""},
	{"pipeline-component-batch-deployment", nil, []string{"component", "job_definition"}, nil, finding.Warning, `"component" is missing, so the deployment has nothing to run: write a path, or azureml:NAME:VERSION`, ""},
	{"job", []string{"pipeline"}, []string{"jobs", "component"}, []string{"source_job_id"}, finding.Error, `"jobs" is missing, so the pipeline has nothing to run: write jobs, with a name for each job under it`, ""},
	{"component", []string{"pipeline"}, []string{"jobs"}, []string{"source_job_id"}, finding.Warning, `"jobs" is missing, so the pipeline has nothing to run: write jobs, with a name for each job under it`, ""},
	{"job", []string{"distillation"}, []string{"training_data"}, nil, finding.Error, `"training_data"` + toLabel, labels},
	{"job", []string{"distillation"}, []string{"validation_data"}, nil, finding.Error, `"validation_data"` + toLabel, labels},
}

// What the client's class DistillationJob requires in addition to its schema.
const (
	labels  = "data_generation_type=label_generation"
	toLabel = " is missing, so Azure ML rejects the file: label_generation needs data to label; write type: uri_file and path below it"
)

// The client's constructor stops with a TypeError.
const typeless = `"type" is missing, so Azure ML reads this as the deployment of a model and rejects it: write type: pipeline`

const withoutPackages = `"environment" is missing, but a deployment with a scoring script needs one, also for an MLflow model: write azureml:NAME:VERSION, or image and conda_file below it`

// v2Lacks reports the first thing that each v2 file lacks.
func v2Lacks(p *Pass) {
	for _, f := range p.shared.v2 {
		root := f.Root().Resolve()
		if p.isOtherType(f, root) || !root.IsMapping() || root.Merges() || len(f.Stream.Documents) != 1 {
			continue
		}
		has := func(key string) bool { e, ok := root.Entry(key); return ok && !e.Value.IsNull() }
		holds := func(with string) bool {
			key, value, only := strings.Cut(with, "=")
			return with == "" || has(key) && (!only || strings.EqualFold(root.Get(key).Text(), value))
		}
		i := slices.IndexFunc(lacks, func(n lack) bool {
			return n.kind == f.V2 && (n.of == nil || slices.Contains(n.of, strings.ToLower(root.Get("type").Text()))) &&
				!slices.ContainsFunc(n.keys, has) && !slices.ContainsFunc(n.unless, has) && holds(n.with)
		})
		emptied := func(key string) bool { // that is reported instead
			e, ok := root.Entry(key)
			return ok && p.isReported(format.RuleType, key, f.Source, e.Key.Span)
		}
		if i >= 0 && !nearly(root, lacks[i].keys) && !slices.ContainsFunc(lacks[i].keys, emptied) {
			p.reportAs(lacks[i].severity, atFirstKey(f, root, lacks[i].why), nil)
		}
		namelessModel(p, f, root.Get("model").Resolve())
		servingLacks(p, f, root)
	}
	componentNames(p)
	nullVersion(p)
	for _, b := range p.shared.bodies {
		noEnvironment(p, b)
		jobLacks(p, b)
		if b.File.V2 == "job" && b.Parent == nil && b.Node == b.File.Root().Resolve() && strings.EqualFold(b.Node.Get("type").Text(), "pipeline") &&
			!hasCompute(b.Node) && !p.runInPipeline(b.File) && (b.Node.Get("$schema") != nil || b.Node.Get("name") == nil) {
			noCompute(p, b)
			componentCompute(p, b)
		}
	}
}

// isOtherType reports whether the type of a file is reported as that of other keys.
func (p *Pass) isOtherType(f *schema.File, root *document.Node) bool {
	of := root.Get("type")
	return of != nil && p.isReported(format.RuleValue, string(f.Source.Slice(of.Span)), f.Source, of.Span)
}

// namelessModel reports a model that has a version but no name, which the client rejects.
func namelessModel(p *Pass, f *schema.File, model *document.Node) {
	version, ok := model.Entry("version")
	if !ok || version.Value.IsNull() || model.Merges() || !slices.Contains(deployments, f.V2) || !model.Get("name").IsNull() || nearly(model, []string{"name"}) {
		return
	}
	p.report(finding.Location{Source: f.Source, Span: version.Key.Span, Message: `"version" is given without "name", so Azure ML rejects the file: write the name of the model, or remove the version`}, nil)
}

// nearly reports whether a mapping has a misspelling of one of the keys, or a part of it, which is reported instead.
func nearly(root *document.Node, keys []string) bool {
	return slices.ContainsFunc(root.Entries(), func(e document.Entry) bool {
		return len(format.Nearest(e.Key.Value, keys)) > 0 || slices.ContainsFunc(keys, func(key string) bool { return format.Shortens(e.Key.Value, key) })
	})
}

func atFirstKey(f *schema.File, n *document.Node, message string) finding.Location {
	span := n.Span
	if len(n.Entries()) > 0 {
		span = n.Entries()[0].Key.Span
	}
	return finding.Location{Source: f.Source, Span: span, Message: message}
}

// componentNames reports components without a name. Inside a pipeline, they do not need one.
func componentNames(p *Pass) {
	for _, f := range p.shared.v2 {
		root := f.Root().Resolve()
		if f.V2 != "component" || !root.IsMapping() || root.Merges() || nearly(root, []string{"name"}) && root.Get("name") == nil || p.runInPipeline(f) {
			continue
		}
		if root.Get("name") == nil {
			p.report(atFirstKey(f, root, `"name" is missing, so Azure ML cannot register the component: write a name of lowercase letters, digits and _`), nil)
		}
	}
}

// nullVersion reports a component whose version has no value. The Azure ML client accepts that for other kinds.
func nullVersion(p *Pass) {
	for _, f := range p.shared.v2 {
		if version, ok := f.Root().Resolve().Entry("version"); ok && f.V2 == "component" && version.Value.IsNull() && version.Value.Kind == document.Scalar {
			p.report(finding.Location{Source: f.Source, Span: version.Key.Span, Message: `"version" has no value, so Azure ML rejects the component: write one, or remove the line`}, nil)
		}
	}
}

// runInPipeline reports whether a file of the project names a component's file.
func (p *Pass) runInPipeline(f *schema.File) bool {
	return p.namedBy(f, func(*schema.File) bool { return true })
}

// namedBy reports whether one of those files names a component's file.
func (p *Pass) namedBy(f *schema.File, by func(*schema.File) bool) bool {
	if p.shared.namers == nil {
		p.shared.namers = map[*schema.File][]*schema.File{}
		for _, at := range p.shared.paths {
			if rel, ok := at.Path(); ok && isComponent(at) {
				if named := p.Project.FileAt(rel); named != nil {
					p.shared.namers[named] = append(p.shared.namers[named], at.File)
				}
			}
		}
	}
	return slices.ContainsFunc(p.shared.namers[f], by)
}

// isDeployment reports whether a file is a deployment; it registers the component that it names.
func isDeployment(f *schema.File) bool { return strings.HasSuffix(string(f.V2), "deployment") }

// hasCompute reports whether a pipeline has a default compute target for its jobs, or one whose key schema/unknown-key
// reports as misspelt or misplaced.
func hasCompute(n *document.Node) bool {
	settings := n.Get("settings").Resolve()
	alike := func(e document.Entry) bool { return format.Resembles(e.Key.Value, "default_compute") }
	return n.Merges() || n.Has("default_compute") || n.Has("defaults") || settings.IsMapping() && (nearly(settings, []string{"default_compute"}) || slices.ContainsFunc(settings.Entries(), alike)) || !n.Get("compute").IsNull() || !settings.Get("default_compute").IsNull() || settings.Merges()
}

// noCompute reports the jobs without a compute target in a pipeline without a default. Jobs in other files are reported
// where the file is named.
func noCompute(p *Pass, pipeline *flow.Body) {
	for _, child := range pipeline.Jobs {
		switch where := runsWhere(child); {
		case where == inside && child.Runs == nil:
			noCompute(p, child)
		case where == nowhere && !nearly(child.Node, []string{"compute"}), where == inside && homeless(child.Runs):
			text := `%q has no "compute", and its pipeline has no default, so Azure ML rejects the pipeline: write compute: azureml:NAME`
			if where == inside { // the client ignores what is written there
				text = `jobs of the pipeline that %q runs have no "compute", and this one has no default, so Azure ML rejects it: write default_compute: azureml:NAME below its "settings"`
			}
			p.report(finding.Location{Source: child.File.Source, Span: child.Key.Span, Message: fmt.Sprintf(text, shown(child.Key.Value))}, nil)
		}
	}
}

// homeless reports whether a job of a pipeline, or of one inside it, has no compute target.
func homeless(pipeline *flow.Body) bool {
	return slices.ContainsFunc(pipeline.Jobs, func(child *flow.Body) bool {
		where := runsWhere(child)
		return where == nowhere || where == inside && (child.Runs != nil && homeless(child.Runs) || homeless(child))
	})
}

// Where a pipeline's child gets its compute target from.
const (
	nowhere = iota // not at all
	given          // it has one, or does not need one
	inside         // it is a pipeline, whose jobs have their own
)

func runsWhere(child *flow.Body) int {
	kind := strings.ToLower(child.Node.Get("type").Text())
	if kind == "" && child.Runs != nil {
		kind = strings.ToLower(child.Runs.Node.Get("type").Text())
	}
	switch {
	case kind == "pipeline" || child.IsPipeline():
		return inside
	case child.Node.Merges() || !child.Node.Get("compute").IsNull() || slices.Contains([]string{"spark", "if_else", "do_while", "parallel_for"}, kind):
		return given
	}
	return nowhere
}

// componentCompute does the same for a pipeline job that runs a component's file.
func componentCompute(p *Pass, job *flow.Body) {
	at := schema.FieldAt(job.File, job.Node, "component")
	rel, ok := at.Path()
	file := p.Project.FileAt(rel)
	if !ok || file == nil || job.IsPipeline() {
		return
	}
	for _, b := range p.shared.bodies {
		if b.File == file && b.Parent == nil && b.Node == file.Root().Resolve() && homeless(b) {
			p.report(at.Location(`the jobs of this pipeline have no "compute", and there is no default, so Azure ML rejects the file: write compute: azureml:NAME`), nil)
			return
		}
	}
}

// innerNames lowers findings about names to notes if only components that are registered on their own cannot have them:
// in a pipeline, they are not checked.
func innerNames(p *Pass, found []finding.Finding) []finding.Finding {
	for i, f := range found {
		if f.Rule != format.RuleType {
			continue // checked before the file is looked up, because it decides for most findings
		}
		file := p.Project.File(f.Source.Path)
		if file == nil || file.V2 != "component" || !p.runInPipeline(file) || p.namedBy(file, isDeployment) {
			continue
		}
		if name := file.Root().Resolve().Get("name"); name.IsString() && f.Span == name.Span {
			found[i].Severity, found[i].Fix = finding.Info, nil
			found[i].Message = "a pipeline in this project runs the component under any name, but to be registered it needs a name of lowercase letters, digits and _"
		}
	}
	return found
}
