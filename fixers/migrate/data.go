package migrate

import (
	"cmp"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
)

// readData reads what the job reads and writes.
func (m *Migration) readData(j *Job) {
	for _, d := range j.Source.SDK.Inputs {
		j.Inputs = append(j.Inputs, m.input(j, d))
	}
	for _, d := range j.Source.SDK.Outputs {
		out := Data{Name: identifier(d.Name), Source: d, Address: datastoreAddress(d), Mode: strings.ToLower(cmp.Or(d.Mode.Text, "mount"))}
		if d.Reference {
			out.Export = m.export(j, d, "AZUREML_DATAREFERENCE_"+d.Name)
		}
		j.Outputs = append(j.Outputs, out)
	}
}

func (m *Migration) input(j *Job, d schema.Data) Data {
	in := Data{Name: identifier(d.Name), Source: d, Mode: strings.ToLower(cmp.Or(d.Mode.Text, "mount"))}
	switch {
	case d.Datastore.Explicit:
		in.Address = datastoreAddress(d)
	case d.Dataset.Explicit:
		in.Address = "azureml:" + d.Dataset.Text + "@latest"
		if d.Version.Explicit && d.Version.Text != "latest" {
			in.Address = "azureml:" + d.Dataset.Text + ":" + d.Version.Text
		}
	case d.URI.Explicit:
		in.Address = d.URI.Text
	default:
		why := "nothing says where it is"
		if d.DatasetID.Explicit {
			why = account.Place(d.DatasetID) + " refers to a dataset by its id, which only the old workspace knows"
		}
		answer, open := m.Decide(account.Question{ID: "data-" + in.Name, Scope: j.Name, Ask: "Where is the data " + d.Name + "?", Why: why,
			Example: "azureml:NAME@latest"})
		in.Address, in.Open = answer, open
		m.Ledger.Decide(j.Name, answer, "data-"+in.Name, d.DatasetID)
	}
	if d.Reference {
		in.Export = m.export(j, d, "AZUREML_DATAREFERENCE_"+d.Name)
	} else {
		in.Export = cmp.Or(d.Variable.Text, m.export(j, d, d.Name))
	}
	return in
}

// export returns the variable when a script reads it, or when nobody knows what
// the script reads and no argument carries the path.
func (m *Migration) export(j *Job, d schema.Data, variable string) string {
	if strings.Trim(variable, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return ""
	}
	_, known := m.scripts.Imports(j.Script, "")
	name := identifier(d.Name)
	for _, w := range j.Arguments {
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
	return "azureml://datastores/" + d.Datastore.Text + "/paths/" + strings.TrimPrefix(strings.ReplaceAll(d.Path.Text, `\`, "/"), "/")
}

// identifier returns a name that inputs and outputs may have.
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

// word takes an argument apart: SDK v1 put the paths of data in the place of
// $AZUREML_DATAREFERENCE_name and DatasetConsumptionConfig:name.
func (m *Migration) word(s *schema.Job, f schema.Field) Word {
	text := argumentText(f.Node)
	if m.hidesIn(f) {
		return m.secretWord(s, f)
	}
	for _, d := range s.SDK.Inputs {
		if w, ok := split(text, d.Name, Part{Input: identifier(d.Name)}); ok {
			return w
		}
	}
	for _, d := range s.SDK.Outputs {
		if w, ok := split(text, d.Name, Part{Output: identifier(d.Name)}); ok {
			return w
		}
	}
	return literal(text)
}

func split(text, name string, part Part) (Word, bool) {
	if text == "DatasetConsumptionConfig:"+name || text == "DatasetOutputConfig:"+name {
		return Word{part}, true
	}
	for _, form := range []string{"${AZUREML_DATAREFERENCE_" + name + "}", "$AZUREML_DATAREFERENCE_" + name} {
		before, after, found := strings.Cut(text, form)
		if !found || form[1] != '{' && after != "" && strings.Trim(after[:1], "/.,:;= ") != "" {
			continue
		}
		w := Word{}
		if before != "" {
			w = append(w, Part{Text: before})
		}
		if w = append(w, part); after != "" {
			w = append(w, Part{Text: after})
		}
		return w, true
	}
	return nil, false
}
