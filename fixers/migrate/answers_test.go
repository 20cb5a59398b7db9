package migrate_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNumbers checks that an answer that is not a number is an error wherever a number is asked for.
func TestNumbers(t *testing.T) {
	uneven := sdk("nodeCount: 2\nframework: PyTorch\ncommunicator: Nccl\npytorch: {processCount: 3}")
	larger := on(image("mcr.microsoft.com/azureml/base-gpu:0.2.4", "communicator: OpenMpi\nmpi: {processCountPerNode: 4}\namlcompute: {vmSize: STANDARD_NC6}"), "target: cpu", "target: amlcompute")
	cluster := builder + "ComputeTarget.create(ws, 'c', AmlCompute.provisioning_configuration(vm_size='STANDARD_D2_V2', max_nodes=f()))\n"
	checkWorked(t, []worked{
		{name: "uneven", project: uneven, open: "processes"},
		{name: "uneven, answered", project: uneven, answers: "processes=2", has: []string{"job-job.yml: process_count_per_instance: 2\n"}},
		{name: "uneven, a word", project: uneven, answers: "processes=two", fails: "processes=two: the answer must be a whole number, at least 1"},
		{name: "uneven, for Compose", to: "compose", project: uneven, answers: "processes=0", fails: "processes=0: the answer"},
		{name: "more than GPUs", project: larger, open: "processes"},
		{name: "more than GPUs, a word", project: larger, answers: "processes=one", fails: "processes=one: the answer"},
		{name: "a cluster", project: cluster, has: []string{"compute-c.yml: max_instances: 4\n"}},
		{name: "a cluster, answered", project: cluster, answers: "max-nodes=9", has: []string{"compute-c.yml: max_instances: 9\n"}},
		{name: "a cluster, a word", project: cluster, answers: "max-nodes=9x", fails: "max-nodes=9x: the answer"},
		{name: "a step", project: parallel("node_count=f()"), answers: "nodes=3", has: []string{"job-pipe.yml: instance_count: 3\n"}},
		{name: "a step, a word", project: parallel("node_count=f()"), answers: "nodes=-1", fails: "nodes=-1: the answer"},
		{name: "a job, a word", project: sdk("nodeCount: 4"), answers: "nodes=many", fails: "nodes=many: the answer"},
		{name: "work", project: sdk("communicator: ParallelTask"), answers: "parallel=two", fails: "the answer must be one of job"},
	})
}

// TestIndexes checks that an answer about the index of pip is an option that pip accepts.
func TestIndexes(t *testing.T) {
	project := conda("import numpy\n", "- python=3.11", "- pip", "- pip:", "  - --index-url https://me:pw123456@example.com/simple", "  - numpy")
	checkWorked(t, []worked{
		{name: "open", project: project, open: "pip-option"},
		{name: "an option", project: project, answers: "pip-option=--index-url·https://example.com/simple", has: []string{"conda_dependencies.yml: - --index-url https://example.com/simple\n"}},
		{name: "an address without its scheme", project: project, answers: "pip-option=--index-url·pypi.org/simple", fails: "pip-option=--index-url pypi.org/simple: write an option of pip, such as --extra-index-url https://ADDRESS/simple"},
		{name: "an address alone", project: project, answers: "pip-option=https://example.com/simple", fails: "write an option of pip"},
	})
}

