package built

import (
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// scriptRun reads ScriptRunConfig. The positions of its parameters are those of azureml-core 1.62; a test compares
// them.
func (b *builder) scriptRun(th *Thing) {
	th.Kind = Job
	c, root := th.object.call, th.Root
	b.runConfig(th)
	b.code(th, c, 0)
	v, ok := b.given(c, "script", 1)
	b.put(root, "script", v, ok)
	b.arguments(th, c, "arguments", 2)
	v, ok = b.given(c, "command", 10)
	b.put(root, "command", v, ok)
	v, ok = b.given(c, "compute_target", 5)
	b.target(root, v, ok)
	v, ok = b.given(c, "environment", 6)
	b.useEnvironment(th, v, ok)
	v, ok = b.given(c, "distributed_job_config", 7)
	b.distribution(root, v, ok)
	v, ok = b.given(c, "max_run_duration_seconds", 9)
	b.put(root, "maxRunDurationSeconds", v, ok)
	v, ok = b.given(c, "docker_runtime_config", 11)
	b.docker(root, v, ok)
	b.attributes(root, th.object.name, place(th.object), "", func(path string, v value) bool {
		rest, ok := strings.CutPrefix(path, "run_config.")
		if !ok {
			return false
		}
		return b.setting(th, rest, v)
	})
}

// runConfig reads the run configuration that a script is started with.
func (b *builder) runConfig(th *Thing) {
	v, ok := b.given(th.object.call, "run_config", 3)
	o := v.object
	switch {
	case !ok:
		return
	case o == nil || o.base != nil || o.class != "RunConfiguration" || o.method != "":
		put(th.Root, "runConfig", b.node(value{tokens: v.tokens}))
		return
	}
	b.readConfig(th, o)
}

// readConfig reads a RunConfiguration.
func (b *builder) readConfig(th *Thing, o *object) {
	for place, name := range []string{"script", "arguments", "framework", "communicator"} {
		v, ok := b.given(o.call, name, place)
		b.put(th.Root, name, v, ok)
	}
	if v, ok := b.given(o.call, "conda_dependencies", 4); ok {
		b.conda(th.Root, "environment.python.", v)
	}
	b.attributes(th.Root, o.name, place(o), "", func(path string, v value) bool { return b.setting(th, path, v) })
}

// setting reads an attribute of a run configuration that is not a plain value, and reports whether it is one.
func (b *builder) setting(th *Thing, path string, v value) bool {
	switch path {
	case "target":
		b.target(th.Root, v, true)
	case "environment":
		b.useEnvironment(th, v, true)
	case "environment.python.conda_dependencies":
		b.conda(th.Root, "environment.python.", v)
	case "docker":
		b.docker(th.Root, v, true)
	default:
		return false
	}
	return true
}

// code reads the folder that is uploaded.
func (b *builder) code(th *Thing, c python.Call, place int) {
	v, ok := b.given(c, "source_directory", place)
	if ok && v.literal != nil && v.literal.Tag == "!!str" {
		th.Code = v.literal.Value
	}
	b.put(th.Root, "sourceDirectory", v, ok)
}

// target reads a compute target.
func (b *builder) target(root *document.Node, v value, ok bool) {
	n := b.compute(v)
	switch {
	case !ok:
	case n == nil:
		put(root, "target", b.node(value{tokens: v.tokens}))
	default:
		name := clone(n)
		name.Span = scalar("!!str", "", v.tokens).Span
		name.Properties = name.Span.Start
		put(root, "target", name)
		if o := v.object; o != nil && o.method == "create" {
			b.size(root, o)
		}
	}
}

// size adds to a job the size of its compute target, which shows whether it has GPUs.
func (b *builder) size(root *document.Node, o *object) {
	v, ok := b.given(o.call, "provisioning_configuration", 2)
	if !ok || v.object == nil || v.object.method != "provisioning_configuration" {
		return
	}
	if size, given := b.given(v.object.call, "vm_size", 0); given && size.literal != nil {
		put(root, "amlcompute.vmSize", b.node(size))
	}
}

// distribution reads how the job's processes are distributed.
func (b *builder) distribution(root *document.Node, v value, ok bool) {
	if !ok {
		return
	}
	o := v.object
	if o == nil || o.base != nil {
		put(root, "distributedJobConfig", b.node(value{tokens: v.tokens}))
		return
	}
	field := func(path, name string, place int) {
		v, ok := b.given(o.call, name, place)
		b.put(root, path, v, ok)
	}
	class := scalar("!!str", "", o.tokens[:1])
	switch o.class {
	case "MpiConfiguration":
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
	case "TensorflowConfiguration":
		class.Value = "ParameterServer"
		put(root, "communicator", class)
		framework := scalar("!!str", "TensorFlow", o.tokens[:1])
		put(root, "framework", framework)
		field("tensorflow.workerCount", "worker_count", 0)
		field("tensorflow.parameterServerCount", "parameter_server_count", 1)
	default:
		put(root, "distributedJobConfig", b.node(value{tokens: v.tokens}))
	}
}

// docker reads DockerConfiguration.
func (b *builder) docker(root *document.Node, v value, ok bool) {
	if !ok {
		return
	}
	if v.object == nil || v.object.class != "DockerConfiguration" {
		put(root, "docker", b.node(value{tokens: v.tokens}))
		return
	}
	for place, name := range []string{"useDocker", "sharedVolumes", "arguments", "shmSize"} {
		snake := []string{"use_docker", "shared_volumes", "arguments", "shm_size"}[place]
		v, ok := b.given(v.object.call, snake, place)
		b.put(root, "docker."+name, v, ok)
	}
}

// arguments reads a list of arguments, which may contain datasets.
func (b *builder) arguments(th *Thing, c python.Call, name string, place int) {
	v, ok := b.given(c, name, place)
	if !ok {
		return
	}
	n := b.node(v)
	put(th.Root, "arguments", n)
	if n.Tag == Open {
		return
	}
	t := b.written(v.tokens)
	list, read := python.CallAt(t, 0)
	if !read || len(list.Positional) != len(n.Items) {
		return
	}
	for i, item := range n.Items {
		if item.Tag == Open {
			b.dataset(th, item, b.eval(list.Positional[i], 0), "input_"+strconv.Itoa(i))
		}
	}
}
