package built

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// cluster reads ComputeTarget.create of an AmlCompute.
func (b *builder) cluster(th *Thing) {
	th.Kind = Compute
	c := th.object.call
	name := b.compute(value{object: th.object})
	v := b.arg(c, "provisioning_configuration", 2)
	if v.object == nil || v.object.class != "AmlCompute" || v.object.method != "provisioning_configuration" {
		th.Root = nil
		return
	}
	if name == nil {
		b.open(th.Root, c, "name", 1)
	} else {
		put(th.Root, "name", clone(name))
	}
	for place, parameter := range clusterParameters {
		b.take(th.Root, parameter, v.object.call, parameter, place)
	}
}

// clusterParameters are the parameters of AmlCompute.provisioning_configuration in azureml-core 1.62, in order.
var clusterParameters = []string{
	"vm_size", "vm_priority", "min_nodes", "max_nodes", "idle_seconds_before_scaledown", "admin_username", "admin_user_password", "admin_user_ssh_key",
	"vnet_resourcegroup_name", "vnet_name", "subnet_name", "tags", "description", "remote_login_port_public_access", "identity_type", "identity_id", "location", "enable_node_public_ip",
}

// modelParameters are the parameters of Model.register in azureml-core 1.62, in order, without the leading workspace.
var modelParameters = []string{"model_path", "model_name", "tags", "properties", "description", "datasets", "model_framework", "model_framework_version"}

// registered reads Model.register.
func (b *builder) registered(th *Thing) {
	th.Kind = Model
	for place, parameter := range modelParameters {
		v := b.arg(th.object.call, parameter, place+1)
		if last := len(v.tokens) - 1; parameter == "model_framework" && v.literal == nil && last > 1 && v.tokens[last-2].Text == "Framework" {
			v.literal = scalar("!!str", v.tokens[last].Text, v.tokens) // Model.Framework.SCIKITLEARN
		}
		b.put(th.Root, parameter, v)
	}
}

// data reads a registered dataset.
func (b *builder) data(th *Thing) {
	th.Kind = Data
	o := th.object
	register, found := b.registration(o)
	if !found {
		th.Root = nil // only the program that creates it uses it
		return
	}
	called, at := argument(register, "name", 1), b.statement(o.tokens[0].At)
	if argument(o.call, "path", 0) == nil || at.Conditional() && (called == nil || b.statement(called[0].At) != at) && !b.alone(o, b.eval(called, 0)) {
		th.Root = nil // it is not known what is registered
		return
	}
	v := b.arg(o.call, "path", 0)
	kind := scalar("!!str", strings.ToLower(strings.TrimPrefix(o.class, "Dataset.")), o.tokens[:1])
	put(th.Root, "kind", kind)
	b.location(th.Root, v)
	for place, name := range []string{"name", "description", "tags"} {
		b.take(th.Root, name, register, name, place+1)
	}
}

// exact reports whether a path names one file or folder. A pattern for everything in a folder becomes that folder.
func exact(at *document.Node) bool {
	if at == nil {
		return false
	}
	for _, all := range []string{"/**/*", "/**"} {
		at.Value = strings.TrimSuffix(at.Value, all)
	}
	return at.Value != "" && !strings.ContainsAny(at.Value, "*?")
}

// before returns the object that a name stands for at an offset: what the last statement above set it to, which must
// run whenever the one there does.
func (b *program) before(name string, at int) (o *object) {
	if b.lost[name] {
		return nil
	}
	for _, s := range slices.Backward(b.set[name]) {
		if s.tokens[len(s.tokens)-1].End < at {
			if !b.mayNotRun(s.at, at) {
				o = b.eval(s.tokens, 0).object
			}
			break
		}
	}
	return o
}

// location reads where data is: a URL, or a path on a datastore.
func (b *builder) location(root *document.Node, v value) {
	t := b.written(v.tokens)
	if n := v.text(); n != nil {
		put(root, "path", clone(n))
		return
	}
	for { // a list of one
		if _, store, at := b.stored(t); store != nil && at.Value != "" {
			put(root, "datastore", store)
			put(root, "path", at)
			return
		}
		c, ok := python.CallAt(t, 0)
		if !ok || c.End != len(t)-1 || c.Open || len(c.Keywords) > 0 {
			break
		}
		if len(c.Positional) == 1 {
			t = c.Positional[0]
			if n := b.eval(t, 0).text(); n != nil {
				put(root, "path", clone(n))
				return
			}
			continue
		}
		if len(c.Positional) != 2 {
			break
		}
		store, path := b.datastore(b.eval(c.Positional[0], 0)), b.eval(c.Positional[1], 0).text()
		if store == nil || path == nil {
			break
		}
		put(root, "datastore", store)
		put(root, "path", clone(path))
		return
	}
	put(root, "path", b.node(value{tokens: v.tokens}))
}