// TestAnswersOfSeveral checks that the answer that is suggested for one job changes no other, and that a question of
// several has the reasons of all.
func TestAnswersOfSeveral(t *testing.T) {
	const head = "-- submit.py --\nfrom azureml.core import *\ne = Environment('e')\n"
	const files = "-- train.py --\nprint(1)\n"
	const report = "MIGRATION.md: "
	config := func(name, item string) string {
		return "-- .azureml/" + name + ".runconfig --\nscript: train.py\ntarget: c\nframework: Python\nenvironment: {python: {condaDependenciesFile: .azureml/" + name + ".yml}}\n-- .azureml/" + name + ".yml --\ndependencies: [python=3.11, pip: [" + item + "]]\n"
	}
	job := func(script, target string) string {
		return "ScriptRunConfig('.', '" + script + "', environment=e" + target + ")\n"
	}
	checkWorked(t, []worked{
		{name: "two scripts that are gone", project: head + job("a.py", ", compute_target='c'") + job("b.py", ", compute_target='c'") + files, open: "script script",
			has: []string{report + "`--answer submit/script=a.py`", report + "`--answer submit-2/script=b.py`"}},
		{name: "two scripts that are gone, one of them twice", project: head + job("a.py", ", compute_target='c'") + job("b.py", ", compute_target='c'") + job("a.py", ", compute_target='d'") + files, open: "script script",
			has: []string{report + "`--answer submit+/script=a.py`", report + "`--answer submit-2/script=b.py`"}},
		{name: "two scripts that are gone, one of them answered", project: head + job("a.py", ", compute_target='c'") + job("b.py", ", compute_target='c'") + job("a.py", ", compute_target='d'") + files, open: "script", answers: "submit+/script=train.py",
			has: []string{"job-submit.yml: command: python train.py\n", "job-submit-3.yml: command: python train.py\n", "job-submit-2.yml: command: python b.py\n"}},
		{name: "answers for no question", project: head + job("a.py", ", compute_target='c'") + files, answers: "other+/script=train.py", fails: "--answer other+/script: there is no such decision"},
		{name: "a script that is gone twice", project: head + job("a.py", ", compute_target='c'") + job("a.py", ", compute_target='d'") + files, open: "script",
			has: []string{report + "| submit, submit-2 |", report + "`--answer script=a.py`"}},
		{name: "a target besides this computer", project: head + job("train.py", "") + job("train.py", ", compute_target=f()") + files, open: "target",
			has: []string{report + "`--answer submit/target=cpu-cluster`", report + "`--answer submit-2/target=cpu-cluster`"}},
		{name: "a package of two environments, and with a marker in another", project: files + config("a", "pywin32") + config("b", "pywin32") + config("d", `"pywin32==306; sys_platform == 'win32'"`), answers: "a.yml+/package-pywin32=scipy",
			has: []string{"a.yml: - scipy\n", "b.yml: - scipy\n", "d.yml: - pywin32==306; sys_platform == 'win32'"}},
		{name: "targets for two reasons", project: builder + "a = DataTransferStep('A', f(), g(), compute_target='adf')\nb = PythonScriptStep(name='B', script_name='train.py', compute_target=f())\nPipeline(ws, [a, b])\n", answers: "script=train.py data-input_1=azureml:d:1", open: "target",
			has: []string{report + "a DataTransferStep did not run on a compute target that exists in v2; pipe.py:9 computes it | `--answer target=cpu-cluster`"}},
	})
}

// TestTargetsOfSDKv1 checks that run configurations of SDK v1 have names of compute targets that a workspace accepts.
func TestTargetsOfSDKv1(t *testing.T) {
	project := "-- train.py --\n"
	for i, name := range []string{"gpu_vm", "gpu-vm", "Own-GPU", "the_machine_of_the_team", "a", "2gpu"} {
		project += "-- aml_config/r" + strconv.Itoa(i) + ".runconfig --\nTarget: " + name + "\nArgumentVector: [train.py]\n-- aml_config/" + name + ".compute --\ntype: remotedocker\naddress: a\nusername: u\nbaseDockerImage: python:3.11\n"
	}
	checkWorked(t, []worked{{name: "machines", project: project, to: "v1", has: []string{
		".azureml/r0.runconfig: target: gpu-vm-2\n", ".azureml/r1.runconfig: target: gpu-vm\n", ".azureml/r2.runconfig: target: Own-GPU\n", ".azureml/r3.runconfig: target: the-machine-of\n", ".azureml/r4.runconfig: target: vm-a\n", ".azureml/r5.runconfig: target: vm-2gpu\n",
		"MIGRATION.md: az ml computetarget attach remote --name the-machine-of --address", "MIGRATION.md: r0: `gpu-vm-2`: names of compute targets are unique, have 2 to 16 letters, digits and dashes, and begin with a letter",
	}}, {name: "no machine", project: "-- train.py --\n-- aml_config/r.runconfig --\nArgumentVector: [train.py]\n-- aml_config/local.compute --\ntype: local\n", to: "v1", lacks: []string{".azureml/r.runconfig: target: job"}}})
}

