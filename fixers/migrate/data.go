package migrate

import (
	"bytes"
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
)

// readData reads what the job reads and writes.
func (m *Migration) readData(j *Job) {
	for i, d := range j.in {
		if name := j.inputs[i]; name != "" {
			j.Inputs = append(j.Inputs, m.input(j, d, name))
		}
	}
	for i, d := range j.out {
		if j.outputs[i] == "" {
			continue
		}
		out := Data{Name: j.outputs[i], Source: d, Address: ofRun(datastoreAddress(d), j.outputs[i]), Mode: strings.ToLower(cmp.Or(d.Mode.Text, "mount"))}
		if d.Reference {
			out.Export = m.export(j, out.Name, "AZUREML_DATAREFERENCE_"+d.Name)
		}
		j.Outputs = append(j.Outputs, out)
	}
}

// RegisteredAs returns the address of registered data, or of a model, in a version; SDK v1 called the newest one
// latest.
func RegisteredAs(name string, version schema.Field) string {
	if version.Explicit && version.Node.Tag() != built.Open && version.Text != "latest" {
		return "azureml:" + name + ":" + version.Text
	}
	return "azureml:" + name + "@latest"
}

func (m *Migration) input(j *Job, d schema.Data, name string) Data {
	in := Data{Name: name, Source: d, Mode: strings.ToLower(cmp.Or(d.Mode.Text, "mount"))}
	switch {
	case d.Datastore.Explicit:
		in.Address = datastoreAddress(d)
	case d.Dataset.Explicit:
		name, _ := DataName(d.Dataset.Text)
		in.Address = RegisteredAs(name, d.Version)
	case d.URI.Explicit:
		in.Address = d.URI.Text
	case m.outside(): // which asks for a folder or a file
	default:
		why := "the files do not say where it is"
		if m.built[j.Source.File] != nil && d.Mode.Explicit {
			why = account.Place(d.Mode) + " computes it"
		}
		if d.DatasetID.Explicit {
			why = account.Place(d.DatasetID) + " refers to a dataset by an id that only the old workspace can resolve"
		}
		answer, open := m.Decide(&account.Question{ID: "data-" + in.Name, Scope: j.Name, Ask: "Where is the data " + d.Name + "?", Why: why,
			Example: "azureml:NAME@latest"})
		in.Address, in.Open = answer, open
		m.Ledger.Decide(j.Name, answer, "data-"+in.Name, d.DatasetID)
	}
	if d.Reference {
		in.Export = m.export(j, name, "AZUREML_DATAREFERENCE_"+d.Name)
	} else {
		in.Export = cmp.Or(d.Variable.Text, m.export(j, name, d.Name))
	}
	_, below, _ := strings.Cut(d.URI.Text, "://")
	if _, below, _ = strings.Cut(below, "/"); path.Ext(cmp.Or(d.Path.Text, below)) != "" {
		at := schema.Slashes(cmp.Or(d.Path.Text, below))
		in.File = fit(path.Base(at))
	}
	return in
}

// export returns the variable if a script reads it, or if it is not known what the script reads and no argument
// contains the path; else "".
func (m *Migration) export(j *Job, name, variable string) string {
	if strings.Trim(variable, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return ""
	}
	_, known := m.scripts.Imports(j.Script, "")
	for _, w := range plain.Both(j.Arguments, j.Command) {
		for _, p := range w {
			if !known && (p.Input == name || p.Output == name) {
				return ""
			}
		}
	}
	if !known || m.scripts.mentions(j.Script, variable) {
		return variable
	}
	return ""
}

func datastoreAddress(d schema.Data) string {
	if !d.Datastore.Explicit {
		return d.URI.Text
	}
	return OnStore(d.Datastore.Text, d.Path.Text)
}

