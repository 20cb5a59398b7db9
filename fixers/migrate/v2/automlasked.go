package v2

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
)

// runsOn sets the compute target: SDK v1 trained on this computer if none was given.
func (w *assetWriter) runsOn() {
	f, lost := w.a.Field("compute_target"), w.a.Open("compute_target")
	if f.Explicit && f.Text != "local" {
		w.body = w.body.Set("compute", "azureml:"+f.Text)
		w.m.Ledger.Map(w.a.Name, "`compute: azureml:"+f.Text+"`", "", f)
		return
	}
	why := w.place() + " trains on this computer"
	if lost.Explicit {
		why = account.Place(lost) + " computes it"
	}
	answer, _ := w.m.Decide(&account.Question{ID: "target", Scope: w.a.Name, Ask: "On which compute target does the job run?", Example: "cpu-cluster", Why: why + "; AutoML of v2 needs a compute target of the workspace"})
	w.m.Ledger.Decide(w.a.Name, answer, "target", f, lost)
	w.open("compute", "azureml:", answer)
}

// place returns the place of the asset in its program.
func (w *assetWriter) place() string {
	return account.Place(schema.Field{File: w.a.File, Node: w.a.File.Root()})
}

// open sets a key to an answer, or to the marker while there is none.
func (w *assetWriter) open(key, before, answer string) {
	w.body = append(w.body, opened(key, before, answer))
}

// opened is the entry that open sets.
func opened(key, before, answer string) yamlout.Entry {
	entry := yamlout.Entry{Key: key, Value: before + answer}
	if answer == "" {
		entry.Value, entry.Above = before+account.Marker, []string{account.Marker + ": the program does not say it; see " + account.Report}
	}
	return entry
}

// label asks for the column that is predicted, if the program computes it.
func (w *assetWriter) label() {
	if !w.a.Field("label_column_name").Node.IsString() {
		w.body = append(w.body, w.column("label", "Which column does the job predict?", "target_column_name", " has no label_column_name: some versions took the column as separate data", w.computed("label_column_name")))
	}
}

// timed asks for the column with the times of a forecast, without which v2 rejects the job.
func (w *assetWriter) timed(m yamlout.Map) yamlout.Map {
	const key = "time_column_name"
	if m.Has(key) {
		return m
	}
	return append(m, w.column("time-column", "Which column contains the times?", key, " has no time_column_name", w.computed(key, "forecasting."+key, "forecasting_parameters")))
}

// computed returns the first of some parameters that the program computes, alone or with others after "**".
func (w *assetWriter) computed(keys ...string) (lost schema.Field) {
	for _, key := range append(keys, "settings") {
		if lost = w.a.Open(key); lost.Explicit {
			break
		}
	}
	return lost
}

// column asks for a column that the program computes, or does not give.
func (w *assetWriter) column(id, ask, key, without string, lost schema.Field) yamlout.Entry {
	why := w.place() + without
	if lost.Explicit {
		why = account.Place(lost) + " computes it"
	}
	answer, _ := w.m.Decide(&account.Question{ID: id, Scope: w.a.Name, Ask: ask, Example: "COLUMN", Why: why})
	w.m.Ledger.Decide(w.a.Name, answer, id, lost)
	return opened(key, "", answer)
}

// table sets one of the tables: AutoML of v2 reads only an mltable, which registered tabular datasets of SDK v1 are.
func (w *assetWriter) table(key string) {
	f, lost := w.a.Field(key), w.a.Open(key)
	if !f.Explicit && !lost.Explicit && key != "training_data" {
		return
	}
	name, version := schema.FieldAt(w.a.File, f.Node, "name"), schema.FieldAt(w.a.File, f.Node, "version")
	called, why := migrate.DataName(name.Text)
	if kind := w.kinds[called]; name.Explicit && (kind == "" || kind == "mltable") {
		w.body = w.body.Set(key, yamlout.Map{}.Set("type", "mltable").Set("path", migrate.RegisteredAs(called, version)))
		w.m.Ledger.Map(w.a.Name, "`"+key+"`", why, account.Given(name, version)...)
		return
	}
	if w.unregistered(key, f) {
		return
	}
	all := w.computed()
	switch {
	case name.Explicit:
		why = account.Place(name) + " names " + account.Name(called) + ", which is written as files: answer data-type=mltable for it"
	case lost.Explicit:
		why = account.Place(lost) + " computes it"
	case f.Explicit:
		why = account.Place(f) + " reads files that are not registered"
	case all.Explicit:
		why = account.Place(all) + " computes it"
	default:
		why = w.place() + " names no training_data"
	}
	id := account.Slug(key)
	answer, _ := w.m.Decide(&account.Question{ID: id, Scope: w.a.Name, Ask: "Which table is the " + strings.ReplaceAll(key, "_", " ") + "?", Example: "azureml:NAME@latest",
		Why: why + "; AutoML of v2 reads only data of type mltable"})
	w.m.Ledger.Decide(w.a.Name, answer, id, append(account.Fields(w.a.File, f.Node, "name", "version", "path", "datastore", "separator"), lost)...)
	entry := yamlout.Entry{Key: key, Value: yamlout.Map{}.Set("type", "mltable").Set("path", answer)}
	if answer == "" {
		entry.Value = yamlout.Map{}.Set("type", "mltable").Set("path", "azureml:"+account.Marker+"@latest")
		entry.Above = []string{account.Marker + ": the program does not say which registered data it is; see " + account.Report}
	}
	w.body = append(w.body, entry)
}