// DefaultDatastore is the name of a new workspace's default datastore.
const DefaultDatastore = "workspaceblobstore"

// datastore returns the node with a datastore's name, or nil if it is not known.
func (p *program) datastore(v value) *document.Node {
	o := v.object
	if o == nil {
		return nil
	}
	if o.base == nil && o.class == "Datastore" {
		parameter := ""
		switch {
		case o.method == "":
			parameter = "name"
		case o.method == "get_default":
			return scalar("!!str", DefaultDatastore, v.tokens)
		case o.method == "get", strings.HasPrefix(o.method, "register_azure_"):
			parameter = "datastore_name"
		}
		if name := p.text(o.call, parameter, 1); name != "" && parameter != "" {
			return scalar("!!str", name, v.tokens)
		}
		return nil
	}
	start, steps := steady(o)
	if start.class != "Workspace" || len(steps) == 0 {
		return nil
	}
	if last := steps[len(steps)-1]; last.name == "get_default_datastore" && last.call != nil {
		return scalar("!!str", DefaultDatastore, v.tokens)
	}
	if n := p.eval(registered(steps, "datastores"), 0).text(); n != nil && len(steps) == 2 {
		return scalar("!!str", n.Value, v.tokens)
	}
	return nil
}

// input reads data in the arguments of a job; option is the argument before it, and i its place.
func (b *builder) input(th *Thing, item *document.Node, t []python.Token, option string, i int) {
	if len(th.Root.Get("data").Own())+len(th.Root.Get("dataReferences").Own())+len(th.Root.Get("outputData").Own()) >= mostThings {
		return // it stays Open
	}
	name := "input_" + strconv.Itoa(i)
	if own := strings.ReplaceAll(strings.TrimLeft(option, "-"), "-", "_"); own != option && own != "" && !strings.Contains(own, ".") {
		option = own
	} else {
		option = name
	}
	if b.reference(th, item, t, option) || b.output(th, item, t) {
		return
	}
	if b.dataset(th, item, b.eval(t, 0), name); item.Tag() == Open {
		b.unknown(th, item, t, option)
	}
}

// unknown reads a dataset that the program gets from elsewhere, if its methods leave no doubt that it is one.
func (b *builder) unknown(th *Thing, item *document.Node, t []python.Token, name string) {
	name, mode, stored, ok := b.elsewhere(t, name)
	if !ok || th.Root.Get("data").Get(name) != nil || th.Root.Get("dataReferences").Get(name) != nil {
		return
	}
	at := mapping(t)
	item.SetTag("!!str")
	item.Value = "DatasetConsumptionConfig:" + name
	if stored {
		put(at, "mode", scalar("!!str", mode, t))
		put(th.Root, "dataReferences."+name, at)
		item.Value = "$AZUREML_DATAREFERENCE_" + name
		return
	}
	put(at, "mechanism", scalar("!!str", mode, t))
	put(th.Root, "data."+name, at)
}

// elsewhere returns how a program that gets data from elsewhere calls and uses it; stored means that it is on a
// datastore, and ok that it is certainly data.
func (b *builder) elsewhere(t []python.Token, name string) (called, mode string, stored, ok bool) {
	mode, is := "direct", false
	t = python.Bare(t)
	if len(t) == 0 || t[0].Kind != python.Name {
		return name, mode, false, false
	}
	known := false // it is of a dataset or datastore whose name is computed
	if o := b.eval(t, 0).object; o != nil {
		start, made := steady(o)
		stored = start.class == "Datastore" || start.class == "DataReference" || start.class == "Workspace" && len(made) > 0 && made[0].name != "datasets"
		known = stored || strings.HasPrefix(start.class, "Dataset") || start.class == "Workspace"
	}
	steps, ok := stepsOf(t, 1, nil)
	for _, s := range steps {
		switch {
		case s.call == nil:
		case s.name == "as_named_input":
			is, name = true, cmp.Or(b.text(*s.call, "name", 0), name)
		case s.name == "as_download" || s.name == "as_mount":
			is, mode = is || known || s.name == "as_download", strings.TrimPrefix(s.name, "as_")
		default:
			is = false // of what the call yields
		}
	}
	return name, mode, stored, ok && is && steps[len(steps)-1].call != nil && !strings.Contains(name, ".")
}

