package migrate

import (
	"cmp"
	"path"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
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
	case v.Get("datastore") != nil && v.Get("path_on_datastore") != nil && v.Get("path_on_datastore").Tag() == "!!str":
		if in.Address = onDatastore(v); in.Type == "" || in.Type == "mltable" {
			in.Type = p.askType(out, name, v)
		}
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", account.Fields(p.f, v, "datastore", "path_on_datastore")...)
	case plainText(dataset.Node):
		name, why := DataName(dataset.Text)
		in.Address = RegisteredAs(name, version)
		if in.Type = ""; !p.m.creates(dataset.Text) {
			in.Type = p.m.RegisteredType(out.Name)
		}
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", why, dataset)
	case plainText(v.Get("uri")):
		if in.Address = v.Get("uri").Text(); in.Type == "" {
			in.Type = "uri_file"
		}
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", field("uri"))
	default:
		id := "data-" + in.Name
		q := p.m.Computed(account.Question{ID: id, Scope: out.Name, Ask: "Where is the data " + name + "?", Example: "azureml:NAME@latest"}, schema.Field{File: p.f, Node: cmp.Or(lost.Node, v)})
		in.Address, in.Open = p.m.Decide(&q)
		p.m.Ledger.Decide(out.Name, in.Address, id, lost)
		if in.Open {
			in.Address = "azureml:" + account.Marker + "@latest"
		}
	}
	p.types[name] = in.Type
	return in
}

// parameter reads a parameter of the pipeline.
func (p *pipelineReader) parameter(out *Pipeline, e document.Entry) PipelineInput {
	m, v := p.m, e.Value.Resolve()
	in := PipelineInput{Name: p.input[e.Key.Value], Of: e.Key.Value}
	m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", schema.FieldAt(p.f, v, "type"))
	given := schema.FieldAt(p.f, v, "default")
	if v.Get("type").Text() == "datapath" {
		if d := given.Node.Resolve(); d.IsMapping() && (d.Get("datastore") != nil && d.Get("path_on_datastore") != nil || m.built[p.f] != nil) {
			return p.reference(out, e.Key.Value, d)
		}
		return p.askData(out, in, e.Key.Value, schema.Field{})
	}
	if given.Explicit && given.Node.Resolve().Kind == document.Scalar && !open(given.Node.Resolve()) && given.Node.Tag() != built.Open && !secret.Variable(e.Key.Value, given.Text) {
		in.Value = given.Node.Resolve()
		if v.Get("type").Text() == "string" {
			in.Value = text(given.Text, given.Node)
		}
		m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", given)
		return in
	}
	zero := map[string]string{"int": "0", "float": "0.0", "bool": "false"}[v.Get("type").Text()]
	if given.Explicit {
		zero = ""
	}
	q := account.Question{ID: "parameter-" + account.Slug(e.Key.Value), Scope: out.Name, Ask: "What is the value of the parameter " + e.Key.Value + "?", Default: zero, Example: "VALUE"}
	if given.Explicit && given.Node.Tag() == built.Open {
		q = m.Computed(q, given)
	} else {
		q.Why = account.Name(p.f.Rel) + lineOf(p.f, v) + " does not set a value"
	}
	answer, open := m.Decide(&q)
	m.Ledger.Decide(out.Name, "`inputs."+in.Name+"`", q.ID, given)
	in.Open = open
	tag := map[string]string{"int": "!!int", "float": "!!float", "bool": "!!bool", "string": "!!str"}[v.Get("type").Text()]
	in.Value = document.NewScalar(tag, cmp.Or(answer, account.Marker), source.Span{})
	return in
}

// reference reads a data reference.
func (p *pipelineReader) reference(out *Pipeline, name string, v *document.Node) PipelineInput {
	in := PipelineInput{Name: p.input[name], Of: name}
	field := func(key string) schema.Field { return schema.FieldAt(p.f, v, key) }
	if p.m.built[p.f] == nil {
		p.m.tellUnread(p.f, v, pipelineReads, "datastore", "path_on_datastore", "dataset_name", "dataset_id")
	}
	switch dataset := v.Get("dataset_name"); {
	case p.m.built[p.f] != nil:
		return p.outside(out, in, name, v)
	case v.Get("datastore") != nil:
		in.Address, in.Type = onDatastore(v), p.askType(out, name, v)
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", "", account.Fields(p.f, v, "datastore", "path_on_datastore")...)
	case plainText(dataset):
		known, why := DataName(dataset.Resolve().Value)
		in.Address, in.Type = RegisteredAs(known, schema.Field{}), p.m.RegisteredType(out.Name)
		p.types[name] = in.Type
		p.m.Ledger.Map(out.Name, "`inputs."+in.Name+"`", why, field("dataset_name"))
	default:
		return p.askData(out, in, name, field("dataset_id"))
	}
	return in
}

// askType asks whether a path on a datastore is a file or a folder: an SDK v1 reference could be either.
func (p *pipelineReader) askType(out *Pipeline, name string, at *document.Node) string {
	q := account.Question{ID: "type-" + p.input[name], Scope: out.Name, Ask: "Is the data " + name + " a folder or a file?", Default: "uri_folder", Choices: []string{"uri_folder", "uri_file"},
		Why: account.Name(p.f.Rel) + lineOf(p.f, at) + " may be either"}
	if path.Ext(schema.Slashes(at.Get("path_on_datastore").Text())) != "" {
		q.Default = "uri_file"
	}
	answer, _ := p.m.Decide(&q)
	p.types[name] = answer
	return answer
}

// askData asks where data is that only the old workspace knows.
func (p *pipelineReader) askData(out *Pipeline, in PipelineInput, name string, f schema.Field) PipelineInput {
	id, why := "data-"+in.Name, " does not say where it is"
	if f.Explicit {
		why = lineOf(p.f, f.Node) + " refers to it by an id that only the old workspace can resolve"
	}
	in.Address, in.Open = p.m.Decide(&account.Question{ID: id, Scope: out.Name, Ask: "Where is the data " + name + "?", Example: "azureml:NAME@latest", Why: account.Name(p.f.Rel) + why})
	p.m.Ledger.Decide(out.Name, in.Address, id, f)
	if in.Open {
		in.Address = "azureml:" + account.Marker + "@latest"
	}
	return in
}

// onDatastore returns the address of a path on a datastore.
func onDatastore(n *document.Node) string {
	return OnStore(n.Get("datastore").Text(), n.Get("path_on_datastore").Text())
}
