package command

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
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

// inputs finds a value for each input. The error lists all that have none.
func (m *maker) inputs() error {
	list := m.Job.Inputs()
	var names []string
	for _, d := range list {
		names = append(names, d.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Inputs)) {
		if m.Around == nil && !slices.Contains(names, name) {
			return &plan.Error{Usage: true, Text: "--input " + name + ": the job has no such input" + among(names)}
		}
	}
	var missing []error
	for _, d := range list {
		err := m.named("input", d)
		if err == nil {
			err = m.input(d)
		}
		if wrong, ok := errors.AsType[*plan.Error](err); ok && wrong.Usage {
			return err
		} else if err != nil {
			missing = append(missing, err)
		}
	}
	return errors.Join(missing...)
}

// among lists the names to choose from.
func among(names []string) string {
	if len(names) == 0 {
		return ", and no other"
	}
	return "; it has " + strings.Join(names, ", ")
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
		what := "VALUE"
		if m.isData(d, f) {
			what = "PATH"
		}
		return m.fail(d.At(), "input %s has no value: %s", d.Name, m.give("it", d.Name, what))
	}
	if ok, err := m.fromPipeline(d, f); ok {
		return err
	}
	if !m.isData(d, f) {
		m.literal(d, f.Literal(), m.At(f))
		return nil
	}
	name, err := m.local(f, "input "+cmp.Or(m.flag, d.Name))
	if err != nil {
		return err
	}
	m.data(d, name, fileName(name), m.At(f))
	return nil
}

// give tells the user how to give an input.
func (m *maker) give(it, name, what string) string {
	if m.alone != "" && m.flag == "" {
		return fmt.Sprintf("write a %s there, or run the step alone, with --step %s --input %s=%s", strings.ToLower(what), m.alone, name, what)
	}
	return fmt.Sprintf("give %s with --input %s=%s", it, name, what)
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
	flag := "--input " + cmp.Or(m.flag, d.Name)
	o := plan.Origin{Note: flag}
	refuse := func(format string, args ...any) error {
		return &plan.Error{Usage: true, Text: flag + ": " + fmt.Sprintf(format, args...)}
	}
	name := cmp.Or(m.flag, d.Name)
	for _, of := range m.inner {
		if err := m.fits(*of, text, name, "the step's input"); err != nil {
			return err
		}
	}
	if !m.isData(d, d.Value()) {
		if err := m.fits(d, text, name, "the input"); err != nil {
			return err
		}
		m.literal(d, text, o)
		return nil
	}
	switch {
	case text == "": // an unset variable, and not the working directory
		return refuse("the path is empty, but the input is data (%s): write one after %s=", m.At(d.At()), cmp.Or(m.flag, d.Name))
	case !filepath.IsAbs(text):
		text = filepath.Join(m.Dir, text)
	}
	info, err := os.Stat(text)
	switch typ := d.Type(); {
	case err != nil:
		return refuse("there is no file or folder %s", text)
	case typ == "uri_file" && info.IsDir():
		return refuse("%s is a folder, but the input is a uri_file (%s): give the path of a file", text, m.At(d.At()))
	case typ == "uri_folder" && !info.IsDir():
		return refuse("%s is a file, but the input is a uri_folder (%s): give the path of a folder", text, m.At(d.At()))
	}
	m.data(d, text, fileName(text), o)
	return nil
}

// fits returns an error if the value that the command line gives for a name is not what an input is declared to be.
func (m *maker) fits(d schema.V2Data, text, name, input string) error {
	want := unfit(d, text)
	if want == "" {
		return nil
	}
	return &plan.Error{Usage: true, Text: "--input " + name + ": " + plan.Quote(text) + " does not fit: " + input + " is " + want + " (" + m.At(d.At()).String() + ")"}
}

// unfit returns what a component declares an input to be if a value from the command line is not that, as Azure ML
// would find; otherwise "".
func unfit(d schema.V2Data, text string) string {
	declared := d.Declared.Node
	if declared == nil { // the component itself is run
		declared = d.Given.Node
	}
	number, err := strconv.ParseFloat(text, 64)
	bound := func(key string) (limit float64, shown string, ok bool) {
		if b := declared.Get(key).Resolve(); b != nil {
			limit, err := strconv.ParseFloat(b.Value, 64)
			return limit, b.Value, err == nil
		}
		return 0, "", false
	}
	switch d.Type() {
	case "integer", "number":
		switch {
		case d.Type() == "integer" && (err != nil || number != math.Trunc(number)):
			return "an integer"
		case err != nil:
			return "a number"
		}
		if limit, shown, ok := bound("min"); ok && number < limit {
			return "at least " + shown
		}
		if limit, shown, ok := bound("max"); ok && number > limit {
			return "at most " + shown
		}
	case "boolean":
		if !strings.EqualFold(text, "true") && !strings.EqualFold(text, "false") {
			return "true or false"
		}
	}
	var listed []string
	if enum := declared.Get("enum").Resolve(); enum != nil {
		for _, item := range enum.Items() {
			listed = append(listed, item.Resolve().Value)
		}
	}
	if len(listed) > 0 && !slices.Contains(listed, text) {
		return "one of " + strings.Join(listed, ", ")
	}
	return ""
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

// local returns the absolute path of the file or folder on this machine that a field names. It must be in the project:
// only the user may name anything elsewhere.
func (m *maker) local(f schema.Field, what string) (string, error) {
	advice := ""
	if name, ok := strings.CutPrefix(what, "input "); ok {
		advice = ": " + m.give("a copy", name, "PATH")
	}
	if asset := m.Project.Linked("data", f); asset != nil && asset.V2 == "data" { // an asset that the project defines
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
	return name, nil
}
