package v2

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/secret"
)

// asset writes a compute target or data that a program creates.
func (e *emission) asset(a *migrate.Asset) {
	w := &assetWriter{emission: e, a: a, head: []string{fmt.Sprintf("Written by amlfix from %s:%d.", a.File.Rel, a.File.Source.LineAt(a.File.Root().Span.Start))}}
	switch a.Kind {
	case built.Compute:
		w.cluster()
	case built.Schedule:
		w.schedule()
	case built.Model:
		w.model()
	case built.AutoML:
		w.automl()
	default:
		w.data()
	}
}

// assetWriter writes one asset.
type assetWriter struct {
	*emission
	a    *migrate.Asset
	head []string
	body yamlout.Map
}

// name sets the name of the asset.
func (w *assetWriter) name(what string) {
	f := w.a.Field("name")
	if f.Explicit {
		name, why := f.Text, ""
		if w.a.Kind == built.Data {
			name, why = migrate.DataName(name)
		}
		w.m.Ledger.Map(w.a.Name, "`name`", why, f)
		w.body = w.body.Set("name", name)
		return
	}
	lost := w.a.Open("name")
	if !lost.Explicit {
		lost = schema.Field{File: w.a.File, Node: w.a.File.Root()}
	}
	q := w.m.Computed(account.Question{ID: "name", Scope: w.a.Name, Ask: "What is the " + what + " called?", Example: w.a.Name}, lost)
	answer, open := w.m.Decide(&q)
	w.m.Ledger.Decide(w.a.Name, answer, "name", w.a.Open("name"))
	entry := yamlout.Entry{Key: "name", Value: answer}
	if open {
		entry.Value, entry.Above = account.Marker, []string{account.Marker + ": the name is computed by the program; see " + account.Report}
	}
	w.body = append(w.body, entry)
}

// take copies a parameter as it is, unless v2 would refuse its type.
func (w *assetWriter) take(parameter, key string) {
	f := w.a.Field(parameter)
	if !f.Explicit || f.Node.Kind != document.Scalar {
		return
	}
	value, needed := scalar(f), "number"
	_, fits := value.(int)
	switch key {
	case "description", "location":
		value, fits = f.Text, true
	case "enable_node_public_ip":
		needed = "boolean"
		_, fits = value.(bool)
	}
	if !fits {
		w.m.Ledger.Drop(w.a.Name, "`"+key+"` must be a "+needed, f)
		return
	}
	w.m.Ledger.Map(w.a.Name, "`"+key+"`", "", f)
	w.body = w.body.Set(key, value)
}

// scalar returns a value with its type.
func scalar(f schema.Field) any {
	switch f.Node.Tag() {
	case "!!int":
		return number(f.Text)
	case "!!bool":
		return f.Text == "true"
	}
	if n, err := strconv.Atoi(f.Text); err == nil {
		return n // SDK v1 accepted quoted numbers too
	}
	return f.Text
}

// cluster writes AmlCompute.provisioning_configuration.
func (w *assetWriter) cluster() {
	ledger := w.m.Ledger
	w.body = schemaOf("amlCompute")
	w.name("compute target")
	w.body = w.body.Set("type", "amlcompute")
	w.take("description", "description")
	vm := w.a.Field("vm_size")
	known, _ := catalog.VMSize(vm.Text)
	w.body = w.body.Set("size", w.machine(vm, known.CUDA))
	if f := w.a.Field("vm_priority"); f.Explicit {
		tier := map[bool]string{true: "low_priority", false: "dedicated"}[strings.EqualFold(f.Text, "lowpriority")]
		w.body = w.body.Set("tier", tier)
		ledger.Map(w.a.Name, "`tier: "+tier+"`", "", f)
	}
	w.take("location", "location")
	w.take("min_nodes", "min_instances")
	w.take("max_nodes", "max_instances")
	w.mostNodes()
	w.take("idle_seconds_before_scaledown", "idle_time_before_scale_down")
	w.network()
	w.labels("tags")
	w.write("compute-"+w.a.Name+".yml", w.head, w.body)
}

