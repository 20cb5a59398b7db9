package v2

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
)

// placed is where a command job runs.
type placed struct {
	job          yamlout.Map // the key compute, or nothing for serverless
	instanceType string
	spot         bool
	gpuArgs      bool
}

// place decides where the job runs, and writes the compute target that it needs.
func (w *jobWriter) place() placed {
	j, s := w.j, w.j.Source
	where := []schema.Field{s.TargetName}
	if t := s.Target; t != nil && t.Dialect == schema.Workbench {
		where = append(where, t.Type)
	}
	switch j.Place {
	case migrate.OnLocal:
		w.gpu("`docker_args: --gpus all`")
		w.m.Ledger.Map(j.Name, "`compute: local`", "your own Docker; v2 still needs a workspace and a login", where...)
		return placed{job: yamlout.Map{{Key: "compute", Value: "local"}}, gpuArgs: j.GPU}
	case migrate.OnTarget:
		if t := s.Target; t != nil {
			return w.target(where)
		}
	case migrate.OnTheFly, migrate.OnInstance:
		return w.serverless(where, "the service created the machines for the run, and still does")
	case migrate.OnMachine, migrate.OnCluster: // as for a target that does not exist
	}
	return w.machine(where)
}

// gpu records what happened to the GPU switch.
func (w *jobWriter) gpu(result string) {
	if w.j.GPU {
		w.m.MapGPU(w.j, result, "v2 has no GPU switch")
	}
}

// target keeps the compute target of an SDK v1 job, which is in the workspace.
func (w *jobWriter) target(where []schema.Field) placed {
	j, s := w.j, w.j.Source
	name := j.Target
	w.m.Ledger.Map(j.Name, "`compute: azureml:"+name+"`", "", where...)
	w.gpu("the VM size of the compute target")
	if s.Target.VMSize.Explicit && s.Target.VMSize.Text != "" {
		w.cluster(name, w.vmSize())
	}
	p := placed{job: inCompute(name)}
	if s.SDK.InstanceType.Explicit {
		p.instanceType = s.SDK.InstanceType.Text
		w.m.Ledger.Map(j.Name, "`resources.instance_type`", "", s.SDK.InstanceType)
	}
	return p
}

// serverless lets the service find a machine, or writes the cluster that the service used to create for the run, under
// its old name.
func (w *jobWriter) serverless(where []schema.Field, why string) placed {
	j, s := w.j, w.j.Source
	size := w.vmSize()
	if s.SDK.ClusterName.Explicit && s.SDK.ClusterName.Text != "" {
		name := w.cluster(account.Slug(s.SDK.ClusterName.Text), size)
		w.gpu("`size: " + size + "`")
		w.m.Ledger.Map(j.Name, "`compute: azureml:"+name+"`", "", append(where, s.SDK.ClusterName)...)
		return placed{job: inCompute(name)}
	}
	w.gpu("`resources.instance_type: " + size + "`")
	w.m.Ledger.Map(j.Name, "serverless compute: no `compute`", why, where...)
	p := placed{instanceType: size}
	if strings.EqualFold(s.SDK.VMPriority.Text, "lowpriority") {
		p.spot = true
		w.m.Ledger.Map(j.Name, "`queue_settings.job_tier: spot`", "", s.SDK.VMPriority)
	}
	return p
}

// machine asks what replaces the user's own machine.
func (w *jobWriter) machine(where []schema.Field) placed {
	j := w.j
	why := "v2 cannot use a machine by its address"
	if t := j.Source.Target; t == nil {
		why = "there is no compute target " + j.Target
	} else if at := t.Address(); at.Explicit {
		why = fmt.Sprintf("%s:%d gives an address, but v2 cannot use a machine by its address", account.Name(t.File.Rel), at.File.Source.LineAt(at.Location("").Span.Start))
	}
	answer, _ := w.m.Decide(&account.Question{ID: "compute", Scope: j.Name, Ask: "Where does the job run?", Default: "cluster",
		Choices: []string{"cluster", "serverless", "attached", "kubernetes"},
		Why:     why + ": `cluster` creates a cluster that costs nothing while idle, `serverless` needs no cluster, `attached` and `kubernetes` need the ARM id of an existing compute"})
	switch answer {
	case "serverless":
		p := w.serverless(nil, "")
		w.m.Ledger.Decide(j.Name, "serverless compute: no `compute`", "compute", where...)
		return p
	case "attached", "kubernetes":
		return w.attached(answer, where)
	}
	name := "cpu-cluster"
	if j.GPU {
		name = "gpu-cluster"
	}
	size := w.vmSize()
	name = w.cluster(name, size)
	w.gpu("`size: " + size + "`")
	w.m.Ledger.Decide(j.Name, "`compute: azureml:"+name+"`", "compute", where...)
	return placed{job: inCompute(name)}
}

