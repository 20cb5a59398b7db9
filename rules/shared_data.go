package rules

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/template"
)

// dataCheck checks that the data that v2 files name by a path exists. The Azure ML client does so only when it uploads
// it.
type dataCheck struct {
	pass *Pass
	seen map[string]presence // by path: a file may name the same path many times
	want string              // the type that the component expects here, if known
}

// presence is what is at a path.
type presence struct{ exists, folder bool }

// inputs checks the inputs of a job or of a pipeline's child.
func (d dataCheck) inputs(b *flow.Body) {
	if b.Declared || b.Scheduled { // what a schedule adds is relative to the folder of its job
		return
	}
	for _, e := range b.Inputs.Node.Resolve().Own() {
		if d.want = ""; b.Runs != nil && b.Runs.Declared {
			d.want = b.Runs.Input(e.Key.Value).Type
		}
		if value := e.Value.Resolve(); value.IsMapping() {
			d.entry(b.File, value, "uri_folder")
		} else if flow.IsData(d.want) {
			d.check(b.File, value, d.want)
		}
	}
	if d.want = ""; strings.EqualFold(b.Node.Get("type").Text(), "automl") {
		for _, key := range []string{"training_data", "validation_data", "test_data"} {
			if data := b.Node.Get(key).Resolve(); data.IsMapping() {
				d.entry(b.File, data, "mltable")
			}
		}
	}
}

// outputs checks where a job or a pipeline's child writes its outputs: the job cannot write to this computer.
func (d dataCheck) outputs(b *flow.Body) {
	if b.Declared {
		return
	}
	for _, e := range b.Outputs.Node.Resolve().Own() {
		at := schema.FieldAt(b.File, e.Value.Resolve(), "path")
		if !at.Node.IsString() || at.Text == "" || strings.ContainsAny(at.Text, ":$<") || template.In(at.Text) || d.pass.full(b.File.Source) {
			continue
		}
		d.pass.reportAs(finding.Warning, at.Location("Azure ML writes outputs to a datastore, not to a path on this computer: write azureml://datastores/NAME/paths/…, or remove the path for the default"), nil)
	}
}

// asset checks the data that a file itself creates.
func (d dataCheck) asset(f *schema.File, root *document.Node) {
	switch model := root.Get("model").Resolve(); f.V2 {
	case "data":
		d.entry(f, root, "uri_folder")
	case "model", "index":
		d.entry(f, root, "custom_model")
	case "feature-set":
		d.entry(f, root.Get("specification").Resolve(), "uri_folder")
	case "online-deployment", "batch-deployment", "model-batch-deployment":
		if model.IsMapping() && model.Get("name") != nil { // without a name, the client looks for it itself
			d.entry(f, model, "custom_model")
		}
	default: // the others name only what exists
	}
}

// entry checks a mapping with a path and a type, which is otherwise if it is missing.
func (d dataCheck) entry(f *schema.File, n *document.Node, otherwise string) {
	if !n.Merges() && n.Get("value") == nil {
		d.check(f, n.Get("path").Resolve(), strings.ToLower(cmp.Or(n.Get("type").Text(), otherwise)))
	}
}

// tabular are extensions of files with a table, none of which is the name of a folder.
var tabular = []string{".csv", ".tsv", ".parquet", ".json", ".jsonl"}

const notTable = "%q is a file, but an mltable is a folder with a file named MLTable: write the path of the folder, or type: uri_file"

// absolute reports whether a path is absolute on this system or on Windows.
func absolute(rel string) bool {
	return path.IsAbs(rel) || schema.HasDrive(rel) && strings.HasPrefix(rel[2:], "/")
}

