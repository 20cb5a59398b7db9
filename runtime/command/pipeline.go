package command

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
)

// Pipeline is what is known about the pipeline around a job.
type Pipeline struct {
	// Of is the pipeline itself, for its inputs and outputs; it is a job only for its methods. A pipeline that is a
	// component Runs what its file says.
	Of *schema.Job
	// Outer is the pipeline of which it is a step, under Name; nil: it is not a step.
	Outer *Pipeline
	Name  string
	// Given are inputs of the pipeline on the command line, by name.
	Given map[string]string
	// Outputs are the outputs of other steps, by "STEP.NAME".
	Outputs map[string]Made
}

// Made is the output of a step.
type Made struct {
	// Path is the absolute path of the file or folder; "" for a folder that the step left empty.
	Path   string
	Folder bool
	// Below is the job's path to it, relative to the input's folder; "" for the folder itself.
	Below string
	// Later means that the step has not run yet.
	Later bool
}

// Folder returns the folder for the outputs of the pipeline's steps, relative to outputs/; "" for outputs/ itself.
func (p *Pipeline) Folder() string {
	if p.Outer == nil {
		return ""
	}
	return path.Join(p.Outer.Folder(), p.Name)
}

// place returns where an output of the pipeline is kept, relative to outputs/: under its own name, or for a step, where
// the surrounding pipeline says.
func (p *Pipeline) place(name string) string {
	if p.Outer == nil {
		return name
	}
	return p.Outer.Kept(p.Name, name, p.Of.Outputs())
}

// Kept returns where an output of a step is kept, relative to outputs/: under its own name, or if it is also one of the
// pipeline, where that is. of are the outputs of the step.
func (p *Pipeline) Kept(step, name string, of []schema.V2Data) string {
	for _, d := range of {
		if own := d.Bound(); d.Name == name && own != "" {
			return p.place(own)
		}
	}
	return path.Join(p.Folder(), step, name)
}

// Made records an output of a step. It may also be an output of the pipeline, and so an output of the step that the
// pipeline is within another one.
func (p *Pipeline) Made(step string, d schema.V2Data, made Made) {
	p.Outputs[step+"."+d.Name] = made
	own := d.Bound()
	if own == "" || p.Outer == nil {
		return
	}
	as := schema.V2Data{Name: own}
	for _, of := range p.Of.Outputs() {
		if of.Name == own {
			as = of
		}
	}
	p.Outer.Made(p.Name, as, made)
}

// isData reports whether an expression stands for a file or folder.
func (p *Pipeline) isData(name string) bool {
	own, ok := strings.CutPrefix(name, "parent.inputs.")
	for _, d := range p.Of.Inputs() {
		if ok && d.Name == own {
			return (&maker{Choice: Choice{Around: p.Outer}}).isData(d, d.Value())
		}
	}
	return strings.HasPrefix(name, "parent.jobs.")
}

// fromPipeline resolves an input that refers to an input of the pipeline or to the output of another step; false: it
// refers to neither.
func (m *maker) fromPipeline(d schema.V2Data, f schema.Field) (bool, error) {
	name, ok := binding.Whole(f.Text)
	if !ok {
		list := slices.DeleteFunc(binding.Parse(f.Text), func(e binding.Expression) bool { return e.Broken })
		if len(list) == 0 {
			return false, nil
		}
		return true, m.combined(d, f, list)
	}
	if m.Around == nil {
		return true, m.fail(f, "input %s is ${{%s}}, of a pipeline: run the pipeline's file with --step, or give it with --input %s=VALUE", d.Name, name, d.Name)
	}
	switch step, of, ok := binding.Parent(name); {
	case ok && step == "":
		m.inner = append(m.inner, &d)
		err := m.ofParent(d, f, of)
		m.inner = m.inner[:len(m.inner)-1]
		return true, err
	case ok:
		made, ok := m.Around.Outputs[step+"."+of]
		if !ok {
			return true, m.fail(f, "input %s is output %s of step %s, which does not exist: run the pipeline, or give it with --input %s=PATH", d.Name, of, step, d.Name)
		}
		o := m.At(f)
		o.Note = "output of step " + step
		file := ""
		if !made.Folder {
			file = cmp.Or(fileName(made.Path), filepath.Base(made.Path))
		}
		m.data(d, made.Path, file, o)
		in := &m.work.Inputs[len(m.work.Inputs)-1]
		in.Later, in.At = made.Later, path.Join(in.At, made.Below)
		return true, nil
	}
	return true, m.fail(f, "input %s is ${{%s}}, which the pipeline does not define", d.Name, name)
}

