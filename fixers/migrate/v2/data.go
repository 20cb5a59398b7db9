package v2

import (
	"cmp"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
)

// inputMode returns v2's word for how a job gets data of a type; a mount was writable in v1 and no longer is. In v1, a
// script got datasets themselves as direct; in v2, it would get the address of files.
func inputMode(mode, kind string) string {
	switch {
	case mode == "direct" && kind == "mltable":
		return mode
	case kind == "mltable" && mode == "download":
		return "eval_download"
	case kind == "mltable":
		return "eval_mount"
	case mode == "download":
		return mode
	}
	return "ro_mount"
}

// data returns the inputs and outputs.
func (w *jobWriter) data() (inputs, outputs yamlout.Map) {
	for _, d := range w.j.Inputs {
		inputs = append(inputs, w.input(d))
	}
	for _, d := range w.j.Outputs {
		outputs = append(outputs, w.output(d))
	}
	switch t := w.j.Source.Target; {
	case !w.j.Share:
	case w.j.Spark:
		if t != nil {
			w.m.Ledger.Drop(w.j.Name, "no variable of a Spark job contains the path of an output, so the script has to get it as an argument", t.SharedDirectory)
		}
	default:
		name := w.m.Name()
		outputs = append(outputs, yamlout.Entry{Key: migrate.ShareName, Value: yamlout.Map{
			{Key: "type", Value: "uri_folder"},
			{Key: "mode", Value: "rw_mount"},
			{Key: "path", Value: "azureml://datastores/workspaceblobstore/paths/share/" + name + "/"},
		}})
		if t != nil {
			w.m.Ledger.Map(w.j.Name, "`outputs."+migrate.ShareName+"`, exported as "+migrate.ShareVariable, "a folder on a datastore instead of one on the machine", t.SharedDirectory)
		}
	}
	return inputs, outputs
}

func (w *jobWriter) input(d migrate.Data) yamlout.Entry {
	entry := yamlout.Entry{Key: d.Name}
	kind := w.inputType(d)
	mode := inputMode(d.Mode, kind)
	if w.j.Spark {
		mode = "direct"
	}
	ledger, key := w.m.Ledger, "`inputs."+d.Name+"`"
	s := d.Source
	if d.Mode == "mount" && s.Reference && !w.j.Spark {
		mode = w.askMount(d)
	} else {
		ledger.Map(w.j.Name, key+".mode", "", s.Mode)
	}
	address := d.Address
	if d.Open {
		address = "azureml:" + account.Marker + "@latest"
		entry.Above = []string{account.Marker + ": the old files do not say where this data is; see " + account.Report}
	}
	entry.Value = yamlout.Map{{Key: "type", Value: kind}, {Key: "path", Value: address}, {Key: "mode", Value: mode}}
	ledger.Map(w.j.Name, key, "", account.Given(s.Datastore, s.Path, s.Version, s.URI)...)
	if s.Dataset.Explicit {
		_, why := migrate.DataName(s.Dataset.Text)
		ledger.Map(w.j.Name, key, why, s.Dataset)
	}
	ledger.Map(w.j.Name, "exported in the command", "", s.Variable)
	ledger.Drop(w.j.Name, "the service chooses the location and passes it to the script", s.OnCompute)
	ledger.Drop(w.j.Name, "input data is not overwritten", s.Overwrite)
	return entry
}

// inputType asks for the type of a registered dataset, which v1's files did not have, and of a path that ends like a
// file's.
func (w *jobWriter) inputType(d migrate.Data) string {
	if d.File != "" && !w.j.Spark {
		answer, _ := w.m.Decide(&account.Question{ID: "type-" + d.Name, Scope: w.j.Name, Ask: "Is the data " + d.Name + " a folder or a file?", Default: "uri_file", Choices: []string{"uri_folder", "uri_file"},
			Why: account.Place(account.Given(d.Source.Path, d.Source.URI)[0]) + " may be either"})
		return answer
	}
	s := d.Source
	fromElsewhere := w.j.Step == nil && s.Mode.File != nil && s.Mode.File.Of != "" && !s.Reference && !s.Datastore.Explicit && !s.URI.Explicit // a dataset of a program
	if !s.Dataset.Explicit && !s.DatasetID.Explicit && !fromElsewhere || w.j.Spark {
		return "uri_folder"
	}
	name, _ := migrate.DataName(d.Source.Dataset.Text)
	if kind := w.kinds[name]; kind != "" {
		return kind
	}
	return w.m.RegisteredType(w.j.Name)
}

// askMount asks about a mount, which a v1 script could also write to.
func (w *jobWriter) askMount(d migrate.Data) string {
	answer, _ := w.m.Decide(&account.Question{ID: "mount", Scope: w.j.Name, Ask: "How does the job get mounted data references?", Default: "ro_mount",
		Choices: []string{"ro_mount", "download"}, Why: "v1 mounts were writable, v2 inputs are not: what the script writes there must become an output"})
	w.m.Ledger.Decide(w.j.Name, "`inputs."+d.Name+".mode: "+answer+"`", "mount", d.Source.Mode)
	return answer
}

func (w *jobWriter) output(d migrate.Data) yamlout.Entry {
	mode := cmp.Or(map[string]string{"upload": "upload", "direct": "direct"}[d.Mode], "rw_mount")
	if w.j.Spark {
		mode = "direct"
	}
	m := yamlout.Map{{Key: "type", Value: cmp.Or(d.Type, "uri_folder")}}
	s, ledger, key := d.Source, w.m.Ledger, "`outputs."+d.Name+"`"
	if d.Address != "" {
		m = m.Set("path", d.Address)
		ledger.Map(w.j.Name, key+".path", "", account.Given(s.Datastore, s.Path, s.URI)...)
	}
	m = m.Set("mode", mode)
	ledger.Map(w.j.Name, key+".mode", "", s.Mode)
	if s.Register.Explicit {
		name, why := w.m.OutputName(w.j.Name, s.Register)
		m = m.Set("name", name)
		ledger.Map(w.j.Name, key+".name", why, s.Register)
	}
	ledger.Drop(w.j.Name, "the service chooses the location and passes it to the script", s.OnCompute)
	ledger.Drop(w.j.Name, "each job writes new outputs", s.Overwrite)
	return yamlout.Entry{Key: d.Name, Value: m}
}