// check reports what is wrong with a path to data of a type.
func (d dataCheck) check(f *schema.File, n *document.Node, t string) {
	text := n.Text()
	if !n.IsString() || text == "" || d.pass.full(f.Source) || strings.Contains(text, "${{") || template.In(text) {
		return
	}
	report := func(severity finding.Severity, format string, args ...any) {
		d.pass.reportAs(severity, finding.Location{Source: f.Source, Span: n.Span, Message: fmt.Sprintf(format, args...)}, nil)
	}
	scheme, _, _ := strings.Cut(text, "://")
	rel := schema.Slashes(text)
	switch {
	case catalog.UnreadSchemes.Has(strings.ToLower(scheme)):
		report(finding.Warning, "Azure ML cannot read data from %s://: copy it to a datastore (azureml://), or use an https://, wasbs:// or abfss:// address", scheme)
		return
	case text != strings.TrimSpace(text) && v2Address.Get().MatchString(strings.TrimSpace(text)):
		d.instead(f, n, "because of the space inside the quotes, Azure ML takes this for the path of a file: write "+shown(strings.TrimSpace(text)), finding.Safe, strings.TrimSpace(text))
		return
	case strings.HasPrefix(text, "file:"):
		rest := strings.TrimPrefix(text, "file:")
		if path.IsAbs(rest) {
			rest = ""
		}
		d.instead(f, n, "Azure ML reads file: as part of the name here, and finds nothing: write only the path", finding.Safe, rest)
		return
	case absolute(rel) && !d.at(rel).exists:
		d.instead(f, n, fmt.Sprintf("%q does not exist on this computer: use a path relative to the folder of this file, or a data asset", shown(text)), finding.Unsafe, d.nearby(f, rel))
		return
	case absolute(rel):
		report(finding.Info, "this path exists on one computer only: use a path relative to the folder of this file, or a data asset")
	case mistypedAddress(text) != "" && !d.at(path.Join(f.Dir(), rel)).exists:
		right := mistypedAddress(text)
		d.instead(f, n, "Azure ML finds nothing under this name: write "+shown(right), finding.Unsafe, right)
		return
	case strings.ContainsAny(text, ":@"):
		switch right, ok := misspeltPrefix(text); {
		case ok:
			d.instead(f, n, fmt.Sprintf("%q is not a data asset: write %s", shown(text), shown(right)), finding.Unsafe, right)
		case t == "uri_file" && strings.HasSuffix(text, "/"):
			report(finding.Warning, "%q is a folder, because it ends with /, but %s", shown(text), d.wantsFile(n))
		case t == "mltable" && slices.Contains(tabular, strings.ToLower(path.Ext(text))):
			report(finding.Warning, notTable, shown(text))
		}
		return // an address, or the name of an asset
	default:
		rel = path.Join(f.Dir(), rel)
	}
	d.checkThere(f, n, t, rel, report)
}

// checkThere checks what is at a path, against the type that data must have.
func (d dataCheck) checkThere(f *schema.File, n *document.Node, t, rel string, report func(finding.Severity, string, ...any)) {
	text := n.Text()
	switch at := d.at(rel); {
	case at.exists && strings.Contains(text, "\\"):
		d.instead(f, n, backslashes(text), finding.Safe, schema.Slashes(text))
	case !at.exists && (strings.HasPrefix(text, "~") || strings.HasPrefix(text, "$")):
		report(finding.Warning, "the Azure ML client does not expand ~ and $ in paths, so it does not find %q: use a path relative to the folder of this file, or a data asset", shown(text))
	case !at.exists:
		d.instead(f, n, fmt.Sprintf("%q does not exist: correct the path, or create it first (paths are relative to the folder of this file)", shown(text)), finding.Unsafe, d.nearby(f, text))
	case t == "uri_folder" && !at.folder:
		d.retype(f, n, "uri_file", fmt.Sprintf("%q is a file, but %s", shown(text), d.wantsFolder(f, n)))
	case t == "uri_file" && at.folder:
		d.retype(f, n, "uri_folder", fmt.Sprintf("%q is a folder, but %s", shown(text), d.wantsFile(n)))
	case t == "mltable" && !at.folder:
		report(finding.Warning, notTable, shown(text))
	case t == "mltable" && !d.at(path.Join(rel, "MLTable")).exists:
		report(finding.Warning, "the folder %q has no file named MLTable, without an extension, which an mltable needs: add it, or write type: uri_folder", shown(text))
	case t == "mlflow_model" && !at.folder && path.Base(rel) == "MLmodel":
		d.instead(f, n, fmt.Sprintf("%q is a file, but an mlflow_model is the folder with it: write the path of the folder", shown(text)), finding.Unsafe, path.Dir(text))
	case t == "mlflow_model" && at.folder && !d.at(path.Join(rel, "MLmodel")).exists:
		report(finding.Warning, "the folder %q has no file named MLmodel, which an mlflow_model needs: write the path of the folder that has it, or type: custom_model", shown(text))
	}
}