// combined sets an input to a text with expressions in it, which must be values of the pipeline's inputs.
func (m *maker) combined(d schema.V2Data, f schema.Field, list []binding.Expression) error {
	text, end, hidden := "", 0, false
	for _, e := range list {
		step, name, ok := binding.Parent(e.Name)
		if m.Around == nil || !ok || step != "" || m.Around.isData(e.Name) {
			return m.fail(f, "input %s combines ${{%s}} with other text, but only values of the pipeline's inputs can be part of a text: %s", d.Name, e.Name, m.give("it", d.Name, "VALUE"))
		}
		in, err := m.parentValue(d, f, name)
		if err != nil {
			return err
		}
		text, end, hidden = text+f.Text[end:e.Span.Start]+in.Value, e.Span.End, hidden || in.Secret
	}
	m.literal(d, text+f.Text[end:], m.At(f))
	in := &m.work.Inputs[len(m.work.Inputs)-1]
	in.Secret = in.Secret || hidden
	return nil
}

// parentValue returns the value of an input of the pipeline; none if it is optional and has no value.
func (m *maker) parentValue(d schema.V2Data, f schema.Field, name string) (plan.Item, error) {
	part := *m
	part.work, part.values, part.inner = new(plan.Work), map[string]binding.Value{}, nil
	if err := part.ofParent(d, f, name); err != nil || len(part.work.Inputs) == 0 {
		return plan.Item{}, err
	}
	return part.work.Inputs[0].Item, nil
}

// bound gives settings that refer to an input of the pipeline its value.
func (m *maker) bound() error {
	own, settings := *m.Job, *m.Job.ServiceSettings
	own.ServiceSettings = &settings
	for _, f := range []*schema.Field{&own.Nodes, &own.Processes, &own.Docker.ShmSize} {
		if err := m.setting(f); err != nil {
			return err
		}
	}
	m.Job = &own
	return nil
}

func (m *maker) setting(f *schema.Field) error {
	name, _ := binding.Whole(f.Text)
	step, in, ok := binding.Parent(name)
	if m.Around == nil || !ok || step != "" {
		return nil
	}
	if !slices.ContainsFunc(m.Around.Of.Inputs(), func(of schema.V2Data) bool { return of.Name == in }) {
		return m.fail(*f, "${{%s}} is not an input of the pipeline: write a value there", name)
	}
	value, err := m.parentValue(schema.V2Data{Name: in}, *f, in)
	if f.Text = value.Value; f.Text == "" {
		*f = schema.Field{}
	}
	return err
}

// ofParent resolves an input that refers to an input of the pipeline.
func (m *maker) ofParent(d schema.V2Data, f schema.Field, name string) error {
	for _, of := range m.Around.Of.Inputs() {
		if of.Name != name {
			continue
		}
		of.Name = d.Name
		own := *m
		own.Inputs = map[string]string{}
		if text, given := m.Around.Given[name]; given {
			own.Inputs[d.Name] = text
		}
		if own.Around = m.Around.Outer; own.Around == nil {
			own.flag = name
		}
		if of.Type() == "" && !of.At().Node.IsMapping() {
			of.Declared = schema.Field{} // a literal, whatever the component says
		}
		if !of.Value().Explicit && len(own.Inputs) == 0 {
			if d.Optional() || of.Optional() {
				return nil
			}
			if own.Around != nil {
				return m.fail(of.At(), "input %s of the pipeline in step %s has no value", name, m.Around.Name)
			}
			what := "VALUE"
			if own.isData(of, of.Value()) {
				what = "PATH"
			}
			return m.fail(of.At(), "input %s of the pipeline has no value: give it with --input %s=%s", name, name, what)
		}
		return own.input(of)
	}
	return m.fail(f, "input %s is ${{parent.inputs.%s}}, which the pipeline does not define: %s", d.Name, name, m.give("it", d.Name, "VALUE"))
}

// place returns where an output is kept, and whether it is a file. The pipeline's own outputs are kept under their
// names, with the type that the pipeline gives.
func (m *maker) place(d schema.V2Data) (below string, file bool) {
	typ := d.Type()
	if m.Step == "" || m.Around == nil {
		return d.Name, typ == "uri_file"
	}
	for _, of := range m.Around.Of.Outputs() {
		if of.Name == d.Bound() && typ == "" {
			typ = of.Type()
		}
	}
	return m.Around.Kept(m.Step, d.Name, []schema.V2Data{d}), typ == "uri_file"
}
