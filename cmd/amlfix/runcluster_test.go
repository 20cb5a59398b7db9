package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// clusterJobs has jobs that a cluster can run, and some that it cannot.
const clusterJobs = `
-- .amlfix.yaml --
kubernetes:
  context: gpus
  namespace: team-a
  node-selector: {gpu: a100}
  tolerations: ["nvidia.com/gpu:NoSchedule"]
  claim: projects
  pull-secret: login
  queue: fast
-- job.yml --
type: command
command: python train.py
code: .
environment: {image: python:3.12}
environment_variables: {API_TOKEN: abcdefghijklmnop1234}
resources: {shm_size: 2g}
-- packages.yml --
type: command
command: python train.py
code: .
environment: {image: python:3.12, conda_file: {dependencies: [python=3.12, pip, pip: [numpy==2.2.0]]}}
-- docker.yml --
type: command
command: python train.py
code: .
environment: {build: {path: docker}}
-- docker/Dockerfile --
FROM python:3.12
-- train.py --
print("hello")
-- aml_config/gpu.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
-- aml_config/gpu.runconfig --
Target: gpu
Framework: Python
CondaDependenciesFile: aml_config/conda.yml
-- aml_config/local.compute --
type: local
pythonLocation: python3
-- aml_config/local.runconfig --
Target: local
Framework: Python
CondaDependenciesFile: aml_config/conda.yml
-- aml_config/conda.yml --
dependencies: []
`