// machine returns the size of the nodes, and asks for it if it is computed.
func (w *assetWriter) machine(vm schema.Field, gpu bool) string {
	open := w.a.Open("vm_size")
	if !open.Explicit {
		size, _ := w.sizeOf(w.a.Name, vm, gpu)
		return size
	}
	byDefault := catalog.MigrationDefault("cpu-vm-size")
	q := w.m.Computed(account.Question{ID: "vm-size", Scope: w.a.Name, Ask: "Which VM size?", Default: byDefault.Value, Example: byDefault.Value}, open)
	if size, known := catalog.VMSize(q.Default); known && catalog.PhaseOf(size.RetiredOn, w.m.Project.AsOf()) >= catalog.Ended {
		q.Default = byDefault.Value
	}
	if q.Default == byDefault.Value {
		q.Why += "; " + byDefault.Value + ": " + byDefault.Note
	}
	answer, _ := w.m.Decide(&q)
	w.m.Ledger.Decide(w.a.Name, "`"+answer+"`", "vm-size", open)
	return answer
}

// mostNodes sets the maximum number of nodes, and asks if it is not a literal number.
func (w *assetWriter) mostNodes() {
	open := w.a.Open("max_nodes")
	switch {
	case w.a.Field("max_nodes").Explicit:
	case !open.Explicit:
		w.body = w.body.Set("max_instances", defaultNodes)
	default:
		q := w.m.Computed(account.Question{ID: "max-nodes", Scope: w.a.Name, Ask: "How many nodes does the cluster have at most?", Default: strconv.Itoa(defaultNodes), Example: strconv.Itoa(defaultNodes)}, open)
		n, _ := w.m.DecideNumber(&q, defaultNodes)
		w.m.Ledger.Decide(w.a.Name, "`max_instances: "+strconv.Itoa(n)+"`", "max-nodes", open)
		w.body = w.body.Set("max_instances", n)
	}
}

// defaultNodes is the default maximum number of nodes of an SDK v1 cluster. Source: the docstring of
// AmlCompute.provisioning_configuration, azureml-core 1.62.
const defaultNodes = 4

// network copies the network settings of the nodes, without passwords.
func (w *assetWriter) network() {
	ledger := w.m.Ledger
	group := func(key string, list ...[2]string) { // Azure ML requires both
		for i, names := range list {
			if f := w.a.Field(names[0]); !f.Explicit || f.Node.Tag() == built.Open {
				ledger.Drop(w.a.Name, "it needs `"+names[0]+"`, which the program does not give as a literal", w.a.Field(list[1-i][0]))
				return
			}
		}
		var m yamlout.Map
		for _, names := range list {
			if f := w.a.Field(names[0]); f.Explicit && f.Node.Tag() != built.Open {
				m = m.Set(names[1], f.Text)
				ledger.Map(w.a.Name, "`"+key+"."+names[1]+"`", "", f)
			}
		}
		w.body = w.body.Fill(key, m)
	}
	ledger.Drop(w.a.Name, "a password is never copied: use an SSH key for the nodes", w.a.Field("admin_user_password"))
	if w.a.Field("admin_user_ssh_key").Explicit {
		group("ssh_settings", [2]string{"admin_user_ssh_key", "ssh_key_value"}, [2]string{"admin_username", "admin_username"})
	}
	group("network_settings", [2]string{"vnet_name", "vnet_name"}, [2]string{"subnet_name", "subnet"})
	w.take("enable_node_public_ip", "enable_node_public_ip")
}

// write writes a compute file unless a job's exists.
func (w *assetWriter) write(name string, head []string, body yamlout.Map) {
	w.computes[name] = string(yamlout.Bytes(nil, body))
	w.once(name, yamlout.Bytes(head, body))
}

// once writes a file unless an equal asset has written it.
func (w *assetWriter) once(name string, text []byte) {
	if !w.a.Again {
		w.m.Write(name, text)
	}
}

// data writes a registered dataset.
func (w *assetWriter) data() {
	w.body = schemaOf("data")
	w.name("data")
	w.take("description", "description")
	at := w.dataPath()
	kind := w.dataType(at)
	name, _ := migrate.DataName(w.a.Field("name").Text)
	w.kinds[name], _ = kind.Value.(string)
	w.body = append(w.body, kind, at)
	w.labels("tags")
	w.once("data-"+w.a.Name+".yml", yamlout.Bytes(w.head, w.body))
}

