package schema_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

// machines says what is known of the machines of each job of a project that no other runs.
func machines(p *schema.Project) map[string]string {
	all := map[string]string{}
	for _, j := range p.Jobs {
		vm, known := j.Target.Machine()
		n, counted := j.Target.GPUs()
		text := "?"
		switch {
		case known && vm.GPU != "":
			text = fmt.Sprintf("%s: %d × %s (%s)", vm.Size, n, vm.GPU, vm.Capability)
		case counted:
			text = fmt.Sprintf("%s: %d", j.Target.VMSize.Text, n)
		}
		if j.Target.BySettings {
			text += " by settings"
		}
		if j.Target.GPU() {
			text += ", GPU"
		}
		if j.Target.Suspected() {
			text += "?"
		}
		all[j.Name] = text
	}
	return all
}

// TestMachines learns of the machine in every way there is.
func TestMachines(t *testing.T) {
	const a100, cpu, unknown = "Standard_NC24ads_A100_v4: 1 × A100 (8.0)", "Standard_D4s_v3: 0", "?"
	const command = "command: python a.py\nenvironment: azureml:e:1\n"
	for _, c := range []struct{ name, files, settings, job, want string }{
		{"compute file", "-- job.yml --\n#commandJob\n" + command + "compute: azureml:gpu\n", "", "job.yml", a100 + ", GPU"},
		{"compute file, before instance_type", "-- job.yml --\n#commandJob\n" + command + "compute: azureml:gpu\nresources: {instance_type: Standard_D4s_v3}\n", "", "job.yml", a100 + ", GPU"},
		{"compute file, before settings", "-- job.yml --\n#commandJob\n" + command + "compute: azureml:gpu\n", "gpu: Standard_D4s_v3", "job.yml", a100 + ", GPU"},
		{"curated environment with CUDA", "-- job.yml --\n#commandJob\ncommand: a\nenvironment: azureml:AzureML-acpt-pytorch-2.8-cuda12.6@latest\ncompute: azureml:c\n", "", "job.yml", unknown + ", GPU?"},
		{"curated environment with CUDA, registry", "-- job.yml --\n#commandJob\ncommand: a\nenvironment: azureml://registries/azureml/environments/acpt-pytorch-2.8-cuda12.6/labels/latest\ncompute: azureml:c\n", "", "job.yml", unknown + ", GPU?"},
		{"curated environment with CUDA beside another", "-- job.yml --\n#commandJob\ncommand: a\nenvironment: azureml:AzureML-sklearn-1.5@latest\ncompute: azureml:c\n-- other.yml --\n#commandJob\ncommand: a\nenvironment: azureml:AzureML-acpt-pytorch-2.8-cuda12.6@latest\ncompute: azureml:c\n", "", "job.yml", unknown},
		{"curated environment with CUDA, machine without", "-- job.yml --\n#commandJob\ncommand: a\nenvironment: azureml:AzureML-acpt-pytorch-2.8-cuda12.6@latest\ncompute: azureml:c\n", "c: Standard_D4s_v3", "job.yml", cpu + " by settings"},
		{"name of a curated environment in the workspace", "-- job.yml --\n#commandJob\ncommand: a\nenvironment: azureml:acpt-pytorch-2.8-cuda12.6@latest\ncompute: azureml:c\n", "", "job.yml", unknown},
		{"a name is no evidence", "-- job.yml --\n#commandJob\n" + command + "compute: azureml:gpu-a100\n", "", "job.yml", unknown},
		{"settings", "-- job.yml --\n#commandJob\n" + command + "compute: azureml:gpu-cluster\n", "gpu-cluster: standard_nc24ads_a100_V4", "job.yml", a100 + " by settings, GPU"},
		{"settings, plain name", "-- job.yml --\n#commandJob\n" + command + "compute: GPU-cluster\n", "gpu-cluster: NC24ads_A100_v4", "job.yml", a100 + " by settings, GPU"},
		{"settings, id", "-- job.yml --\n#commandJob\n" + command + "compute: /subscriptions/s/resourceGroups/g/providers/Microsoft.MachineLearningServices/workspaces/w/computes/gpu-cluster\n", "gpu-cluster: Standard_D4s_v3", "job.yml", cpu + " by settings"},
		{"settings, another", "-- job.yml --\n#commandJob\n" + command + "compute: azureml:gpu-cluster\n", "other: Standard_D4s_v3", "job.yml", unknown},
		{"settings, before instance_type", "-- job.yml --\n#commandJob\n" + command + "compute: azureml:c\nresources: {instance_type: Standard_D4s_v3}\n", "c: Standard_NC24ads_A100_v4", "job.yml", a100 + " by settings, GPU"},
		{"settings, template", "-- job.yml --\n#commandJob\n" + command + "compute: azureml:{{c}}\n", "c: Standard_D4s_v3", "job.yml", unknown},
		{"settings, expression", "-- job.yml --\n#commandJob\n" + command + "compute: ${{parent.inputs.c}}\n", "c: Standard_D4s_v3", "job.yml", unknown},
		{"settings, JSON", "-- job.json --\n{\"$schema\": \"https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\", \"command\": \"a\", \"environment\": \"azureml:e:1\", \"compute\": \"azureml:c\"}\n", "c: Standard_NC24ads_A100_v4", "job.json", a100 + " by settings, GPU"},
		{"instance_type", "-- job.yml --\n#commandJob\n" + command + "resources: {instance_type: STANDARD_NC24ADS_A100_V4}\n", "", "job.yml", a100 + ", GPU"},
		{"serverless", "-- job.yml --\n#commandJob\n" + command + "compute: serverless\nresources:\n  instance_type: Standard_NC24ads_A100_v4\n", "", "job.yml", a100 + ", GPU"},
		{"instance_type, list of one", "-- job.yml --\n#commandJob\n" + command + "resources: {instance_type: [Standard_NC24ads_A100_v4]}\n", "", "job.yml", a100 + ", GPU"},
		{"instance_type, list", "-- job.yml --\n#commandJob\n" + command + "resources: {instance_type: [Standard_NC24ads_A100_v4, Standard_NC6s_v3]}\n", "", "job.yml", a100 + ", GPU"},
		{"instance_type, list of both kinds", "-- job.yml --\n#commandJob\n" + command + "resources: {instance_type: [Standard_NC24ads_A100_v4, Standard_D4s_v3]}\n", "", "job.yml", unknown},
		{"instance_type, template", "-- job.yml --\n#commandJob\n" + command + "resources: {instance_type: \"${SIZE}\"}\n", "", "job.yml", unknown},
		{"online deployment", "-- job.yml --\n#managedOnlineDeployment\nname: d\nendpoint_name: e\nmodel: azureml:m:1\nenvironment: azureml:e:1\ninstance_type: Standard_NC24ads_A100_v4\n", "", "job.yml", a100 + ", GPU"},
		{"batch deployment", "-- job.yml --\n#batchDeployment\nname: d\nendpoint_name: e\nmodel: azureml:m:1\nenvironment: azureml:e:1\ncompute: azureml:gpu\n", "", "job.yml", a100 + ", GPU"},
		{"batch deployment, settings", "-- job.yml --\n#batchDeployment\nname: d\nendpoint_name: e\nmodel: azureml:m:1\nenvironment: azureml:e:1\ncompute: azureml:c\n", "c: Standard_D4s_v3", "job.yml", cpu + " by settings"},
		{"default_compute", "-- job.yml --\n#pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:gpu}\njobs:\n  a:\n    " + strings.ReplaceAll(command, "\nenv", "\n    env"), "", "job.yml: jobs.a", a100 + ", GPU"},
		{"default_compute, settings", "-- job.yml --\n#pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n  a:\n    " + strings.ReplaceAll(command, "\nenv", "\n    env"), "c: Standard_D4s_v3", "job.yml: jobs.a", cpu + " by settings"},
		{"compute of a pipeline", "-- job.yml --\n#pipelineJob\ntype: pipeline\ncompute: azureml:gpu\njobs:\n  a: {component: ../part.yml}\n  b: {component: part.yml}\n-- part.yml --\n#commandComponent\nname: p\n" + command, "", "job.yml: jobs.b", a100 + ", GPU"},
		{"child, before the pipeline's", "-- job.yml --\n#pipelineJob\ntype: pipeline\ncompute: azureml:gpu\njobs:\n  a: {component: part.yml, compute: azureml:c}\n-- part.yml --\n#commandComponent\nname: p\n" + command, "c: Standard_D4s_v3", "job.yml: jobs.a", cpu + " by settings"},
		{"component's resources", "-- job.yml --\n#pipelineJob\ntype: pipeline\njobs:\n  a: {component: part.yml}\n-- part.yml --\n#commandComponent\nname: p\nresources: {instance_type: Standard_NC24ads_A100_v4}\n" + command, "", "job.yml: jobs.a", a100 + ", GPU"},
		{"sweep", "-- job.yml --\n#sweepJob\ntype: sweep\nobjective: {primary_metric: a, goal: maximize}\ncompute: azureml:gpu\ntrial:\n  command: a\n  environment: azureml:e:1\n", "", "job.yml", a100 + ", GPU"},
		{"sweep's trial", "-- job.yml --\n#sweepJob\ntype: sweep\nobjective: {primary_metric: a, goal: maximize}\ntrial:\n  command: a\n  environment: azureml:e:1\n  resources: {instance_type: Standard_NC24ads_A100_v4}\n", "", "job.yml", a100 + ", GPU"},
		{"SDK v1, amlcompute", "-- .azureml/a.runconfig --\nscript: a.py\ntarget: amlcompute\namlcompute: {vmSize: standard_nc24ads_a100_v4}\n", "", "a", a100 + ", GPU"},
		{"SDK v1, settings", "-- .azureml/a.runconfig --\nscript: a.py\ntarget: gpu-cluster\n", "gpu-cluster: Standard_NC24ads_A100_v4", "a", a100 + " by settings, GPU"},
		{"SDK v1, amlcompute is no name", "-- .azureml/a.runconfig --\nscript: a.py\ntarget: amlcompute\namlcompute: {vmSize: Standard_D4s_v3}\n", "amlcompute: Standard_NC24ads_A100_v4", "a", cpu},
		{"SDK v1, local", "-- .azureml/a.runconfig --\nscript: a.py\ntarget: local\n", "local: Standard_NC24ads_A100_v4", "a", unknown},
		{"Workbench, settings", "-- aml_config/a.runconfig --\nTarget: vm\n-- aml_config/vm.compute --\ntype: remotedocker\naddress: vm.example.com\n", "vm: Standard_NC24ads_A100_v4", "a", a100 + " by settings, GPU"},
		{"Workbench, this computer", "-- aml_config/a.runconfig --\nTarget: vm\n-- aml_config/vm.compute --\ntype: localdocker\n", "vm: Standard_NC24ads_A100_v4", "a", unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			archive := withSchema.Replace("-- gpu.yml --\n#amlCompute\nname: gpu\ntype: amlcompute\nsize: Standard_NC24ads_A100_v4\n" + c.files)
			dir := testkit.Folder(t, archive)
			roots, err := schema.Discover([]string{dir})
			testkit.OK(t, err)
			opts := schema.Options{}
			if name, size, ok := strings.Cut(c.settings, ": "); ok {
				opts.Computes = map[string]string{name: size}
			}
			all := map[string]string{}
			for _, root := range roots {
				maps.Copy(all, machines(schema.Load(root, opts)))
			}
			if got := all[c.job]; got != c.want {
				t.Errorf("of %q is known %q, want %q; of all jobs: %v", c.job, got, c.want, all)
			}
		})
	}
}

// TestGPUCount counts cards.
func TestGPUCount(t *testing.T) {
	got := map[string]int{}
	for _, size := range []string{"Standard_NC6", "Standard_NC96ads_A100_v4", "Standard_NV6ads_A10_v5", "Standard_ND96asr_v4", "Standard_NV4as_v4"} {
		vm, ok := catalog.VMSize(size)
		if !ok {
			t.Errorf("%s is not recorded", size)
		}
		got[size] = vm.Count()
	}
	want := map[string]int{"Standard_NC6": 1, "Standard_NC96ads_A100_v4": 4, "Standard_NV6ads_A10_v5": 1, "Standard_ND96asr_v4": 8, "Standard_NV4as_v4": 0}
	testkit.Same(t, want, got)
}
