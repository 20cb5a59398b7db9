package built

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// commandPlace is the position of ScriptRunConfig's command.
const commandPlace = 10

// scriptRunParameters are the parameters of ScriptRunConfig that are read.
var scriptRunParameters = []string{"source_directory", "script", "arguments", "run_config", "compute_target", "environment", "distributed_job_config", "max_run_duration_seconds", "command", "docker_runtime_config"}

// scriptRun reads ScriptRunConfig. The positions of its parameters are those of azureml-core 1.62; a test compares
// them.
func (b *builder) scriptRun(th *Thing) {
	th.Kind = Job
	c, root := th.object.call, th.Root
	b.runConfig(th)
	b.code(th, c, 0)
	b.take(root, "script", c, "script", 1)
	b.references(th, th.object)
	b.arguments(th, c, "arguments", 2)
	b.arguments(th, c, "command", commandPlace)
	b.target(root, b.arg(c, "compute_target", 5))
	b.useEnvironment(th, b.arg(c, "environment", 6))
	b.distribution(root, b.arg(c, "distributed_job_config", 7))
	b.take(root, "maxRunDurationSeconds", c, "max_run_duration_seconds", 9)
	b.docker(root, b.arg(c, "docker_runtime_config", 11))
	b.others(root, "", c, scriptRunParameters...)
	b.attributes(root, th.object.name, place(th.object), func(path string, v value) bool { return b.setting(th, path, v) })
	b.added(root, th.object, "environment.", "run_config.")
}

// runConfig reads the run configuration that a script is started with.
func (b *builder) runConfig(th *Thing) {
	v := b.arg(th.object.call, "run_config", 3)
	o := v.object
	if o == nil || o.base != nil || o.class != "RunConfiguration" {
		b.put(th.Root, "runConfig", value{tokens: v.tokens})
		return
	}
	if o.method != "" { // it is loaded from a file, and may be changed
		put(th.Root, "runConfig", b.loads(o, v.tokens))
	}
	b.readConfig(th, o)
}

// loads returns the file that RunConfiguration.load reads.
func (b *builder) loads(o *object, at []python.Token) *document.Node {
	folder, name := b.arg(o.call, "path", 0), b.arg(o.call, "name", 1)
	if o.method != "load" || folder.text() == nil && !folder.absent() || name.text() == nil && !name.absent() {
		return b.node(value{tokens: at})
	}
	file := cmp.Or(b.text(o.call, "path", 0), ".")
	if !name.absent() {
		file += "/.azureml/" + name.text().Value
	}
	return scalar("!!str", file, at)
}

// readConfig reads a RunConfiguration.
func (b *builder) readConfig(th *Thing, o *object) {
	if o.method == "" {
		for place, name := range []string{"script", "arguments", "framework", "communicator"} {
			b.take(th.Root, name, o.call, name, place)
		}
		if v := b.arg(o.call, "conda_dependencies", 4); !v.absent() {
			b.conda(th.Root, "environment.python.", v)
		}
	}
	b.references(th, o)
	b.attributes(th.Root, o.name, place(o), func(path string, v value) bool { return b.setting(th, path, v) })
	b.added(th.Root, o, "environment.", "")
}

// setting reads an attribute of a run configuration that is not a plain value, and reports whether it is one.
func (b *builder) setting(th *Thing, path string, v value) bool {
	switch path {
	case "target":
		b.target(th.Root, v)
	case "environment":
		b.useEnvironment(th, v)
	case "environment.python.conda_dependencies":
		b.conda(th.Root, "environment.python.", v)
	case "docker":
		b.docker(th.Root, v)
	default:
		return b.section(th.Root, path, v)
	}
	return true
}

// section reads the processes of one framework, which a program assigns without the communicator, and reports whether
// it is that.
func (b *builder) section(root *document.Node, path string, v value) bool {
	names := ""
	switch o := v.object; {
	case o == nil || o.base != nil || o.call.Open || len(b.attrs[o.name]) > 0: // what it is then is not read
	case path == "mpi" && o.class == "MpiConfiguration":
		names = "process_count_per_node node_count"
	case path == "pytorch" && o.class == "PyTorchConfiguration":
		names = "communication_backend process_count node_count"
	case path == "tensorflow" && o.class == "TensorflowConfiguration":
		names = "worker_count parameter_server_count"
	}
	for place, name := range strings.Fields(names) {
		b.take(root, path+"."+plain.CamelCase(name), v.object.call, name, place)
	}
	return names != ""
}

// code reads the folder that is uploaded.
func (b *builder) code(th *Thing, c python.Call, place int) {
	th.Code = b.text(c, "source_directory", place)
	b.take(th.Root, "sourceDirectory", c, "source_directory", place)
}

