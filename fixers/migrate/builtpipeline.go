package migrate

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// isInStep reports whether a run configuration that a program builds belongs to a step of a pipeline, and is not a job
// of its own.
func (m *Migration) isInStep(f *schema.File) bool {
	th := m.built[f]
	return th != nil && (th.Kind == built.Surroundings || th.InStep && th.Experiment == "" && m.Emitter.Format() == "v2")
}

// readBuiltPipelines reads the pipelines that programs build, and returns the run configurations in files that their
// steps load.
func (m *Migration) readBuiltPipelines() (used map[*schema.Job]bool) {
	used = map[*schema.Job]bool{}
	for _, f := range m.Project.Files {
		th := m.built[f]
		if th == nil || th.Kind != built.Pipeline {
			continue
		}
		p := m.pipelineReader(f, f.Root())
		m.Ledger.Add(f)
		if p.root.Get("steps") == nil {
			p.askSteps()
			continue
		}
		taken := identifiers()
		for _, section := range []string{"parameters", "data_references"} {
			for _, e := range p.root.Get(section).Own() {
				p.input[e.Key.Value] = taken.Take(strings.ToLower(identifier(e.Key.Value)))
				p.types[e.Key.Value] = parameterTypes()[e.Value.Get("type").Text()]
			}
		}
		for _, e := range p.root.Get("steps").Own() {
			p.call(e.Key.Value)
			s := m.configOf(p, th.Steps[e.Key.Value], e.Value)
			for _, out := range e.Value.Get("outputs").Own() {
				to := out.Value.Get("destination").Text()
				p.made[to] = [2]string{e.Key.Value, out.Key.Value}
				if e.Value.Get("parallel").Get("output_action").Text() == "append_row" || out.Value.Get("training_output").Get("model_file") != nil && oneProcess(s) {
					p.types[to] = "uri_file"
				}
			}
			if p.configs[e.Key.Value], used[s] = s, true; s != nil && m.built[s.File] != nil {
				m.source(s)
			}
		}
		out := p.read()
		field := func(key string) schema.Field { return schema.FieldAt(f, p.root, key) }
		out.Reruns = out.Reruns || field("regenerate_outputs").Text == "true"
		m.Ledger.Map(out.Name, "`settings.force_rerun`", "", field("regenerate_outputs"))
		out.Continues = field("continue_on_step_failure").Text == "true"
		m.Ledger.Map(out.Name, "`settings.continue_on_step_failure`", "", field("continue_on_step_failure"))
		m.Ledger.Drop(out.Name, "for a single submission: `az ml job create --set inputs.NAME=VALUE`", schema.FieldAt(f, p.root, "pipeline_parameters"), p.lost(p.root, "pipeline_parameters"))
		m.Pipelines = append(m.Pipelines, out)
	}
	delete(used, nil)
	return used
}

// loadable returns the paths at which RunConfiguration.load finds a file: one that it names, or the one of this name in
// the folder or its configuration folder. Names are relative to the project's or the program's folder.
func loadable(name, dir string) (list []string) {
	name = path.Clean(schema.Slashes(name))
	names := []string{name}
	if at, base, ok := strings.Cut("./"+name, "/.azureml/"); ok {
		names = append(names, at, path.Join(at, "aml_config", base), path.Join(at, base))
	}
	for _, name := range names {
		list = append(list, name, path.Join(dir, name))
	}
	return list
}

// loadedFiles reads the run configurations that steps load from files whose names do not say what they are.
func (m *Migration) loadedFiles(made []*schema.File) (files []*schema.File) {
	for _, f := range made {
		if m.built[f].Kind != built.Pipeline || m.Emitter.Format() != "v2" {
			continue
		}
		for _, e := range m.built[f].Root.Get("steps").Own() {
			name := e.Value.Get("runconfig").Text()
			if name == "" {
				continue
			}
			for _, rel := range loadable(name, f.Dir()) {
				if known := m.Project.FileAt(rel); !m.has(rel) || known != nil && known.Kind == schema.RunConfig || slices.ContainsFunc(files, func(o *schema.File) bool { return o.Rel == rel }) {
					continue
				}
				if one := m.parsed(m.Project.PathOf(rel)); one != nil && (one.Root().Get("environment") != nil || one.Root().Get("target") != nil) {
					one.Kind, one.Dialect = schema.RunConfig, schema.SDKv1
					files = append(files, one)
				}
			}
		}
	}
	return files
}

