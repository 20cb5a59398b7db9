package command

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/reserved"
	"github.com/amlfix/amlfix/schema/secret"
)

// literals are the types of inputs that are values rather than data.
var literals = []string{"string", "integer", "number", "boolean"}

// inputs finds a value for each input.
func (m *maker) inputs() error {
	list := m.Job.Inputs()
	for name := range m.Inputs {
		if m.Around == nil && !slices.ContainsFunc(list, func(d schema.V2Data) bool { return d.Name == name }) {
			return &plan.Error{Usage: true, Text: "--input " + name + ": the job has no such input"}
		}
	}
	for _, d := range list {
		if err := m.named("input", d); err != nil {
			return err
		}
		if err := m.input(d); err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) input(d schema.V2Data) error {
	if text, given := m.Inputs[d.Name]; given {
		return m.given(d, text)
	}
	f := d.Value()
	if !f.Explicit {
		if d.Optional() {
			return nil
		}
		return m.fail(d.At(), "input %s has no value: give it with --input %s=VALUE", d.Name, d.Name)
	}
	if ok, err := m.fromPipeline(d, f); ok {
		return err
	}
	if !m.isData(d, f) {
		m.literal(d, f.Literal(), m.At(f))
		return nil
	}
	name, err := m.local(f, "input "+d.Name)
	if err != nil {
		return err
	}
	m.data(d, name, fileName(name), m.At(f))
	return nil
}

// isData reports whether an input is a file or folder rather than a value.
func (m *maker) isData(d schema.V2Data, f schema.Field) bool {
	if t := d.Type(); t != "" {
		return !slices.Contains(literals, t)
	}
	if name, ok := binding.Whole(f.Text); ok && m.Around != nil {
		return m.Around.isData(name)
	}
	return f.Key != nil && f.Key.Value == "path" && f.Key != d.Given.Key // uri_folder is the default
}

// given sets an input from the command line: a path where data is expected.
func (m *maker) given(d schema.V2Data, text string) error {
	o := plan.Origin{Note: "--input " + d.Name}
	if !m.isData(d, d.Value()) {
		m.literal(d, text, o)
		return nil
	}
	if !filepath.IsAbs(text) {
		text = filepath.Join(m.Dir, text)
	}
	if _, err := os.Stat(text); err != nil {
		return &plan.Error{Usage: true, Text: "--input " + d.Name + ": there is no file or folder " + text}
	}
	m.data(d, text, fileName(text), o)
	return nil
}

func (m *maker) literal(d schema.V2Data, text string, o plan.Origin) {
	m.put(plan.Input{Name: d.Name, Item: plan.Item{Value: text, Origin: o, Secret: secret.Variable(d.Name, text)}}, binding.Value{Text: text})
}

// data adds an input that is a folder, or the named file in a folder.
func (m *maker) data(d schema.V2Data, name, file string, o plan.Origin) {
	at := path.Join(plan.InputsDir, d.Name)
	m.put(plan.Input{Name: d.Name, At: at, Item: plan.Item{Value: name, Origin: o}}, binding.Value{Variable: plan.FolderVariable, Text: "/" + path.Join(at, file)})
}

// put adds an input that the command may use.
func (m *maker) put(in plan.Input, v binding.Value) {
	m.work.Inputs = append(m.work.Inputs, in)
	m.values["inputs."+in.Name], m.values["inputs."+in.Name+".path"] = v, v
}

// fileName returns the name of a file as it will appear in the job's folder; "" for a folder.
func fileName(name string) string {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return ""
	}
	if info, err := os.Stat(real); err != nil || info.IsDir() {
		return ""
	}
	return filepath.Base(real)
}

// local returns the absolute path of the file or folder on this machine that a field names. It must be in the project: only
// the user may name anything elsewhere.
func (m *maker) local(f schema.Field, what string) (string, error) {
	advice := ""
	if name, ok := strings.CutPrefix(what, "input "); ok {
		advice = ": give a copy with --input " + name + "=PATH"
	}
	if asset := m.Project.Link("data", f).File; asset != nil && asset.V2 == "data" { // an asset that the project defines
		if at := schema.FieldAt(asset, asset.Root(), "path"); at.Explicit {
			f = at
		}
	}
	rel, ok := f.Path()
	if !ok {
		switch r := reference.Parse(f.Text); r.Kind {
		case reference.Workspace, reference.Registry:
			return "", m.fail(f, "%s is %s, which exists only in Azure ML%s", what, secret.Hide(f.Text), advice)
		default:
			return "", m.fail(f, "%s is %s, which is not on this machine%s", what, secret.Hide(f.Text), advice)
		}
	}
	name := m.Project.PathOf(rel)
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", m.fail(f, "%s is %s, which does not exist%s", what, f.Text, advice)
	}
	inside, err := filepath.Rel(m.Project.Boundary(), real)
	if err != nil || !filepath.IsLocal(inside) || slices.ContainsFunc(strings.Split(filepath.ToSlash(inside), "/"), reserved.Is) {
		if advice == "" {
			advice = ": run amlfix from a folder that contains both"
		}
		return "", m.fail(f, "%s is %s, which is outside the project%s", what, f.Text, advice)
	}
	if info, err := os.Stat(real); what == "code" && err == nil && !info.IsDir() {
		return "", m.fail(f, "code is %s, which is a file: write the path of its folder", f.Text)
	}
	return name, nil
}