// model writes a registered model whose file or folder is in the project.
func (w *assetWriter) model() {
	ledger, at := w.m.Ledger, w.m.ModelOf(w.a.File)
	kind := "custom_model"
	if w.m.Project.Exists(path.Join(at, "MLmodel")) {
		kind = "mlflow_model"
	}
	name := w.a.Field("model_name")
	w.body = schemaOf("model").Set("name", name.Text)
	ledger.Map(w.a.Name, "`name`", "", name)
	w.take("description", "description")
	w.body = w.body.Set("type", kind).Set("path", w.m.Up(at))
	ledger.Map(w.a.Name, "`path`", "", w.a.Field("model_path"))
	w.labels("tags")
	w.labels("properties")
	ledger.Drop(w.a.Name, "v2 knows frameworks by `type: mlflow_model` alone", account.Given(w.a.Field("model_framework"), w.a.Field("model_framework_version"))...)
	w.once("model-"+w.a.Name+".yml", yamlout.Bytes(w.head, w.body))
}

// labels copies one of the asset's mappings of texts.
func (w *assetWriter) labels(key string) {
	w.body = w.body.Fill(key, w.emission.labels(w.a.Name, key, w.a.Field(key).Node))
}

// labels returns a mapping of texts, without those that are secrets or not literal.
func (e *emission) labels(scope, key string, n *document.Node) (m yamlout.Map) {
	for _, entry := range n.Resolve().Own() {
		if v := entry.Value.Resolve(); v.Kind == document.Scalar && v.Tag() != built.Open && !secret.Contains(v.Value) {
			m = m.Set(entry.Key.Value, v.Text())
			e.m.Ledger.Node(account.Note{For: scope, Disposition: account.Mapped, Result: "`" + key + "`"}, v)
		}
	}
	return m
}

// dataPath returns the entry that says where the data is.
func (w *assetWriter) dataPath() yamlout.Entry {
	p, store := w.a.Field("path"), w.a.Field("datastore")
	text := p.Text
	for _, all := range []string{"/**/*", "/**", "/*"} {
		text = strings.TrimSuffix(text, all)
	}
	if store.Explicit {
		text = migrate.OnStore(store.Text, text)
	}
	if p.Explicit && !strings.ContainsAny(text, "*?[") && withScheme(text) {
		w.m.Ledger.Map(w.a.Name, "`path`", "", p)
		why := ""
		if store.Text == built.DefaultDatastore {
			why = "the default datastore of a workspace, unless someone has changed it"
		}
		w.m.Ledger.Map(w.a.Name, "`path`", why, store)
		return yamlout.Entry{Key: "path", Value: text}
	}
	q := account.Question{ID: "path", Scope: w.a.Name, Ask: "Where is the data " + w.a.Name + "?", Example: "azureml://datastores/workspaceblobstore/paths/FOLDER/",
		Why: fmt.Sprintf("%s:%d gives several paths, or computes them", account.Name(w.a.File.Rel), w.a.File.Source.LineAt(w.a.File.Root().Span.Start))}
	if pattern := strings.IndexAny(text, "*?["); p.Explicit && store.Explicit && pattern >= 0 {
		q.Default = text[:strings.LastIndexByte(text[:pattern], '/')+1]
		q.Why = account.Place(p) + " names " + account.Name(p.Text) + "; data of v2 is a file or a whole folder, which may contain more than the pattern matches"
	}
	answer, open := w.m.Decide(&q)
	w.m.Ledger.Decide(w.a.Name, answer, "path", append(account.Given(store), p, w.a.Open("path"))...)
	if open {
		return yamlout.Entry{Key: "path", Value: "azureml://datastores/" + account.Marker + "/paths/", Above: []string{account.Marker + ": only you know where the data is; see " + account.Report}}
	}
	return yamlout.Entry{Key: "path", Value: answer}
}

// dataType returns the v2 type of the data: SDK v1 had files and tables.
func (w *assetWriter) dataType(at yamlout.Entry) yamlout.Entry {
	address, _ := at.Value.(string)
	byDefault, kind := "uri_folder", w.a.Field("kind")
	if path.Ext(path.Base(address)) != "" {
		byDefault = "uri_file"
	}
	if kind.Text == "file" {
		w.m.Ledger.Map(w.a.Name, "`type: "+byDefault+"`", "", kind)
		return yamlout.Entry{Key: "type", Value: byDefault}
	}
	answer, _ := w.m.Decide(&account.Question{ID: "data-type", Scope: w.a.Name, Ask: "Is the data read as files or as a table?", Default: byDefault, Choices: []string{"uri_file", "uri_folder", "mltable"},
		Why: "a v1 TabularDataset knew how to read its files; an mltable needs a file named MLTable next to them that says so"})
	w.m.Ledger.Decide(w.a.Name, "`type: "+answer+"`", "data-type", kind)
	return yamlout.Entry{Key: "type", Value: answer}
}