// TestProseIsNoSecret checks that a word of a program's comments is not masked as a secret where it is the file's name.
func TestProseIsNoSecret(t *testing.T) {
	job := "from azureml.core import *\nScriptRunConfig('.', 'train.py', compute_target='c', environment=Environment('e'))\n-- train.py --\nprint(1)\n"
	checkWorked(t, []worked{
		{name: "a text by itself", project: "-- authentication.py --\n'''\nToken authentication\n'''\n" + job, has: []string{"job-authentication.yml: from authentication.py"}, lacks: []string{"job-authentication.yml: DECIDE"}},
		{name: "of a function", project: "-- authentication.py --\ndef f():\n    '''\n    Token authentication\n    '''\n" + job, lacks: []string{"job-authentication.yml: DECIDE"}},
	})
}

// TestAnswersCount checks that answers are used, and that nothing is asked whose answer would not be.
func TestAnswersCount(t *testing.T) {
	spark := "-- train.py --\nimport pyspark\n-- .azureml/job.runconfig --\nscript: train.py\nframework: PySpark\ntarget: hdi\n"
	docker := sdk("environment: {docker: {enabled: true, baseDockerfile: Dockerfile}, python: {userManagedDependencies: true}}") + "-- d/Own --\nFROM python:3.12\n"
	copies := builder + "a = DataTransferStep('A', f(), g(), compute_target='adf')\nb = PythonScriptStep(name='B', script_name='train.py', compute_target='cpu')\nPipeline(ws, [a, b])\n"
	byID := sdk("arguments: ['DatasetConsumptionConfig:a']\ndata:\n  a: {dataLocation: {dataset: {id: 01234567-89ab-cdef-0123-456789abcdef}}, mechanism: mount}")
	target := strings.ReplaceAll(sdk(""), "target: cpu", "target: ${CPU}")
	checkWorked(t, []worked{
		{name: "Spark", project: spark, answers: "spark-runtime=3.4", has: []string{"job-job.yml: runtime_version: '3.4'\n"}},
		{name: "Spark, no version", project: spark, answers: "spark-runtime=latest", fails: "spark-runtime=latest: write a version"},
		{name: "a Dockerfile", project: docker, open: "dockerfile"},
		{name: "a Dockerfile, answered", project: docker, answers: "dockerfile=d/Own", has: []string{"environment-cpu.yml: path: ../d\n", "environment-cpu.yml: dockerfile_path: Own\n"}},
		{name: "a Dockerfile, for Compose", to: "compose", project: docker, answers: "dockerfile=./d/Own", has: []string{"compose.yaml: dockerfile: Own\n"}},
		{name: "a Dockerfile that is not there", project: docker, answers: "dockerfile=d", fails: "dockerfile=d: there is no such file"},
		{name: "a copy", project: copies, answers: "target=cpu data-input_1=azureml:d:1", open: "script"},
		{name: "a copy, answered", project: copies, answers: "target=cpu data-input_1=azureml:d:1 script=score.py", has: []string{"job-pipe.yml: command: python score.py\n"}},
		{name: "a copy, no file", project: copies, answers: "target=cpu script=gone.py", fails: "there is no such file"},
		{name: "a dataset", project: byID, open: "data-a"},
		{name: "a dataset, for Compose", to: "compose", project: byID, open: "folder-a", lacks: []string{"MIGRATION.md: no reason"}},
		{name: "a dataset, for SkyPilot", to: "skypilot", project: byID, answers: "folder-a=x", has: []string{"task-job.yaml: ~/data/a': ../x\n"}},
		{name: "a target", project: target, open: "target"},
		{name: "a target, for Kubernetes", to: "k8s", project: target, has: []string{"MIGRATION.md: it runs where you start it"}},
	})
}

// TestMisspeltAnswers checks that an answer in the settings is named if it resembles a question that has no answer, and
// only then: others may be for another format.
func TestMisspeltAnswers(t *testing.T) {
	roots, err := schema.Discover([]string{testkit.Folder(t, "-- .azureml/a.runconfig --\ntarget: c\nframework: Python\n")})
	testkit.OK(t, err)
	answers := map[string]migrate.Answer{}
	for id, value := range map[string]string{"a/scrip": "train.py", "pyton": "3.11", "pythn": "3.11", "vm-size": "x", "python": "3.12"} {
		answers[id] = migrate.Answer{Value: value, From: ".amlfix.yaml"}
	}
	m, err := migrate.New(schema.Load(roots[0], schema.Options{}), v2.Emitter{}, migrate.Options{Answers: answers})
	testkit.OK(t, err)
	testkit.Same(t, []string{`.amlfix.yaml: "a/scrip" answers no decision of this project: did you mean script?`}, m.Misspelt)
}
