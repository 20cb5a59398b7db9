package built

import (
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// isEstimator reports whether an object is an Estimator or one of its subclasses.
func isEstimator(o *object) bool {
	_, ok := catalog.Estimator(o.class)
	return ok && o.method == ""
}

// estimatorParameters are the parameters of estimators that are read, or whose values the others replace.
var estimatorParameters = []string{
	"source_directory", "entry_script", "script_params", "compute_target", "vm_size", "vm_priority", "node_count", "shm_size", "max_run_duration_seconds", "environment_variables", "environment_definition", "distributed_training",
	"distributed_backend", "process_count_per_node", "worker_count", "parameter_server_count", "custom_docker_image", "custom_docker_base_image", "use_gpu", "user_managed", "conda_dependencies_file", "conda_dependencies_file_path",
	"pip_requirements_file", "pip_requirements_file_path", "pip_packages", "conda_packages", "framework_version", "inputs",
}

// estimator reads an Estimator, whose arguments except the folder are given by name.
func (b *builder) estimator(th *Thing) {
	th.Kind = Job
	c, root := th.object.call, th.Root
	if len(c.Positional) > 1 {
		th.Root = nil
		return
	}
	b.code(th, c, 0)
	field := func(path, name string) {
		b.take(root, path, c, name, -1)
	}
	field("script", "entry_script")
	b.references(th, th.object)
	b.parameters(th)
	b.target(root, b.arg(c, "compute_target", -1))
	field("amlcompute.vmSize", "vm_size")
	if size := root.Get("amlcompute").Get("vmSize"); size != nil && len(c.Keywords["compute_target"]) == 0 { // a cluster for the run
		put(root, "target", scalar("!!str", "amlcompute", c.Keywords["vm_size"]))
	}
	field("amlcompute.vmPriority", "vm_priority")
	field("nodeCount", "node_count")
	field("docker.shmSize", "shm_size")
	field("maxRunDurationSeconds", "max_run_duration_seconds")
	field("environmentVariables", "environment_variables")
	environment := b.arg(c, "environment_definition", -1)
	b.useEnvironment(th, environment)
	b.distribution(root, b.arg(c, "distributed_training", -1))
	b.backend(root, c)
	if environment.absent() {
		b.packages(th)
	}
	b.declared(th)
	b.others(root, "", c, estimatorParameters...)
	b.attributes(root, th.object.name, place(th.object), func(path string, v value) bool { return b.setting(th, path, v) })
	b.added(root, th.object, "environment.", "run_config.")
}

// backend reads how processes are distributed as estimators before MpiConfiguration and its like said it.
func (b *builder) backend(root *document.Node, c python.Call) {
	v := b.arg(c, "distributed_backend", -1)
	if v.text() == nil {
		b.put(root, "distributedBackend", value{tokens: v.tokens})
		return
	}
	how := clone(v.literal)
	field := func(path, name string) { b.take(root, path, c, name, -1) }
	switch strings.ToLower(how.Value) {
	case "mpi":
		how.Value = "OpenMpi"
		field("mpi.processCountPerNode", "process_count_per_node")
	case "ps":
		how.Value = "ParameterServer"
		framework := clone(how)
		framework.Value = "TensorFlow"
		put(root, "framework", framework)
		field("tensorflow.workerCount", "worker_count")
		field("tensorflow.parameterServerCount", "parameter_server_count")
	case "nccl", "gloo":
		framework := clone(how)
		framework.Value = "PyTorch"
		put(root, "framework", framework)
	}
	put(root, "communicator", how)
}

// packages reads what an estimator installs.
func (b *builder) packages(th *Thing) {
	c, root := th.object.call, th.Root
	field := func(path, name string) {
		b.take(root, path, c, name, -1)
	}
	field("environment.docker.baseImage", "custom_docker_image")
	field("environment.docker.baseImage", "custom_docker_base_image")
	field("environment.docker.gpuSupport", "use_gpu")
	if docker := root.Get("environment").Get("docker"); docker != nil && docker.Get("baseImage") == nil && c.Keywords["custom_docker_image"] == nil {
		if gpu := docker.Get("gpuSupport"); gpu != nil && gpu.Value == "true" {
			image := clone(gpu)
			image.SetTag("!!str")
			image.Value = catalog.MigrationDefault("sdk-gpu-image").Value
			put(root, "environment.docker.baseImage", image)
		}
	}
	field("environment.python.userManagedDependencies", "user_managed")
	field("environment.python.condaDependenciesFile", "conda_dependencies_file")
	field("environment.python.condaDependenciesFile", "conda_dependencies_file_path")
	field("environment.pipRequirements", "pip_requirements_file")
	field("environment.pipRequirements", "pip_requirements_file_path")
	if environment := root.Get("environment"); environment.Get("python").Get("condaDependenciesFile") != nil {
		b.open(root, c, "pip_packages", -1)
		b.open(root, c, "conda_packages", -1)
		return
	}
	image := len(c.Keywords["custom_docker_image"])+len(c.Keywords["custom_docker_base_image"]) > 0
	own, _ := catalog.Estimator(th.object.class)
	named := image || own == "" && root.Get("environment").Get("pipRequirements") == nil && c.Keywords["pip_packages"] == nil && c.Keywords["conda_packages"] == nil
	if managed := root.Get("environment").Get("python").Get("userManagedDependencies"); named && managed != nil && managed.Value == "true" {
		b.open(root, c, "pip_packages", -1) // the image, or the machine, has all packages
		b.open(root, c, "conda_packages", -1)
		return
	}
	lists := &condaLists{conda: list(th.object.tokens), pip: list(th.object.tokens)}
	lists.defaults(th.object.tokens)
	lists.add(b, root, lists.conda, "conda_packages", b.arg(c, "conda_packages", -1))
	if own != "" {
		n := scalar("!!str", own, th.object.tokens[:1])
		if version := b.arg(c, "framework_version", -1); version.text() != nil {
			n.Value += "==" + version.literal.Value
			n.Span = version.literal.Span
		} else {
			b.put(root, "framework_version", value{tokens: version.tokens})
		}
		attach(lists.pip, n)
	}
	lists.add(b, root, lists.pip, "pip_packages", b.arg(c, "pip_packages", -1)) // after its own, which they may replace
	lists.nest(th.object.tokens)
	if len(lists.conda.Items()) > 0 {
		conda := mapping(th.object.tokens)
		put(conda, "dependencies", lists.conda)
		put(root, "environment.python.condaDependencies", conda)
	}
}

// declared reads inputs, the data that the script finds without an argument.
func (b *builder) declared(th *Thing) {
	v := b.arg(th.object.call, "inputs", -1)
	if v.absent() {
		return
	}
	items, ok := b.items(v.tokens)
	if !ok {
		b.put(th.Root, "inputs", value{tokens: v.tokens})
		return
	}
	for i, t := range items {
		word := b.node(value{tokens: t})
		if b.input(th, word, t, "", i+1); word.Tag() == Open {
			put(th.Root, "inputs", word)
		}
	}
}

// parameters reads script_params: each key is an argument, followed by its value unless that is empty.
func (b *builder) parameters(th *Thing) {
	v := b.arg(th.object.call, "script_params", -1)
	if v.absent() {
		return
	}
	n := b.node(v)
	if n.Kind != document.Mapping {
		n.SetTag(Open)
		put(th.Root, "script_params", n)
		return
	}
	args := list(v.tokens)
	c, _ := python.CallAt(b.written(v.tokens), 0)
	for i, e := range n.Entries() {
		if len(c.Positional) == len(n.Entries()) {
			at := colon(c.Positional[i])
			t := c.Positional[i][at+1:]
			if b.withoutMachine(e.Value, t); e.Value.Tag() == Open {
				b.input(th, e.Value, t, e.Key.Value, len(args.Items())+1)
			}
		}
		attach(args, e.Key)
		if e.Value.Tag() != "!!str" || e.Value.Value != "" {
			attach(args, e.Value)
		}
	}
	put(th.Root, "arguments", args)
}