// attached refers to the user's machine or Kubernetes cluster; only the user knows its ARM id.
func (w *jobWriter) attached(answer string, where []schema.Field) placed {
	j := w.j
	name := account.Slug(j.Target)
	kind, provider, file := "virtualmachine", "Microsoft.Compute/virtualMachines/"+name, "vmCompute"
	if answer == "kubernetes" {
		kind, provider, file = "kubernetes", "Microsoft.ContainerService/managedClusters/"+name, "kubernetesCompute"
	}
	entry := w.resourceID(account.Question{Ask: "What is the ARM id of " + j.Target + "?", Why: "`az resource list --name " + name + " --query [].id` shows it"}, provider, provider)
	body := append(schemaOf(file).Set("name", name).Set("type", kind), entry)
	if t := j.Source.Target; t != nil && kind == "virtualmachine" {
		settings := yamlout.Map{}
		if t.Username().Explicit {
			settings = settings.Set("admin_username", t.Username().Text)
			w.m.Ledger.Map(j.Name, "`ssh_settings.admin_username`", "", t.Username())
		}
		body = body.Set("ssh_settings", settings.Set("ssh_private_key_file", "~/.ssh/id_rsa"))
	}
	w.write("compute-"+name+".yml", w.head, body)
	w.gpu("the machine's own GPU")
	w.m.Ledger.Decide(j.Name, "`compute: azureml:"+name+"`", "compute", where...)
	return placed{job: inCompute(name)}
}

// resourceID asks for the ARM id of an existing compute; example and open are what follows "providers/" in an example
// and in the file while the question is open.
func (w *jobWriter) resourceID(q account.Question, example, open string) yamlout.Entry {
	q.ID, q.Scope, q.Example = "resource-id", w.j.Name, "'/subscriptions/…/providers/"+example+"'"
	entry := yamlout.Entry{Key: "resource_id"}
	entry.Value, _ = w.m.Decide(&q)
	if entry.Value == "" {
		entry.Value = "/subscriptions/" + account.Marker + "/resourceGroups/" + account.Marker + "/providers/" + open
		entry.Above = []string{account.Marker + ": see " + account.Report}
	}
	return entry
}

// write writes a compute file once.
func (w *jobWriter) write(name string, head []string, body yamlout.Map) {
	text := string(yamlout.Bytes(head, body))
	if _, ok := w.computes[name]; !ok {
		w.computes[name] = text
		w.m.Write(name, []byte(text))
	}
}

// cluster writes a cluster and returns its name, which gets a suffix if there is a cluster with this name and another
// size.
func (w *jobWriter) cluster(name, size string) string {
	j, s := w.j, w.j.Source.SDK
	nodes := max(j.Nodes, number(s.MaxNodes.Text), 1)
	for _, other := range w.m.Jobs { // which may need more nodes of the same cluster
		if name == j.Target && other.Place == migrate.OnTarget && other.Target == name {
			nodes = max(nodes, other.Nodes, number(other.Source.SDK.MaxNodes.Text))
		}
	}
	if s.MaxNodes.Explicit {
		w.m.Ledger.Map(j.Name, "`max_instances`", "", s.MaxNodes)
	}
	body := schemaOf("amlCompute").Set("name", name).Set("type", "amlcompute").Set("size", size)
	if strings.EqualFold(s.VMPriority.Text, "lowpriority") {
		body = body.Set("tier", "low_priority")
		w.m.Ledger.Map(j.Name, "`tier: low_priority`", "", s.VMPriority)
	}
	body = body.Set("min_instances", 0).Set("max_instances", nodes).Set("idle_time_before_scale_down", number(catalog.MigrationDefault("idle-seconds").Value))
	file := "compute-" + account.Slug(name) + ".yml" // as of a cluster that a program creates
	text := string(yamlout.Bytes(nil, body))
	if other, ok := w.computes[file]; ok && other != text {
		if name != j.Target {
			return w.cluster(name+"-"+account.Slug(j.Name), size)
		}
		return name
	}
	w.write(file, nil, body)
	return name
}

func number(text string) (n int) {
	_, _ = fmt.Sscanf(text, "%d", &n)
	return n
}

// vmSize returns the size of a job's machine.
func (w *jobWriter) vmSize() string {
	var source schema.Field
	if t := w.j.Source.Target; t != nil {
		source = t.VMSize
	}
	size, chosen := w.sizeOf(w.j.Name, source, w.j.GPU)
	if chosen {
		w.size = size
	}
	return size
}

// sizeOf returns the size of a machine: the source's unless it is retired, or else the outcome of a decision, which
// chosen reports.
func (e *emission) sizeOf(scope string, source schema.Field, gpu bool) (size string, chosen bool) {
	byDefault, why := catalog.MigrationDefault("cpu-vm-size"), "the old files do not contain a VM size"
	if gpu {
		byDefault = catalog.MigrationDefault("gpu-vm-size")
	}
	size = byDefault.Value
	if source.Explicit && source.Text != "" {
		vm, known := catalog.VMSize(source.Text)
		if !known || catalog.PhaseOf(vm.RetiredOn, e.m.Project.AsOf()) < catalog.Ended {
			e.m.Ledger.Map(scope, "`"+source.Text+"`", "", source)
			return source.Text, false
		}
		why = source.Text + " was retired on " + vm.RetiredOn
		size = cmp.Or(vm.Successor(), size)
	} else {
		why += "; " + size + ": " + byDefault.Note
		source = schema.Field{}
	}
	answer, _ := e.m.Decide(&account.Question{ID: "vm-size", Scope: scope, Ask: "Which VM size?", Default: size, Example: size, Why: why})
	e.m.Ledger.Decide(scope, "`"+answer+"`", "vm-size", source)
	return answer, true
}
