package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// gpuFault is what a project needs to show the fault of a rule, independent of the dialect.
type gpuFault struct {
	size, image string
	pip         string // the only requirement
	variable    string // NAME: value
	processes   string // on each machine
	gpuSwitch   string // in the older dialects; "" means true
	host        string // the system that the job is started from
	spark       bool   // Workbench starts it in Spark
	local       bool   // it runs on this computer
}

const (
	oneA100, twoV100, oneK80, noneD4s = "Standard_NC24ads_A100_v4", "Standard_NC12s_v3", "Standard_NC6", "Standard_D4s_v5"
	cudaImage, cpuImage               = "mcr.microsoft.com/azureml/openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04", "mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04"
)

// gpuFaults has a fault for each rule about GPUs.
var gpuFaults = map[string]gpuFault{
	"gpu/base-image":         {size: oneA100, image: cpuImage, pip: "tensorflow==2.10.0"},
	"gpu/nvidia-docker":      {size: oneA100, image: cudaImage, pip: "numpy", gpuSwitch: "false"},
	"gpu/framework":          {size: oneA100, image: cudaImage, pip: "numpy", spark: true},
	"gpu/cpu-package":        {size: oneA100, image: cudaImage, pip: "torch==2.3.0+cpu"},
	"gpu/cpu-wheel":          {size: oneA100, image: cudaImage, pip: "https://cntk.ai/PythonWheel/CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl"},
	"gpu/gpu-package-on-cpu": {size: noneD4s, image: cpuImage, pip: "tensorflow-gpu==1.15.0", gpuSwitch: "false"},
	"gpu/cuda-mismatch":      {size: oneA100, image: cudaImage, pip: "tensorflow==2.16.1"},
	"gpu/no-kernels":         {size: "Standard_NC40ads_H100_v5", image: cudaImage, pip: "torch==1.12.1"},
	"gpu/linux-host":         {image: cudaImage, pip: "numpy", host: "windows", local: true},
	"gpu/support-flag":       {size: noneD4s, image: cudaImage, pip: "numpy", gpuSwitch: "false"},
	"gpu/retired-hardware":   {size: oneK80, image: cudaImage, pip: "numpy"},
	"gpu/process-count":      {size: oneA100, image: cudaImage, pip: "torch==2.3.0", processes: "4"},
	"gpu/visible-devices":    {size: oneA100, image: cudaImage, pip: "torch==2.3.0", variable: "CUDA_VISIBLE_DEVICES: \"3\""},
	"gpu/nccl":               {size: twoV100, image: cudaImage, pip: "torch==2.3.0", variable: "NCCL_P2P_DISABLE: \"1\""},
	"gpu/idle":               {size: oneA100, image: cpuImage, pip: "scikit-learn==1.5.0"},
}

// gpuKinds write a fault in each kind of job.
var gpuKinds = []struct {
	name  string
	write func(gpuFault) string
}{
	{"Workbench", workbenchFault},
	{"SDK v1", sdkFault},
	{"v2 command", func(f gpuFault) string {
		return f.conda() + "-- job.yml --\n#commandJob\n" + f.body("", f.size)
	}},
	{"pipeline child", func(f gpuFault) string {
		return f.conda() + "-- job.yml --\n#pipelineJob\ntype: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n  a:\n" + f.body("    ", "") + f.compute()
	}},
	{"component of a pipeline", func(f gpuFault) string {
		return f.conda() + "-- job.yml --\n#pipelineJob\ntype: pipeline\ncompute: azureml:c\njobs:\n  a: {component: part.yml}\n-- part.yml --\n#commandComponent\nname: part\n" + f.body("", "") + f.compute()
	}},
	{"sweep trial", func(f gpuFault) string {
		return f.conda() + "-- job.yml --\n#sweepJob\ntype: sweep\nobjective: {goal: maximize, primary_metric: m}\nsampling_algorithm: random\nsearch_space: {x: {type: uniform, min_value: 0, max_value: 1}}\nlimits: {max_total_trials: 2}\ncompute: azureml:c\ntrial:\n" + f.body("  ", "") + f.compute()
	}},
	{"online deployment", func(f gpuFault) string {
		return f.conda() + "-- job.yml --\n#managedOnlineDeployment\nname: d\nendpoint_name: e\nmodel: azureml:m:1\ncode_configuration: {code: ., scoring_script: a.py}\ninstance_count: 1\ninstance_type: " + f.size + "\n" + f.environment("")
	}},
	{"batch deployment", func(f gpuFault) string {
		return f.conda() + "-- job.yml --\n#batchDeployment\nname: d\nendpoint_name: e\nmodel: azureml:m:1\ncode_configuration: {code: ., scoring_script: a.py}\ncompute: azureml:c\nresources: {instance_count: 1}\n" + f.environment("") + f.compute()
	}},
}

// gpuOnly has the rules that apply only to some kinds of jobs, with the reason; gpuExempt has the kinds that lack what
// a rule is about.
var (
	gpuOnly = map[string]struct {
		kinds []string
		why   string
	}{
		"gpu/nvidia-docker": {[]string{"Workbench"}, "no other file of a target asks for GPUs; of gpuSupport gpu/support-flag speaks"},
		"gpu/framework":     {[]string{"Workbench"}, "no other dialect starts Spark where nothing is said"},
		"gpu/linux-host":    {[]string{"Workbench", "SDK v1"}, "v2 has no switch for GPUs on this computer"},
	}
	gpuExempt = map[string]string{
		"gpu/support-flag, Workbench":          "of nvidiaDocker gpu/nvidia-docker speaks",
		"gpu/process-count, Workbench":         "there is no key for the number of processes",
		"gpu/process-count, online deployment": "a deployment has no distribution",
		"gpu/process-count, batch deployment":  "a deployment has no distribution",
		"gpu/idle, Workbench":                  "the service, which cost money, is gone",
		"gpu/idle, SDK v1":                     "the service, which cost money, is gone",
	}
)

