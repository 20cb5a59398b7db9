package migrate

import (
	"cmp"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// parameterTypes maps the words for types in SDK v1's YAML to v2's.
func parameterTypes() map[string]string {
	return map[string]string{"int": "integer", "float": "number", "bool": "boolean", "string": "string"}
}

// outside reads data that is passed to a pipeline that a program builds.
func (p *pipelineReader) outside(out *Pipeline, in PipelineInput, name string, v *document.Node) PipelineInput {
	field := func(key string) schema.Field { return schema.FieldAt(p.f, v, key) }
	kind, version, lost := field("type"), field("dataset_version"), p.lost(v, "value")
	in.Type = kind.Text
	p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", kind, version)
	for _, key := range []string{"dataset_name", "uri"} {
		if open := p.lost(v, key); open.Explicit {
			lost = open
		}
	}
	switch dataset := field("dataset_name"); {
	case v.Get("datastore") != nil && v.Get("path_on_datastore") != nil && v.Get("path_on_datastore").Tag == "!!str":
		if in.Address = onDatastore(v); in.Type == "" || in.Type == "mltable" {
			in.Type = p.askType(out, name, v)
		}
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", field("datastore"), field("path_on_datastore"))
	case plainText(dataset.Node):
		in.Address = "azureml:" + dataset.Text + "@latest"
		if version.Explicit {
			in.Address = "azureml:" + dataset.Text + ":" + version.Text
		}
		if in.Type = ""; !p.m.creates(dataset.Text) {
			in.Type = p.m.RegisteredType(out.Name)
		}
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", dataset)
	case plainText(v.Get("uri")):
		if in.Address = v.Get("uri").Text(); in.Type == "" {
			in.Type = "uri_file"
		}
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", field("uri"))
	default:
		id := "data-" + in.Name
		in.Address, in.Open = p.m.Decide(account.Question{ID: id, Scope: out.Name, Ask: "Where is the data " + name + "?", Example: "azureml:NAME@latest", Why: account.Place(schema.Field{File: p.f, Node: cmp.Or(lost.Node, v)}) + " computes it"})
		p.m.Ledger.Decide(out.Name, in.Address, id, lost)
		if in.Open {
			in.Address = "azureml:" + account.Marker + "@latest"
		}
	}
	p.types[name] = in.Type
	return in
}