// TestClusterPlan checks that the plan has every field from the settings and the files, with its line, and that the
// command line wins. It omits what the plan contains for every job.
func TestClusterPlan(t *testing.T) {
	dir := testkit.Folder(t, clusterJobs)
	tests := map[string]string{
		"run job.yml -t k8s --plan --memory 8g --cpus 0.5 --gpus 2 --k8s namespace=team-b --k8s node-selector=zone=1": `context gpus .amlfix.yaml:2
namespace team-b command line
metadata.labels[kueue.x-k8s.io/queue-name]: fast .amlfix.yaml:8
spec.template.spec.imagePullSecrets[0].name: login .amlfix.yaml:7
spec.template.spec.nodeSelector.gpu: a100 .amlfix.yaml:4
spec.template.spec.nodeSelector.zone: 1 command line
spec.template.spec.tolerations[0]: nvidia.com/gpu:NoSchedule .amlfix.yaml:5
spec.template.spec.containers[0].image: python:3.12 job.yml:4
spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]: 2 command line
spec.template.spec.containers[0].resources.limits.memory: 8589934592 command line
spec.template.spec.containers[0].resources.limits.cpu: 0.5 command line
spec.template.spec.volumes[0].persistentVolumeClaim.claimName: projects .amlfix.yaml:6
spec.template.spec.volumes[1].emptyDir.medium: Memory job.yml:6
spec.template.spec.volumes[1].emptyDir.sizeLimit: 2147483648 job.yml:6
secret data.API_TOKEN: *** job.yml:5
`,
		"run packages.yml -t k8s --plan --k8s storage-class=fast": `context gpus .amlfix.yaml:2
namespace team-a .amlfix.yaml:3
environment packages.yml packages.yml:4, prepared once, on claim projects
metadata.labels[kueue.x-k8s.io/queue-name]: fast .amlfix.yaml:8
spec.template.spec.imagePullSecrets[0].name: login .amlfix.yaml:7
spec.template.spec.nodeSelector.gpu: a100 .amlfix.yaml:4
spec.template.spec.tolerations[0]: nvidia.com/gpu:NoSchedule .amlfix.yaml:5
spec.template.spec.containers[0].image: python:3.12 packages.yml:4
spec.template.spec.volumes[0].persistentVolumeClaim.claimName: projects .amlfix.yaml:6
claim metadata.name: projects .amlfix.yaml:6
claim spec.storageClassName: fast command line
`,
		"run docker.yml -t k8s --plan --build --k8s registry=registry.example/team": `context gpus .amlfix.yaml:2
namespace team-a .amlfix.yaml:3
metadata.labels[kueue.x-k8s.io/queue-name]: fast .amlfix.yaml:8
spec.template.spec.imagePullSecrets[0].name: login .amlfix.yaml:7
spec.template.spec.nodeSelector.gpu: a100 .amlfix.yaml:4
spec.template.spec.tolerations[0]: nvidia.com/gpu:NoSchedule .amlfix.yaml:5
spec.template.spec.containers[0].image: registry.example/team/amlfix docker.yml:4, built from docker/Dockerfile: built here and pushed when the job runs
spec.template.spec.volumes[0].persistentVolumeClaim.claimName: projects .amlfix.yaml:6
`,
		"run -c gpu -t k8s --plan train.py --epochs 3": `context gpus .amlfix.yaml:2
namespace team-a .amlfix.yaml:3
metadata.labels[kueue.x-k8s.io/queue-name]: fast .amlfix.yaml:8
spec.template.spec.imagePullSecrets[0].name: login .amlfix.yaml:7
spec.template.spec.nodeSelector.gpu: a100 .amlfix.yaml:4
spec.template.spec.tolerations[0]: nvidia.com/gpu:NoSchedule .amlfix.yaml:5
spec.template.spec.containers[0].image: microsoft/mmlspark:plus-gpu-0.9.9 aml_config/gpu.compute:2
spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]: 1 aml_config/gpu.compute:3
spec.template.spec.volumes[0].persistentVolumeClaim.claimName: projects .amlfix.yaml:6
`,
	}
	line := regexp.MustCompile(`(?m)^(?:manifest +|(context|namespace|secret|claim|environment|note) +)(.*?)  \((.*)\)\n`)
	for command, want := range tests {
		r := amlfix(t, dir, strings.Fields(command)...)
		got := ""
		for _, l := range line.FindAllStringSubmatch(r.out, -1) {
			if strings.Contains(l[3], ":") && !strings.HasPrefix(l[3], "default") || l[3] == "command line" {
				got += strings.TrimSpace(l[1]+" "+l[2]) + " " + l[3] + "\n"
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || r.code != 0 {
			t.Errorf("%s: exit %d, %s\n%s", command, r.code, r.err, diff)
		}
		if strings.Contains(r.out, "abcdefghijklmnop") {
			t.Errorf("%s shows a secret:\n%s", command, r.out)
		}
	}
}

// TestClusterRefuses checks that each thing that target k8s does not support is reported in one sentence.
func TestClusterRefuses(t *testing.T) {
	dir := testkit.Folder(t, clusterJobs)
	for command, want := range map[string]struct {
		code int
		text string
	}{
		"run docker.yml -t k8s --plan":                         {console.NotStarted, "docker.yml:4, built from docker/Dockerfile: the environment is built from a Dockerfile: add --build, which builds it here and pushes it to kubernetes.registry, or name an image"},
		"run docker.yml -t k8s --build --plan":                 {console.BadUsage, "--build pushes an image, but no registry is set: name one that the cluster pulls from, with kubernetes.registry"},
		"run job.yml --build --plan":                           {console.BadUsage, "--build is for jobs in a cluster: add -t k8s"},
		"run job.yml -t k8s --k8s storage= --plan":             {console.BadUsage, "is not a valid value"},
		"run -c local -t k8s --plan train.py":                  {console.NotStarted, "the target has no image"},
		"run -c local -t k8s --image python:3 --plan train.py": {0, ""},
		"run job.yml -t k8s --gpus all --plan":                 {console.BadUsage, "--gpus all: a pod needs a number of GPUs: write --gpus 1"},
		"run job.yml -t k8s --k8s colour=red --plan":           {console.BadUsage, "--k8s colour=red is not a setting: the settings are context, namespace"},
		"run job.yml -t k8s --k8s context --plan":              {console.BadUsage, "--k8s context: write NAME=VALUE"},
		"run job.yml -t k8s --k8s node-selector=gpu --plan":    {console.BadUsage, "is not a node label: write LABEL=VALUE"},
		"run job.yml -t k8s --k8s context=--kubeconfig --plan": {console.BadUsage, "is not a valid value"},
		"run job.yml --k8s context=x --plan":                   {console.BadUsage, "--k8s is for jobs in a cluster: add -t k8s"},
		"run -c gpu --image x --plan train.py":                 {console.BadUsage, "--image is for Azure ML v2 jobs"},
	} {
		r := amlfix(t, dir, strings.Fields(command)...)
		if r.code != want.code || !strings.Contains(r.err, want.text) {
			t.Errorf("%s: %d\n%s", command, r.code, r.err)
		}
	}
}