// target reads a compute target.
func (b *builder) target(root *document.Node, v value) {
	if o := v.object; b.targetAt(root, "target", v) && o != nil && o.method == "create" {
		b.size(root, o)
	}
}

// targetAt puts the name of a compute target into a tree, and reports whether it is known.
func (b *builder) targetAt(root *document.Node, path string, v value) bool {
	n := b.compute(v)
	if n == nil {
		b.put(root, path, value{tokens: v.tokens})
		return false
	}
	name := clone(n)
	name.Span = scalar("!!str", "", v.tokens).Span
	name.Properties = name.Span.Start
	put(root, path, name)
	return true
}

// size adds to a job the size of its compute target, which shows whether it has GPUs.
func (b *builder) size(root *document.Node, o *object) {
	v := b.arg(o.call, "provisioning_configuration", 2)
	if v.object == nil || v.object.method != "provisioning_configuration" {
		return
	}
	if size := b.arg(v.object.call, "vm_size", 0); size.literal != nil {
		put(root, "amlcompute.vmSize", b.node(size))
	}
}

// distribution reads how the job's processes are distributed.
func (b *builder) distribution(root *document.Node, v value) {
	o := v.object
	if o == nil || o.base != nil {
		b.put(root, "distributedJobConfig", value{tokens: v.tokens})
		return
	}
	field := func(path, name string, place int) {
		b.take(root, path, o.call, name, place)
	}
	class := scalar("!!str", "", o.tokens[:1])
	switch o.class {
	case "MpiConfiguration", "Mpi":
		class.Value = "OpenMpi"
		put(root, "communicator", class)
		field("mpi.processCountPerNode", "process_count_per_node", 0)
		field("nodeCount", "node_count", 1)
	case "PyTorchConfiguration":
		class.Value = "Nccl"
		put(root, "communicator", class)
		field("communicator", "communication_backend", 0)
		field("pytorch.processCount", "process_count", 1)
		field("nodeCount", "node_count", 2)
	case "Nccl", "Gloo": // of PyTorch's estimator
		class.Value = o.class
		put(root, "communicator", class)
		framework := scalar("!!str", "PyTorch", o.tokens[:1])
		put(root, "framework", framework)
	case "TensorflowConfiguration", "ParameterServer":
		class.Value = "ParameterServer"
		put(root, "communicator", class)
		framework := scalar("!!str", "TensorFlow", o.tokens[:1])
		put(root, "framework", framework)
		field("tensorflow.workerCount", "worker_count", 0)
		field("tensorflow.parameterServerCount", "parameter_server_count", 1)
		if root.Get("nodeCount") == nil { // only estimators have both
			field("nodeCount", "worker_count", 0)
		}
	default:
		put(root, "distributedJobConfig", b.node(value{tokens: v.tokens}))
	}
	b.attributes(root, o.name, place(o), func(path string, v value) bool {
		to := map[string]string{"process_count_per_node": "mpi.processCountPerNode", "node_count": "nodeCount", "process_count": "pytorch.processCount", "communication_backend": "communicator",
			"worker_count": "tensorflow.workerCount", "parameter_server_count": "tensorflow.parameterServerCount"}[path]
		if to != "" {
			b.put(root, to, v)
		}
		return to != ""
	})
}

// docker reads DockerConfiguration.
func (b *builder) docker(root *document.Node, v value) {
	if v.object == nil || v.object.class != "DockerConfiguration" {
		b.put(root, "docker", value{tokens: v.tokens})
		return
	}
	for place, name := range []string{"use_docker", "shared_volumes", "arguments", "shm_size"} {
		b.take(root, "docker."+plain.CamelCase(name), v.object.call, name, place)
	}
	b.whole[root.Get("docker")] = true
}

// arguments reads a list of arguments, or the words of a command, which may contain datasets.
func (b *builder) arguments(th *Thing, c python.Call, name string, place int) {
	v := b.arg(c, name, place)
	if v.absent() {
		return
	}
	items, ok := b.items(v.tokens)
	if !ok || slices.ContainsFunc(items, func(t []python.Token) bool { return t[0].Text == "*" && t[0].Kind == python.Operator }) {
		put(th.Root, name, b.node(v))
		return
	}
	if len(items) == 0 {
		return // azureml-core keeps those of a loaded run configuration
	}
	n := list(v.tokens)
	for _, t := range items {
		attach(n, b.node(b.eval(t, 0)))
	}
	put(th.Root, name, n)
	for i, item := range n.Items() {
		b.withoutMachine(item, items[i])
		if item.Tag() != Open {
			continue
		}
		option := ""
		if i > 0 {
			option = n.Items()[i-1].Value
		}
		b.input(th, item, items[i], option, i)
	}
}
