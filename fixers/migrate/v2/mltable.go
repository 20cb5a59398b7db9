package v2

import (
	"path"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
)

// unregistered writes the file MLTable of a table that AutoML reads and the program does not register, and reports
// whether it has done so. It does not for a path on a datastore, which such a file names with its subscription and
// workspace. The settings are the defaults of Dataset.Tabular.from_delimited_files in azureml-core 1.62. Source:
// azure-ai-docs reference-yaml-mltable.md
func (w *assetWriter) unregistered(key string, f schema.Field) bool {
	at, separator := schema.FieldAt(w.a.File, f.Node, "path"), schema.FieldAt(w.a.File, f.Node, "separator")
	if schema.FieldAt(w.a.File, f.Node, "datastore").Explicit || !withScheme(at.Text) || secret.Contains(at.Text) {
		return false
	}
	delimiter := ","
	if separator.Explicit {
		delimiter = separator.Text
	}
	folder := "mltable-" + w.a.Name + "-" + account.Slug(key)
	read := yamlout.Map{}.Set("delimiter", delimiter).Set("encoding", "utf8").Set("header", "all_files_same_headers")
	w.m.Write(path.Join(folder, "MLTable"), yamlout.Bytes(w.head, schemaOf("MLTable").Set("type", "mltable").
		Set("paths", yamlout.List{yamlout.Map{}.Set("file", at.Text)}).Set("transformations", yamlout.List{yamlout.Map{}.Set("read_delimited", read)})))
	w.body = w.body.Set(key, yamlout.Map{}.Set("type", "mltable").Set("path", "./"+folder))
	w.m.Ledger.Map(w.a.Name, "`"+folder+"/MLTable`", "", account.Given(at, separator)...)
	return true
}
