package migrate_test

import (
	"strings"
	"testing"
)

// TestGPUs checks that gpuSupport alone does not make a job a GPU job.
func TestGPUs(t *testing.T) {
	const cpu, cuda = "mcr.microsoft.com/azureml/base:0.2.4", "mcr.microsoft.com/azureml/base-gpu:0.2.4"
	const yes = "    gpuSupport: true\n"
	withGPU := strings.Replace(image(cpu, yes), "- numpy", "- tensorflow-gpu", 1)
	checkWorked(t, []worked{
		{name: "alone", project: image(cpu, yes), has: []string{"environment-cpu.yml: ubuntu", "MIGRATION.md: --answer gpu=yes"}},
		{name: "alone, for Kubernetes", to: "k8s", project: image(cpu, yes), lacks: []string{"job-job.yaml: nvidia.com/gpu"}},
		{name: "but answered", project: image(cpu, yes), answers: "gpu=yes", has: []string{"environment-gpu.yml: cuda"}},
		{name: "with a GPU image", project: image(cuda, yes), has: []string{"environment-gpu.yml: cuda"}, lacks: []string{"MIGRATION.md: Does the job use a GPU?"}},
		{name: "with a GPU package", project: withGPU, has: []string{"environment-gpu.yml: cuda"}},
		{name: "with a GPU machine", project: image(cpu, yes) + "amlcompute: {vmSize: Standard_NC6}\n", has: []string{"environment-gpu.yml: cuda"}},
	})
}

// TestScale covers nodes that are not connected, and communicators that v1 did not have.
func TestScale(t *testing.T) {
	checkWorked(t, []worked{
		{name: "nodes", project: sdk("nodeCount: 4"), open: "nodes", has: []string{"job-job.yml: instance_count: 4\n", "job-job.yml: DECIDE", "MIGRATION.md: each node runs the whole script"}},
		{name: "all of them", project: sdk("nodeCount: 4"), answers: "nodes=4", has: []string{"job-job.yml: instance_count: 4\n"}},
		{name: "for Kubernetes", to: "k8s", project: sdk("nodeCount: 4"), open: "nodes", has: []string{"job-job.yaml: DECIDE"}},
		{name: "for Compose", to: "compose", project: sdk("nodeCount: 4")},
		{name: "one after all", project: sdk("nodeCount: 4"), answers: "nodes=1", lacks: []string{"job-job.yml: instance_count"}},
		{name: "joined", project: sdk("nodeCount: 4\ncommunicator: OpenMpi"), lacks: []string{"MIGRATION.md: each node runs"}},
		{name: "one node", project: sdk("nodeCount: 1"), lacks: []string{"MIGRATION.md: each node runs"}},
		{name: "misspelt", project: sdk("nodeCount: 4\ncommunicator: horovord"), open: "communicator"},
		{name: "misspelt, answered", project: sdk("nodeCount: 4\ncommunicator: horovord"), answers: "communicator=mpi", has: []string{"job-job.yml: type: mpi\n"}},
		{name: "the docker run of Compose", to: "compose", project: sdk("docker: {arguments: [--ulimit, memlock=-1]}"), open: "docker-arguments", has: []string{"compose.yaml: DECIDE"}},
		{name: "the size of /dev/shm in Compose", to: "compose", project: sdk("docker: {shmSize: 2g, arguments: [--shm-size, 8g]}"), has: []string{"compose.yaml: shm_size: 8g\n"}},
		{name: "the size of /dev/shm in Kubernetes", to: "k8s", project: sdk("docker: {arguments: [--shm-size=512m]}"), has: []string{"job-job.yaml: sizeLimit: 512Mi\n"}},
		{name: "more than the size of /dev/shm", to: "compose", project: sdk("docker: {arguments: [--shm-size=8g, --privileged]}"), open: "docker-arguments"},
		{name: "of Kubernetes", to: "k8s", project: sdk("docker: {arguments: [--ulimit, memlock=-1]}"), answers: "docker-arguments=drop"},
		{name: "of v2", project: sdk("docker: {arguments: [--ulimit, memlock=-1]}"), has: []string{"job-job.yml: docker_args: --ulimit memlock=-1\n"}},
		{name: "names that Kubernetes refuses", to: "k8s", project: sdk("environmentVariables: {ÜBER: a, A.b-1: c}"), open: "variable-ber", has: []string{"job-job.yaml: A.b-1"}, lacks: []string{"job-job.yaml: name: ÜBER"}},
	})
}