// DataName returns the name of a dataset in v2, and why it is another one, or "".
func DataName(name string) (in2, why string) {
	if strings.ContainsAny(name, "${}<>") {
		return name, "" // it is filled in
	}
	parts := strings.FieldsFunc(name, func(r rune) bool {
		return r >= 0x80 || !strings.ContainsRune("_.-", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if in2 = strings.Join(parts, "-"); in2 == name || in2 == "" {
		return name, ""
	}
	return in2, namesInV2
}

const namesInV2 = "names in v2 may contain only letters, digits, hyphens and underscores"

// OutputName is DataName for data that a job registers, whose name may contain no dots either; what reads its latest
// version gets the same name. It asks for a name if the sources contain the new one, which may be other data. Source:
// azure-ai-ml 1.35.2 azure/ai/ml/entities/_job/pipeline/_io/base.py.
func (m *Migration) OutputName(scope string, f schema.Field) (in2, why string) {
	known, why := DataName(f.Text)
	if strings.Contains(known, "${") {
		return known, why
	}
	if in2 = strings.ReplaceAll(known, ".", "-"); in2 != known {
		why = namesInV2
	}
	taken := in2 != known && slices.ContainsFunc(m.Project.Files, func(f *schema.File) bool {
		return f.Err == nil && bytes.Contains(f.Source.Text, []byte(in2)) && !Written(filepath.Dir(f.Path), m.Project.Root)
	})
	clash := "the program contains " + in2 + " too"
	for before, o := range m.outputs {
		if o.name == in2 && o.text != f.Text {
			taken, clash = true, o.text+" is called "+in2+" too"
			if before == known {
				clash += ", and what reads either of them reads " + in2
			}
		}
	}
	if taken {
		id := "name-" + account.Slug(f.Text)
		answer, _ := m.Decide(&account.Question{ID: id, Scope: scope, Ask: "What is the data " + f.Text + " called in v2?", Example: in2 + "-2", Why: namesInV2 + "; " + clash})
		in2 = cmp.Or(answer, account.Marker)
	}
	if m.outputs == nil {
		m.outputs = map[string]output{}
	}
	if _, ok := m.outputs[known]; !ok {
		m.outputs[known] = output{f.Text, in2}
	}
	return in2, why
}

// output is data that a job registers, as the old files call it and in v2.
type output struct{ text, name string }

// followOutputs gives what reads the latest version of an output that is registered under a new name this name.
func (m *Migration) followOutputs() {
	var names []string
	for before, o := range m.outputs {
		if before != o.name {
			names = append(names, "azureml:"+before+"@latest", "azureml:"+o.name+"@latest")
		}
	}
	if names == nil {
		return
	}
	all := strings.NewReplacer(names...) // at once: one may get the name that another had
	for i, f := range m.Files {
		m.Files[i].Text = []byte(all.Replace(string(f.Text)))
	}
}

// OnStore returns the address of a path on a datastore.
func OnStore(store, at string) string {
	for at = schema.Slashes(at) + "/"; strings.HasPrefix(at, "/") || strings.HasPrefix(at, "./"); {
		_, at, _ = strings.Cut(at, "/")
	}
	return "azureml://datastores/" + store + "/paths/" + strings.TrimSuffix(at, "/")
}

// ofRun replaces SDK v1's words for the run and the output in the path of an output.
func ofRun(address, output string) string {
	return strings.NewReplacer("{run-id}", "${{name}}", "{output-name}", output).Replace(address)
}

// nameData gives every input and output of a job a unique name: v1 had three lists of them, and names that are not
// identifiers. Duplicates within a list are merged.
func (m *Migration) nameData(j *Job) {
	j.in, j.out = nil, slices.Clone(j.Source.SDK.Outputs)
	for _, d := range j.Source.SDK.Inputs {
		if m.fills(j, d) {
			j.out = append(j.out, d)
		} else {
			j.in = append(j.in, d)
		}
	}
	taken := identifiers()
	taken.Take(ShareName)
	type key struct {
		name      string
		reference bool
	}
	name := func(list []schema.Data) (names []string) {
		seen := map[key]bool{}
		for _, d := range list {
			k := key{d.Name, d.Reference}
			if seen[k] {
				names = append(names, "")
				continue
			}
			seen[k] = true
			names = append(names, taken.Take(identifier(d.Name)))
		}
		return names
	}
	j.inputs, j.outputs = name(j.in), name(j.out)
	j.mounts = plain.Both(mountsOf(j.in, j.inputs, func(name string) Part { return Part{Input: name} }),
		mountsOf(j.out, j.outputs, func(name string) Part { return Part{Output: name} }))
}

// fills asks whether a job writes to a data reference whose name says so: a mount of SDK v1 was writable.
func (m *Migration) fills(j *Job, d schema.Data) bool {
	called := slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(d.Name), func(r rune) bool { return r == '_' || r == '-' }), func(word string) bool { return word == "output" || word == "outputs" })
	if !called || j.Step != nil || !d.Reference || !d.Datastore.Explicit || path.Ext(d.Path.Text) != "" || strings.ToLower(cmp.Or(d.Mode.Text, "mount")) != "mount" {
		return false
	}
	answer, _ := m.Decide(&account.Question{ID: "writes-" + account.Slug(d.Name), Scope: j.Name, Ask: "Does the script write to the data " + d.Name + "?", Default: "yes", Choices: []string{"yes", "no"},
		Why: account.Place(d.Datastore) + " mounts it, which made it writable in v1, and its name says output; `no` makes it an input, which cannot be written to"})
	return answer == "yes"
}

// ShareName is the output that stands for Workbench's shared folder, and ShareVariable the variable with its path.
const (
	ShareName     = "share"
	ShareVariable = "AZUREML_NATIVE_SHARE_DIRECTORY"
)

// unused returns a name that taken does not have, ignoring case.
func unused(taken []string, name string) string {
	if !slices.ContainsFunc(taken, func(t string) bool { return strings.EqualFold(t, name) }) {
		return name
	}
	names := identifiers()
	for _, t := range taken {
		names.Take(t)
	}
	return names.Take(name)
}

// identifiers gives out names of inputs, outputs or steps.
func identifiers() plain.Names { return plain.Names{Sep: "_", Fold: true} }

// identifier returns a valid name for an input or output.
func identifier(name string) string {
	s := strings.Map(func(r rune) rune {
		if r == '_' || r < 0x80 && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '_'
	}, name)
	if s == "" || s[0] <= '9' {
		s = "data_" + s
	}
	return s
}

// word splits an argument: SDK v1 replaced $AZUREML_DATAREFERENCE_name and DatasetConsumptionConfig:name with the paths
// of data, and put data where a run configuration said.
func (m *Migration) word(j *Job, f schema.Field) Word {
	if m.hidesIn(f) {
		return m.secretWord(j.Source, f)
	}
	return m.wordOf(j, argumentText(f.Node))
}

// wordsOf returns the words of an answer.
func (m *Migration) wordsOf(j *Job, line string) (words []Word) {
	for _, word := range splitWords(line, "") {
		words = append(words, m.wordOf(j, word))
	}
	return words
}

// wordOf is word for the text of an argument.
func (m *Migration) wordOf(j *Job, text string) Word {
	if !strings.Contains(text, "AZUREML_DATAREFERENCE_") && !strings.HasPrefix(text, "Dataset") && !strings.Contains(text, "/") {
		return literal(text)
	}
	w := m.mounted(j, text)
	for i, d := range j.in {
		if j.inputs[i] != "" {
			w = split(w, d, Part{Input: j.inputs[i]})
		}
	}
	for i, d := range j.out {
		if j.outputs[i] != "" {
			w = split(w, d, Part{Output: j.outputs[i]})
		}
	}
	return w
}

// mounted returns an argument with the data that SDK v1 put at its path, or above it.
func (m *Migration) mounted(j *Job, text string) Word {
	option, value, given := strings.Cut(text, "=")
	if option += "="; !given || !strings.HasPrefix(option, "-") {
		option, value = "", text
	}
	var at, rest string
	var found Part
	for _, p := range j.mounts {
		from := value
		if p.at[0] != '/' {
			from = strings.TrimPrefix(value, "./")
		}
		below, ok := strings.CutPrefix(from, p.at)
		if ok && len(p.at) > len(at) && (below == "" || below[0] == '/') && !strings.ContainsAny(below, ":,") && !strings.Contains(below, "..") &&
			(p.at[0] == '/' || !strings.ContainsAny(below, `*?[]|^$+\`) && !m.Project.Exists(path.Join(j.Code, from))) { // no pattern, nothing of the job
			at, rest, found = p.at, below, p.part
		}
	}
	if at == "" {
		return literal(text)
	}
	return slices.DeleteFunc(Word{{Text: option}, found, {Text: rest}}, func(p Part) bool { return p.Text == "" && p.Input == "" && p.Output == "" })
}

// mount is where SDK v1 put data on the machine.
type mount struct {
	at   string
	part Part
}

// mountsOf returns where data is mounted, as far as it has a name and is. What is uploaded may be in a folder of the
// job.
func mountsOf(list []schema.Data, names []string, part func(name string) Part) (mounts []mount) {
	for i, d := range list {
		at := path.Clean(schema.Slashes(d.OnCompute.Text))
		if names[i] != "" && len(at) > 1 && (at[0] == '/' || at[0] != '.' && strings.EqualFold(d.Mode.Text, "upload")) && !strings.EqualFold(d.Mode.Text, "direct") {
			mounts = append(mounts, mount{at, part(names[i])})
		}
	}
	return mounts
}

// split replaces in an argument what stands for the path of data: a variable for a data reference, and a special text
// for other inputs and outputs.
func split(w Word, d schema.Data, part Part) (out Word) {
	special := "DatasetConsumptionConfig:" + d.Name
	if part.Output != "" {
		special = "DatasetOutputConfig:" + d.Name
	}
	if text, only := w.Text(); only && !d.Reference && text == special {
		return Word{part}
	}
	for _, p := range w {
		for at, end := referenceIn(p.Text, d.Name); at >= 0; at, end = referenceIn(p.Text, d.Name) {
			if at > 0 {
				out = append(out, Part{Text: p.Text[:at]})
			}
			out, p.Text = append(out, part), p.Text[end:]
		}
		if p.Text != "" || p.Input != "" || p.Output != "" {
			out = append(out, p)
		}
	}
	return out
}

// referenceIn returns where the first variable for a data reference is in a text, or -1.
func referenceIn(text, name string) (at, end int) {
	for from := 0; ; from = end {
		if at = strings.Index(text[from:], "$"); at < 0 {
			return -1, 0
		}
		at += from
		end = at + 1
		if rest, ok := strings.CutPrefix(text[at:], "${AZUREML_DATAREFERENCE_"+name+"}"); ok {
			return at, len(text) - len(rest)
		}
		rest, ok := strings.CutPrefix(text[at:], "$AZUREML_DATAREFERENCE_"+name)
		if ok && (rest == "" || strings.ContainsRune("/.,:;= ", rune(rest[0]))) {
			return at, len(text) - len(rest)
		}
	}
}
