package built

import (
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// inferenceParameters are the parameters of InferenceConfig in azureml-core 1.62, in order, with the keys of an
// inference configuration file.
var inferenceParameters = [][2]string{
	{"entry_script", "entryScript"}, {"runtime", "runtime"}, {"conda_file", "condaFile"}, {"extra_docker_file_steps", "extraDockerfileSteps"}, {"source_directory", "sourceDirectory"},
	{"enable_gpu", "enableGpu"}, {"description", "description"}, {"base_image", "baseImage"}, {"base_image_registry", "baseImageRegistry"}, {"cuda_version", "cudaVersion"},
}

// deploymentParameters are the parameters of deploy_configuration of AciWebservice and AksWebservice, with the keys of
// a deployment configuration file.
var deploymentParameters = [][2]string{
	{"cpu_cores", "containerResourceRequirements.cpu"}, {"memory_gb", "containerResourceRequirements.memoryInGB"}, {"gpu_cores", "containerResourceRequirements.gpu"},
	{"auth_enabled", "authEnabled"}, {"token_auth_enabled", "tokenAuthEnabled"}, {"enable_app_insights", "appInsightsEnabled"}, {"num_replicas", "numReplicas"},
	{"autoscale_target_utilization", "autoScaler.targetUtilization"}, {"autoscale_refresh_seconds", "autoScaler.refreshPeriodInSeconds"},
	{"autoscale_enabled", "autoScaler.autoscaleEnabled"}, {"autoscale_min_replicas", "autoScaler.minReplicas"}, {"autoscale_max_replicas", "autoScaler.maxReplicas"},
	{"scoring_timeout_ms", "scoringTimeoutMs"}, {"replica_max_concurrent_requests", "maxConcurrentRequestsPerContainer"}, {"max_request_wait_time", "maxQueueWaitMs"},
	{"tags", "tags"}, {"description", "description"}, {"location", "location"}, {"ssl_enabled", "sslEnabled"}, {"dns_name_label", "dnsNameLabel"}, {"collect_model_data", "dataCollection.storageEnabled"},
}

// service reads an InferenceConfig and how it is deployed: each further deployment is a service of its own.
func (b *builder) service(th *Thing) {
	th.Kind = Service
	calls := b.deployed(th)
	if len(calls) == 0 {
		b.inference(th)
		return
	}
	last := len(calls) - 1
	for _, call := range calls[:last] {
		one := *th
		one.Root = mapping(th.object.tokens)
		b.inference(&one)
		b.deploy(&one, call)
		b.things = append(b.things, &one)
	}
	b.inference(th)
	b.deploy(th, calls[last])
}

// inference reads an InferenceConfig.
func (b *builder) inference(th *Thing) {
	c := th.object.call
	for place, names := range inferenceParameters {
		b.take(th.Root, names[1], c, names[0], place)
	}
	b.useEnvironment(th, b.arg(c, "environment", 10))
	if file := th.Root.Get("condaFile"); th.Root.Get("environment") == nil && file.Text() != "" {
		v := b.dumped(file.Text(), th.At.Start)
		if folder := th.Root.Get("sourceDirectory").Text(); v.object == nil && folder != "" {
			v = b.dumped(folder+"/"+file.Text(), th.At.Start)
		}
		if v.object != nil {
			b.conda(th.Root, "environment.python.", v)
		}
	}
}

// deploy reads a call of Model.deploy.
func (b *builder) deploy(th *Thing, call python.Call) {
	if v := b.arg(call, "models", 2); !v.absent() {
		b.model(th.Root, v)
	}
	b.take(th.Root, "name", call, "name", 1)
	config := b.arg(call, "deployment_config", 4)
	if o := config.object; o == nil || o.method != "deploy_configuration" || len(o.call.Positional) > 0 {
		b.put(th.Root, "deployment", value{tokens: config.tokens})
		return
	}
	b.others(th.Root, "deployment.", call, "workspace", "name", "models", "inference_config", "deployment_config", "overwrite", "show_output")
	kind := scalar("!!str", config.object.class, config.object.tokens[:1])
	put(th.Root, "deployment.computeType", kind)
	var read []string
	for _, names := range deploymentParameters {
		read = append(read, names[0])
		b.take(th.Root, "deployment."+names[1], config.object.call, names[0], -1)
	}
	b.others(th.Root, "deployment.", config.object.call, read...)
}

// deployed returns the calls of Model.deploy with an inference configuration: one for each name, and none for a trial
// on the user's machine if there are others.
func (b *builder) deployed(th *Thing) (calls []python.Call) {
	var local []python.Call
	names := map[string]bool{}
	for _, s := range b.all {
		t := s.Tokens
		for i := 0; i+3 < len(t); i++ {
			if t[i+1].Text != "." || t[i+2].Text != "deploy" || t[i+3].Text != "(" || !b.spend(len(t)-i) {
				continue
			}
			call, read := python.CallAt(t, i+3)
			begin := i
			for begin > 1 && t[begin-1].Text == "." {
				begin -= 2
			}
			if !read || !b.known(t[begin].Text) {
				continue
			}
			if o := b.chain(t[begin:call.End+1], 0); o == nil || o.class != "Model" || o.method != "deploy" {
				continue
			}
			v := b.arg(call, "inference_config", 3)
			if v.object == nil || len(v.object.tokens) == 0 || v.object.tokens[0].At != th.At.Start {
				continue
			}
			if o := b.arg(call, "deployment_config", 4).object; o != nil && o.class == "LocalWebservice" {
				local = append(local, call)
				continue
			}
			name := b.text(call, "name", 1)
			if len(calls)+len(b.things) < mostThings && (name == "" || !names[name]) {
				calls = append(calls, call)
			}
			names[name] = true
		}
	}
	if len(calls) == 0 && len(local) > 0 {
		return local[:1]
	}
	return calls
}

// model reads the name of a service's registered model.
func (b *builder) model(root *document.Node, v value) {
	t := python.Bare(v.tokens)
	if list, ok := python.CallAt(t, 0); ok && list.End == len(t)-1 && len(list.Positional) == 1 {
		v = b.eval(list.Positional[0], 0)
	}
	if o := v.object; o != nil && o.base == nil && o.class == "Model" {
		name, place, version := "name", 1, 5
		if o.method == "register" {
			name, place, version = "model_name", 2, -1
		}
		if n := b.arg(o.call, name, place); !n.absent() && (o.method == "" || o.method == "register") {
			b.put(root, "model", n)
			if o.method == "" {
				b.take(root, "modelVersion", o.call, "version", version)
			}
			return
		}
	}
	if n := b.kept(v); n.text() != nil {
		b.put(root, "model", n)
		return
	}
	put(root, "model", b.node(value{tokens: v.tokens}))
}

// kept returns the name of a model that is in the workspace, as WORKSPACE.models[NAME] and RUN.register_model(NAME, …)
// yield it.
func (b *builder) kept(v value) value {
	if o := v.object; o != nil && o.base != nil && o.base.class == "Workspace" {
		if t := registered(o.steps, "models"); t != nil {
			return b.eval(t, 0)
		}
	}
	t := b.written(v.tokens)
	for i := 2; i+1 < len(t); i++ {
		if c, ok := python.CallAt(t, i+1); t[i].Text == "register_model" && t[i-1].Text == "." && ok && c.End == len(t)-1 {
			return b.arg(c, "model_name", 0)
		}
	}
	return value{}
}