// wantsFolder says why a path should lead to a folder, and what to write.
func (d dataCheck) wantsFolder(f *schema.File, n *document.Node) string {
	switch {
	case f.V2 == "feature-set":
		return "a feature set needs the folder with FeatureSetSpec.yaml: write the path of the folder"
	case n.Parent.Get("path") != n || d.want == "uri_folder":
		return "the component expects a folder (type uri_folder): write the path of a folder"
	case n.Parent.Get("type") == nil:
		return "the type is uri_folder, which is the default: write type: uri_file"
	}
	return "the type is uri_folder: write type: uri_file, or the path of a folder"
}

// wantsFile says why a path should lead to a file, and what to write.
func (d dataCheck) wantsFile(n *document.Node) string {
	if n.Parent.Get("path") != n || d.want == "uri_file" {
		return "the component expects a file (type uri_file): write the path of a file"
	}
	return "the type is uri_file: write type: uri_folder, or the path of a file"
}

// at returns what is at a path, relative to the root.
func (d dataCheck) at(rel string) presence {
	at, ok := d.seen[rel]
	if !ok {
		at.folder = d.pass.Project.Folder(rel)
		at.exists = at.folder || d.pass.Project.Exists(rel)
		d.seen[rel] = at
	}
	return at
}

// nearby returns the only existing path that results if somebody miscounted the folders above a file or started at the
// root, or "".
func (d dataCheck) nearby(f *schema.File, text string) (found string) {
	rel := strings.TrimPrefix(path.Clean(schema.Slashes(text)), "/")
	for _, other := range []string{rel, "../" + rel, "../../" + rel, strings.TrimPrefix(rel, "../")} {
		if other == text || !d.at(path.Join(f.Dir(), other)).exists {
			continue
		}
		if found != "" && found != other {
			return ""
		}
		found = other
	}
	return found
}

// retype reports a path to data of another type, with a fix that writes the type if the path has one of its own.
func (d dataCheck) retype(f *schema.File, n *document.Node, t, message string) {
	var fix *finding.Fix
	if d.hasType(f, n, t) {
		fix = schema.FieldAt(f, n.Parent, "type").Fix(finding.Text(t), finding.Unsafe, "write type: "+t)
	}
	d.pass.reportAs(finding.Warning, finding.Location{Source: f.Source, Span: n.Span, Message: message}, fix)
}

// hasType reports whether a path may have another type beside it: it is not that of a component, nor the only one of
// its kind.
func (d dataCheck) hasType(f *schema.File, n *document.Node, t string) bool {
	return f.V2 != "feature-set" && n.Parent.Get("path") == n && (d.want == "" || d.want == t)
}

// instead reports a path, with a fix that replaces it unless the replacement is "".
func (d dataCheck) instead(f *schema.File, n *document.Node, message string, how finding.Applicability, other string) {
	var fix *finding.Fix
	if key := n.KeyNode(); other != "" && key != nil {
		fix = schema.FieldAt(f, n.Parent, key.Value).Fix(finding.Text(other), how, fmt.Sprintf("write %q", shown(other)))
	}
	d.pass.reportAs(finding.Warning, finding.Location{Source: f.Source, Span: n.Span, Message: message}, fix)
}