// reference reads a path on a datastore in the arguments of a job, a DataReference or DATASTORE.path(…), and reports
// whether it is one: the argument becomes the variable that stands for the path in run configurations.
func (b *builder) reference(th *Thing, item *document.Node, t []python.Token, name string) bool {
	inner := inText(t)
	text := inner != nil
	if text {
		t = inner
	}
	in, store, _ := b.stored(t)
	if store == nil {
		return false
	}
	references, n := th.Root.Get("dataReferences"), b.mounted(t)
	given := b.referenceName(b.eval(t, 0).object)
	known := references.Get(given)
	if known != nil && given != "" && (b.replaces(known, th, text) || alike(known, n)) {
		name = given
	} else {
		if !in.path && in.name != "" && !strings.Contains(in.name, ".") {
			name = in.name
		}
		name = plain.Unused(name, "_", func(name string) bool { return references.Get(name) != nil })
		put(th.Root, "dataReferences."+name, n)
		b.passed[n] = true
	}
	item.SetTag("!!str")
	item.Value = "$AZUREML_DATAREFERENCE_" + name
	return true
}

// stored returns the datastore and the path of a DataReference or DATASTORE.path(…); store is nil for anything else.
func (b *builder) stored(t []python.Token) (in port, store, at *document.Node) {
	in, ok := b.port(t)
	if !ok || !in.path && in.from.class != "DataReference" {
		return in, nil, nil
	}
	where := mapping(t)
	(&pipe{builder: b}).reference(where, in)
	return in, where.Get("datastore"), where.Get("path_on_datastore")
}

// dataset reads a dataset in the arguments of a job: the argument becomes the name that run configurations use for it.
func (b *builder) dataset(th *Thing, item *document.Node, v value, name string) {
	o := v.object
	if o == nil {
		return
	}
	mode := "direct"
	var known, at value // the name under which it is registered, and the path on the machine
	start, steps := steady(o)
	if o.base != nil {
		if t := registered(steps, "datasets"); t != nil && start.class == "Workspace" {
			known, steps = b.eval(t, 0), steps[2:]
		}
		for _, s := range steps {
			switch {
			case s.name == "as_named_input" && s.call != nil:
				name = cmp.Or(b.text(*s.call, "name", 0), name)
			case s.name == "register" && s.call != nil:
				known = b.arg(*s.call, "name", 1)
			case (s.name == "as_mount" || s.name == "as_download") && s.call != nil:
				mode, at = strings.TrimPrefix(s.name, "as_"), b.arg(*s.call, "path_on_compute", 0)
			default:
				return
			}
		}
	}
	location := b.datasetAt(start, known, v.tokens)
	if location == nil {
		return
	}
	put(location, "mechanism", scalar("!!str", mode, v.tokens))
	b.put(location, "pathOnCompute", at)
	put(th.Root, "data."+name, location)
	item.SetTag("!!str")
	item.Value = "DatasetConsumptionConfig:" + name
}

// datasetAt returns where a dataset is, which may be registered under a known name; nil if that is not certain.
func (b *builder) datasetAt(start *object, known value, tokens []python.Token) *document.Node {
	location := mapping(tokens)
	switch {
	case (strings.HasPrefix(start.class, "Dataset") || start.class == "Workspace") && known.text() != nil:
		put(location, "dataLocation.dataset.name", b.node(known))
	case start.class == "Dataset.Tabular" && start.method == "register_pandas_dataframe":
		if known = b.arg(start.call, "name", 2); known.text() == nil {
			return nil
		}
		put(location, "dataLocation.dataset.name", b.node(known))
	case start.class == "Dataset" && (start.method == "get_by_name"):
		found := b.arg(start.call, "name", 1)
		if found.text() == nil {
			return nil
		}
		put(location, "dataLocation.dataset.name", b.node(found))
		if version := b.arg(start.call, "version", 2); version.literal != nil {
			put(location, "dataLocation.dataset.version", b.node(version))
		}
	case start.class == "Dataset.File" && start.method == "from_files":
		path := b.arg(start.call, "path", 0)
		if path.absent() {
			return nil
		}
		place := mapping(tokens)
		b.location(place, path)
		store, at := place.Get("datastore"), place.Get("path")
		switch wild := !exact(at); {
		case wild && b.registeredAs(start).text() == nil:
			return nil
		case wild:
			put(location, "dataLocation.dataset.name", b.node(b.registeredAs(start)))
		case store == nil:
			put(location, "dataLocation.uri.path", at)
		default:
			put(location, "dataLocation.dataPath.datastoreName", store)
			put(location, "dataLocation.dataPath.relativePath", at)
		}
	default:
		return nil
	}
	return location
}
