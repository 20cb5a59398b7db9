package migrate

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/secret"
)

// lowerData determines what replaces each input and output of a v2 job.
func (m *Migration) lowerData(l *leaving, in *schema.Pipeline) {
	l.values = map[string]binding.Value{}
	shared := map[*document.Node]binding.Value{} // data that several inputs share
	for _, d := range l.job.Inputs() {
		o := originOf(d, in)
		if f := schema.FieldAt(d.Declared.File, d.Declared.Node, "default"); f.Explicit && f.Node != o.value.Node {
			l.note(m, "", "the step sets its own value", f)
		}
		switch {
		case o.child != "":
			m.lowerMade(l, d, o)
		case !o.open && o.value.Explicit:
			m.lowerValue(l, d, o, shared)
		case d.Optional() || o.d.Optional():
		case o.data:
			in := Data{Name: unusedIn(l.inputs, identifier(d.Name)), Mode: mode(d), Why: noValue(o), Source: schema.Data{Name: d.Name, URI: d.Given}}
			if d.Type() == "uri_file" || o.d.Type() == "uri_file" {
				in.File = fit(in.Name)
			}
			l.values["inputs."+d.Name] = m.reads(l, in)
		default:
			o.name = d.Name
			l.missing = append(l.missing, o)
		}
	}
	for _, d := range l.job.Outputs() {
		out := Data{Name: unusedIn(l.outputs, identifier(d.Name)), Mode: "upload", Source: schema.Data{Name: d.Name, URI: d.Given}}
		if l.step != nil {
			made := l.step.In.output(l.child, d)
			out.Folder, out.File = made.folder, made.file
		} else {
			if d.Type() == "uri_file" {
				out.File = fileOf(d)
			}
			if m.Emitter.Format() == "compose" { // elsewhere, outputs/ is what is copied back
				out.Folder = outputFolder(d)
			}
		}
		if d.IsArtifacts() {
			l.note(m, "the folder in which the job starts", "", d.Given)
			continue
		}
		l.outputs = append(l.outputs, out)
		l.values["outputs."+d.Name] = m.at(path.Join(Outputs+out.Name, out.File))
		if m.Emitter.Format() == SkyPilot && out.Folder != "" {
			l.values["outputs."+d.Name] = m.at(path.Join(Steps, out.Folder, out.File))
		}
	}
}

// unusedIn returns a name that no data in a list has.
func unusedIn(list []Data, name string) string {
	return plain.Unused(name, "_", func(name string) bool {
		return slices.ContainsFunc(list, func(d Data) bool { return strings.EqualFold(d.Name, name) })
	})
}

// reads adds an input to a job, and returns its path.
func (m *Migration) reads(l *leaving, in Data) binding.Value {
	l.inputs = append(l.inputs, in)
	return m.at(path.Join(Inputs+in.Name, in.File))
}

// fileOf returns the name of a file output: the one in its path, if it has a path.
func fileOf(d schema.V2Data) string {
	if p := d.Given.Node.Get("path").Text(); path.Ext(p) != "" && !strings.Contains(p, "{{") {
		return fit(path.Base(p))
	}
	return fit(d.Name)
}

// outputFolder returns the folder of the project that an output is written to; "" for an address, and for a path that
// is not written as it is. Azure ML has only addresses, but outside it the path says where the author wants the output.
func outputFolder(d schema.V2Data) string {
	at := schema.Slashes(d.Given.Node.Get("path").Text())
	rel := path.Join(d.Given.File.Dir(), at)
	folder, isFile := rel, d.Type() == "uri_file"
	if isFile {
		folder = path.Dir(rel)
	}
	if at == "" || strings.ContainsAny(at, ":$") || path.IsAbs(at) || !named(rel) || folder == "." || isFile && path.Base(at) != fileOf(d) {
		return ""
	}
	return folder
}

// origin is where an input gets its value from.
type origin struct {
	// d is the input with the value, of the job or of a pipeline around it.
	d     schema.V2Data
	value schema.Field
	// data means that it is a file or a folder.
	data bool
	// passed are the fields that pass the value down.
	passed []schema.Field
	// child creates the data, as its output of that name; in is the pipeline that it is a child of.
	child, output string
	in            *schema.Pipeline
	// open means that it cannot be followed.
	open bool
	// name is the job's own name for it.
	name string
}

// noValue returns a sentence that says that an input has no value, and where.
func noValue(o origin) string {
	if !o.open {
		return account.Place(o.d.At()) + " does not set a value"
	}
	return account.Place(o.d.At()) + " gives it `" + account.Name(secret.HideValue(o.value.Text)) + "`, which is not defined in these files"
}

// askInputs asks for values that are not in the files, unless the command does not use them.
func (m *Migration) askInputs(j *Job, l *leaving, command string) {
	for _, o := range l.missing {
		if !slices.ContainsFunc(binding.Parse(command), func(e binding.Expression) bool {
			return !e.Broken && !e.Optional && strings.TrimSuffix(e.Name, ".path") == "inputs."+o.name
		}) {
			continue
		}
		id := "input-" + account.Slug(o.name)
		answer, open := m.Decide(&account.Question{ID: id, Scope: j.Name, Ask: "What is the input " + account.Name(o.name) + "?", Example: "VALUE", Why: noValue(o)})
		if open {
			answer = account.Marker
		}
		l.values["inputs."+o.name] = binding.Value{Text: answer}
		m.Ledger.Decide(j.Name, "text in the command", id, o.passed...)
	}
}