// leaveBuilt records that nothing is written, in formats other than v2, for pipelines and sweeps that programs build.
func (m *Migration) leaveBuilt(chosen []*schema.Job) {
	leave := func(f *schema.File, at *document.Node, why string) {
		place := f.Rel + ":" + strconv.Itoa(f.Source.LineAt(at.Span.Start))
		m.Refused = append(m.Refused, Skipped{File: place, Why: why, Job: true})
	}
	for _, f := range m.Project.Files {
		if th := m.built[f]; th != nil && th.Kind == built.Pipeline && len(m.Options.Configs) == 0 {
			m.Ledger.Add(f)
			m.Ledger.Node(account.Note{Disposition: account.Dropped, Why: m.withoutPipelines()}, f.Root())
			if !m.again {
				leave(f, f.Root(), m.withoutPipelines())
			}
		}
	}
	for _, f := range m.Project.Files {
		if th := m.built[f]; th != nil && th.Kind == built.AutoML && m.Emitter.Format() != "v2" {
			m.Ledger.Add(f)
			m.Ledger.Node(account.Note{Disposition: account.Dropped, Why: m.withoutAutoML()}, f.Root())
			leave(f, f.Root(), m.withoutAutoML())
		}
	}
	for _, j := range chosen {
		if n := j.File.Root().Get("sweep"); n != nil && m.built[j.File] != nil && m.Emitter.Format() != "v2" {
			leave(j.File, n, "amlfix does not write sweeps for "+m.Emitter.Title()+": the job runs once, without the arguments that the sweep gave it")
		}
	}
}

// withoutAutoML says that the format has no AutoML.
func (m *Migration) withoutAutoML() string {
	return "amlfix does not write AutoML jobs for " + m.Emitter.Title() + ": --to v2 writes a job of type automl"
}

// configOf returns the run configuration of a step, or nil if it has none.
func (m *Migration) configOf(p *pipelineReader, th *built.Thing, n *document.Node) *schema.Job {
	if th == nil {
		if name := n.Get("runconfig").Text(); name != "" {
			return p.config(name)
		}
		return nil
	}
	for _, s := range m.Project.RunConfigurations() {
		if m.built[s.File] == th {
			return s
		}
	}
	return nil
}

// chosen returns the steps of a pipeline: the given ones or, if the program computes them, those that the user chooses.
func (p *pipelineReader) chosen(out *Pipeline) []document.Entry {
	all := p.root.Get("steps").Resolve().Own()
	lost := schema.FieldAt(p.f, p.root, built.AllSteps)
	if !lost.Explicit {
		return all
	}
	var names []string
	for _, e := range all {
		names = append(names, p.names[e.Key.Value])
	}
	answer, _ := p.m.Decide(&account.Question{ID: "steps", Scope: out.Name, Ask: "Which steps does the pipeline have?", Default: strings.Join(names, ","), Example: names[0],
		Why: account.Place(lost) + " chooses them; these are all steps that the program makes"})
	p.m.Ledger.Decide(out.Name, "`jobs`", "steps", lost)
	var some []document.Entry
	wanted := p.withMakers(all, strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' }))
	for _, e := range all {
		if slices.Contains(wanted, p.names[e.Key.Value]) {
			some = append(some, e)
			continue
		}
		p.m.Ledger.Node(account.Note{For: out.Name, Disposition: account.Decided, Why: "decision `steps`"}, e.Value)
	}
	if len(some) == 0 {
		p.m.fail(&AnswerError{Text: "steps=" + answer + ": these are not steps of the pipeline; its steps are: " + strings.Join(names, ", ")})
		return all
	}
	return some
}

// withMakers adds to the names of steps those of the steps whose data they take.
func (p *pipelineReader) withMakers(all []document.Entry, names []string) []string {
	for i := 0; i < len(names); i++ {
		for _, e := range all {
			for _, in := range e.Value.Get("inputs").Own() {
				made, is := p.made[in.Value.Get("source").Text()]
				if name := p.names[made[0]]; is && p.names[e.Key.Value] == names[i] && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// askSteps asks about a pipeline whose steps are created elsewhere: nothing is written for it.
func (p *pipelineReader) askSteps() {
	lost := schema.FieldAt(p.f, p.root, built.AllSteps)
	name := account.Slug(strings.TrimSuffix(path.Base(p.f.Rel), path.Ext(p.f.Rel)))
	answer, _ := p.m.Decide(&account.Question{ID: "steps", Scope: name, Ask: "Which steps does the pipeline have?", Choices: []string{"later"},
		Why: account.Place(lost) + " gets them from elsewhere, so no pipeline job is written: write a job of type pipeline, or answer `later`"})
	p.m.Ledger.Decide(name, answer, "steps", lost)
}

// lost returns the value of a key that the program computes.
func (p *pipelineReader) lost(n *document.Node, key string) schema.Field {
	return schema.FieldAt(p.f, n, key+built.NotLiteral)
}