// exempt returns why a rule cannot apply to a kind of job, or "" if it applies.
func exempt(rule, kind string) string {
	if only, ok := gpuOnly[rule]; ok && !slices.Contains(only.kinds, kind) {
		return only.why
	}
	return gpuExempt[rule+", "+kind]
}

func (f gpuFault) conda() string {
	return "-- conda.yml --\ndependencies:\n  - python=3.10\n  - pip=24.0\n  - pip:\n    - " + f.pip + "\n-- a.py --\n"
}

func (f gpuFault) compute() string {
	return "-- c.yml --\n#amlCompute\nname: c\ntype: amlcompute\nsize: " + f.size + "\n"
}

// environment returns the keys for the environment and its variables.
func (f gpuFault) environment(indent string) string {
	text := indent + "environment: {image: \"" + f.image + "\", conda_file: conda.yml}\n"
	if f.variable != "" {
		text += indent + "environment_variables: {" + f.variable + "}\n"
	}
	return text
}

// body returns the keys of a mapping that runs a command.
func (f gpuFault) body(indent, size string) string {
	text := indent + "type: command\n"
	if indent == "  " { // a trial has no type
		text = ""
	}
	text += indent + "command: python a.py\n" + indent + "code: .\n" + f.environment(indent)
	resources := "instance_count: 1"
	if size != "" {
		resources += ", instance_type: " + size
	}
	text += indent + "resources: {" + resources + "}\n"
	if f.processes != "" {
		text += indent + "distribution: {type: pytorch, process_count_per_instance: " + f.processes + "}\n"
	}
	return text
}

func (f gpuFault) asked() string {
	if f.gpuSwitch != "" {
		return f.gpuSwitch
	}
	return "true"
}

func workbenchFault(f gpuFault) string {
	framework, kind := "Framework: Python\n", "remotedocker\naddress: vm.example.com\nusername: me"
	if f.spark {
		framework = ""
	}
	if f.local {
		kind = "localdocker"
	}
	variables := ""
	if f.variable != "" {
		variables = "EnvironmentVariables: {" + f.variable + "}\n"
	}
	return strings.Replace(f.conda(), "conda.yml", "aml_config/conda.yml", 1) + "-- aml_config/train.runconfig --\nArgumentVector: [a.py]\nTarget: vm\n" + framework + "CondaDependenciesFile: aml_config/conda.yml\n" + variables +
		"-- aml_config/vm.compute --\ntype: " + kind + "\nbaseDockerImage: " + f.image + "\nnvidiaDocker: " + f.asked() + "\n"
}

func sdkFault(f gpuFault) string {
	target, more, variables := "target: amlcompute\namlcompute: {vmSize: "+f.size+"}\n", "", ""
	if f.local {
		target = "target: local\n"
	}
	if f.processes != "" {
		more = "communicator: Mpi\nmpi: {processCountPerNode: " + f.processes + "}\n"
	}
	if f.variable != "" {
		variables = "  environmentVariables: {" + f.variable + "}\n"
	}
	return f.conda() + "-- .azureml/train.runconfig --\nscript: a.py\nframework: Python\n" + target + more + "environment:\n  docker: {enabled: true, baseImage: \"" + f.image + "\", gpuSupport: " + f.asked() +
		"}\n  python: {condaDependenciesFile: conda.yml}\n" + variables
}

// TestGPUKinds checks that every rule about GPUs finds its fault in every kind of job that is not exempt.
func TestGPUKinds(t *testing.T) {
	for _, r := range rules.All() {
		f, has := gpuFaults[r.ID]
		if strings.HasPrefix(r.ID, "gpu/") && !has {
			t.Errorf("%s has no fault in gpuFaults", r.ID)
		}
		if !has {
			continue
		}
		for _, kind := range gpuKinds {
			t.Run(fmt.Sprintf("%s, %s", r.ID, kind.name), func(t *testing.T) {
				archive := withSchemas(kind.write(f))
				roots, err := schema.Discover([]string{testkit.Folder(t, archive)})
				if err != nil || len(roots) != 1 {
					t.Fatalf("roots %v, error %v", roots, err)
				}
				p := schema.Load(roots[0], schema.Options{Host: f.host, Computes: map[string]string{"vm": f.size}})
				found := rules.Check(p)
				why := exempt(r.ID, kind.name)
				is := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Rule == r.ID })
				if is != (why == "") {
					t.Errorf("found: %v, exempt: %q; all findings: %q\n%s", is, why, lines(p, found), archive)
				}
			})
		}
	}
}

// withSchemas expands abbreviated schema addresses such as "#commandJob".
func withSchemas(archive string) string {
	var out strings.Builder
	for line := range strings.Lines(archive) {
		if name, ok := strings.CutPrefix(line, "#"); ok && !strings.HasPrefix(name, " ") {
			line = "$schema: https://azuremlschemas.azureedge.net/latest/" + strings.TrimSpace(name) + ".schema.json\n"
		}
		out.WriteString(line)
	}
	return out.String()
}