// originOf follows an input to where its value is given or created.
func originOf(d schema.V2Data, in *schema.Pipeline) (o origin) {
	o.data = isData(d)
	for {
		f := d.Value()
		o.d, o.value = d, f
		if !f.Explicit || len(binding.Parse(f.Text)) == 0 {
			return o
		}
		name, whole := binding.Whole(f.Text)
		step, of, inside := binding.Parent(name)
		switch {
		case !whole || in == nil || !inside:
			o.open = true
			return o
		case step != "":
			o.passed = append(o.passed, f)
			o.child, o.output, o.in = step, of, in
			return o
		}
		o.passed = append(o.passed, f)
		list := in.Of.Inputs()
		i := slices.IndexFunc(list, func(d schema.V2Data) bool { return d.Name == of })
		if i < 0 {
			o.open = true
			return o
		}
		d, in = list[i], in.Outer
		if d.Type() != "" || d.Given.Node.IsMapping() {
			o.data = isData(d)
		}
	}
}

// lowerMade connects an input of a step with what another step creates.
func (m *Migration) lowerMade(l *leaving, d schema.V2Data, o origin) {
	p := l.step.In
	made, ok := p.maker(o.in, o.child, o.output)
	if !ok {
		return // the command asks for it, if it uses it
	}
	left := whyStepLeft(made.step) != ""
	if after := strings.ReplaceAll(made.step.Name, ".", "-"); !left && !slices.Contains(l.step.After, after) {
		l.step.After = append(l.step.After, after)
	}
	sky := m.Emitter.Format() == SkyPilot
	if made.all && !left && !sky {
		at := m.at(path.Join(Workdir, m.codeOf(made.step.Job)))
		l.values["inputs."+d.Name] = at
		l.note(m, "`"+at.Text+"` in the command", "where the step "+made.step.Name+" starts, which also receives its outputs", o.passed...)
		return
	}
	in := Data{Name: unusedIn(l.inputs, identifier(d.Name)), Folder: made.folder, File: made.file, Mode: mode(d), Source: schema.Data{Name: d.Name}}
	result := "the folder `" + made.folder + "` of the project"
	switch {
	case left:
		in.Folder, in.Why = "", "the step "+made.step.Name+", which is left out, made it"
		result = "a folder"
	case made.all && sky:
		in.Folder, in.Why = "", "the step "+made.step.Name+" leaves it in the folder that it starts in, on a machine of its own: let it write an output, and name that"
		result = "a folder"
	case sky:
		result = "`" + made.folder + "` in the bucket of the pipeline"
	}
	l.values["inputs."+d.Name] = m.reads(l, in)
	if sky && in.Folder != "" {
		l.values["inputs."+d.Name] = m.at(path.Join(Steps, in.Folder, in.File))
	}
	l.note(m, result, "", o.passed...)
}

// lowerValue sets an input of a job to a text, a path of the project, or data in Azure.
func (m *Migration) lowerValue(l *leaving, d schema.V2Data, o origin, shared map[*document.Node]binding.Value) {
	l.note(m, "its value; see that key", "", o.passed...)
	if !o.data {
		l.values["inputs."+d.Name] = binding.Value{Text: o.value.Literal()}
		l.note(m, "text in the command", "", o.value)
		return
	}
	at := o.value
	if asset := m.Project.Linked("data", at); asset != nil && asset.V2 == "data" {
		if f := schema.FieldAt(asset, asset.Root(), "path"); f.Explicit {
			m.Ledger.Add(asset)
			l.note(m, "its path; see "+asset.Rel, "", at)
			at = f
		}
	}
	if rel := m.local(at); rel != "" {
		l.values["inputs."+d.Name] = m.at(path.Join(Workdir, rel))
		l.note(m, "`"+m.shown(path.Join(Workdir, rel))+"` in the command", "the data is in the project", at)
		return
	}
	if known, ok := shared[at.Node]; ok {
		l.values["inputs."+d.Name] = known
		return
	}
	in := Data{Name: unusedIn(l.inputs, identifier(o.d.Name)), Mode: mode(d), Address: at.Text, Source: schema.Data{Name: o.d.Name, URI: at}}
	address := reference.Parse(at.Text)
	if o.d.Type() == "uri_file" || d.Type() == "uri_file" {
		if in.File = fit(in.Name); path.Ext(at.Text) != "" && (address.Kind == reference.Address || strings.Contains(at.Text, "/paths/")) {
			in.File = fit(path.Base(at.Text))
		}
	}
	if address.Kind == reference.Path {
		in.Why = account.Place(at) + " names " + account.Name(at.Text) + ", which is not in the project"
	}
	if address.Kind == reference.Address {
		in.Why = "Azure ML downloaded it from its address, which a container does not do: download it yourself"
	}
	shared[at.Node] = m.reads(l, in)
	l.values["inputs."+d.Name] = shared[at.Node]
}

// mode returns how a job accesses an input.
func mode(d schema.V2Data) string {
	if d.Given.Node.IsMapping() {
		return strings.ToLower(d.Given.Node.Get("mode").Text())
	}
	return ""
}

// isData reports whether an input is a file or a folder, and not a text.
func isData(d schema.V2Data) bool {
	switch d.Type() {
	case "uri_file", "uri_folder", "mltable", "mlflow_model", "custom_model", "triton_model", "safe_tensors_model":
		return true
	case "":
		return d.Given.Node.IsMapping() && d.Given.Node.Get("path") != nil
	}
	return false
}

// local returns the path, relative to the project's root, of an input in the project; "" for others.
func (m *Migration) local(v schema.Field) string {
	name := schema.Slashes(v.Text)
	if strings.Contains(name, ":") || name == "" || path.IsAbs(name) {
		return ""
	}
	if rel := path.Join(v.File.Dir(), name); named(rel) && m.Project.Exists(rel) {
		return rel
	}
	return ""
}