// TestComputedScale checks that a number of nodes or processes that a program computes is asked for.
func TestComputedScale(t *testing.T) {
	const head = "-- submit.py --\nfrom azureml.core import *\nfrom azureml.core.runconfig import *\nparser.add_argument('--nodes', type=int, default=3)\nargs = parser.parse_args()\n"
	job := func(distribution string) string {
		return head + "ScriptRunConfig('.', 'train.py', compute_target='c', environment=Environment('e'), distributed_job_config=" + distribution + ")\n-- train.py --\nprint(1)\n"
	}
	mpi := job("MpiConfiguration(process_count_per_node=f(), node_count=g())")
	checkWorked(t, []worked{
		{name: "both", project: mpi, open: "nodes processes", has: []string{"MIGRATION.md: submit.py:5 computes it"}},
		{name: "both, answered", project: mpi, answers: "nodes=2 processes=4", has: []string{"job-submit.yml: instance_count: 2\n", "job-submit.yml: process_count_per_instance: 4\n"}},
		{name: "no number", project: mpi, answers: "nodes=two processes=4", fails: "nodes=two: the answer must be a whole number"},
		{name: "on one machine", to: "compose", project: mpi, open: "processes image"},
		{name: "of an option", project: job("MpiConfiguration(node_count=args.nodes)"), has: []string{"job-submit.yml: instance_count: 3\n", "MIGRATION.md: takes it from the option --nodes"}},
		{name: "PyTorch's", project: job("PyTorchConfiguration(process_count=f(), node_count=2)"), answers: "processes=4", has: []string{"job-submit.yml: instance_count: 2\n", "job-submit.yml: process_count_per_instance: 4\n"}},
		{name: "without a communicator", project: head + "s = ScriptRunConfig('.', 'train.py', compute_target='c', environment=Environment('e'))\ns.run_config.node_count = f()\n-- train.py --\nprint(1)\n", answers: "nodes=2", has: []string{"job-submit.yml: instance_count: 2\n"}, lacks: []string{"MIGRATION.md: each node runs"}},
	})
}

// TestSharedCluster checks that a cluster is large enough for all jobs that run on it.
func TestSharedCluster(t *testing.T) {
	job := func(name, more string) string {
		return "-- .azureml/" + name + ".runconfig --\nscript: train.py\ntarget: cpu\nframework: Python\ncommunicator: OpenMpi\nenvironment: {python: {userManagedDependencies: true}, docker: {baseImage: 'example.com/own:1'}}\n" + more
	}
	checkWorked(t, []worked{{
		name: "two and four nodes", project: job("a", "nodeCount: 2\namlcompute: {vmSize: Standard_D4as_v4}\n") + job("b", "nodeCount: 4\namlcompute: {vmSize: Standard_D4as_v4}\n") + "-- train.py --\n",
		has: []string{"compute-cpu.yml: max_instances: 4\n"},
	}})
}

// TestNamesOfContainers checks that jobs whose names are equal in Kubernetes and Compose keep their own files, secrets
// and commands.
func TestNamesOfContainers(t *testing.T) {
	const long = "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-"
	var project strings.Builder
	for _, name := range []string{"My Job", "my.job", long + "1", long + "2"} {
		project.WriteString("-- .azureml/" + name + ".runconfig --\nscript: train.py\ntarget: local\nenvironment:\n  environmentVariables: {STORAGE_ACCOUNT_KEY: abcdefghijabcdefghijabcdefghijabcdefghij, API_PASSWORD: abcdefghij1}\n" +
			"  docker: {enabled: true, baseImage: 'own.example.com/own:1', baseImageRegistry: {username: me, password: abcdefghij2}}\n  python: {userManagedDependencies: true}\n")
	}
	project.WriteString("-- train.py --\n")
	const report, create = "MIGRATION.md: ", "MIGRATION.md: `kubectl create secret generic digits-my-job"
	const literals = " --from-literal=STORAGE_ACCOUNT_KEY=… --from-literal=API_PASSWORD=…`"
	checkWorked(t, []worked{
		{name: "Kubernetes", to: "k8s", project: project.String(), has: []string{
			"job-my-job.yaml: name: digits-my-job-secrets", "job-my-job-2.yaml: name: digits-my-job-2-secrets", create + "-secrets" + literals, create + "-2-secrets" + literals, report + "`imagePullSecrets`",
			"job-" + long[:50] + ".yaml: \n  name: " + long[:50] + "\n", "job-" + long[:46] + ".yaml: \n  name: dig-" + long[:46] + "\n",
		}},
		{name: "Compose", to: "compose", project: project.String(), has: []string{
			report + "docker compose run --rm my-job\n", report + "docker compose run --rm my-job-2\n", report + "docker compose run --rm " + long[:46] + "\n", report + "`docker login` for a registry",
		}},
	})
}
