//go:build linux

package judge_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

const (
	job   = "command: python train.py\nenvironment: azureml:env@latest\n"
	spark = "type: spark\ncode: src\nentry: {file: train.py}\nresources: {instance_type: standard_e4s_v3, runtime_version: \"3.4\"}\n" +
		"conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g, spark.executor.instances: 2}\n"
	sparkNoConf  = "type: spark\ncode: src\nentry: {file: train.py}\nresources: {instance_type: standard_e4s_v3, runtime_version: \"3.4\"}\n"
	sparkNowhere = "type: spark\ncode: src\nentry: {file: train.py}\n" +
		"conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g, spark.executor.instances: 2}\n"
	environment = "name: env\n"
	cluster     = "name: gpu\ntype: amlcompute\n"
	machine     = "name: vm\ntype: virtualmachine\nresource_id: /subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm\n"
	pool        = "name: pool\ntype: synapsespark\nresource_id: /subscriptions/s/resourceGroups/g/providers/Microsoft.Synapse/workspaces/w/bigDataPools/p\n"
	parallel    = "type: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n  a:\n    type: parallel\n    mini_batch_size: '1'\n    input_data: ${{inputs.x}}\n    inputs: {x: {type: uri_folder, path: azureml:x:1}}\n" +
		"    task: {type: run_function, code: ., entry_script: s.py, environment: azureml:e:1}\n"
	pipeline = "type: pipeline\njobs:\n  a:\n    type: command\n    command: echo\n    environment: azureml:env@latest\n    compute: azureml:c\n"
)

const (
	yes = true
	no  = false
)

// theSame are files on which azure-ai-ml and amlfix must agree.
var theSame = []struct {
	kind   format.Kind
	ok     bool
	name   string
	prefix string
	more   string
}{
	{format.V2Command, yes, "least", job, ""},
	{format.V2Command, yes, "typed", job, "type: command\n"},
	{format.V2Command, no, "another type", job, "type: comand\n"},
	{format.V2Command, no, "unknown key", job, "comptue: azureml:c\n"},
	{format.V2Command, no, "workbench key", job, "Target: docker\n"},
	{format.V2Command, yes, "read-only keys", job, "status: Completed\ncreation_context: {created_by: me}\n"},
	{format.V2Command, no, "no command", "environment: azureml:env@latest\n", ""},
	{format.V2Command, no, "no environment", "command: echo\n", ""},
	{format.V2Command, no, "command as a list", "command: [python, train.py]\nenvironment: azureml:env@latest\n", ""},
	{format.V2Command, yes, "code", job, "code: src\n"},
	{format.V2Command, no, "type in capitals", job, "type: Command\n"},
	{format.V2Command, no, "environment without a prefix", "command: echo\n", "environment: sklearn\n"},
	{format.V2Command, yes, "compute without a prefix", job, "compute: gpu\n"},
	{format.V2Command, no, "name without a value", job, "name:\n"},
	{format.V2Command, no, "input without a value", job, "inputs: {a: }\n"},
	{format.V2Command, no, "number for a command", "command: 3\nenvironment: azureml:e:1\n", ""},
	{format.V2Command, no, "number for a tag", job, "tags: {a: 1}\n"},
	{format.V2Command, yes, "input without a type", job, "inputs: {a: {path: azureml:x:1, mode: download}, b: {path: azureml:x:1, mode: eval_mount}, c: {value: 3}}\n"},
	{format.V2Command, yes, "identity as v1 spells it", job, "identity: {type: UserIdentity}\n"},
	{format.V2Command, yes, "names", job, "name: a\ndisplay_name: b\nexperiment_name: c\ndescription: d\n"},
	{format.V2Command, no, "number for a name", job, "display_name: 3\n"},
	{format.V2Command, yes, "tags", job, "tags: {a: b, c: }\n"},
	{format.V2Command, no, "tags as a list", job, "tags: [a]\n"},
	{format.V2Command, yes, "variables", job, "environment_variables: {A: b, B: 1, C: true}\n"},
	{format.V2Command, no, "variables as a list", job, "environment_variables: [A=b]\n"},
	{format.V2Command, yes, "resources", job, "resources: {instance_count: 2, instance_type: Standard_NC4as_T4_v3, shm_size: 2g, docker_args: --ipc=host}\n"},
	{format.V2Command, yes, "docker_args as a list", job, "resources: {docker_args: [--ipc=host]}\n"},
	{format.V2Command, yes, "digits in quotes", job, "resources: {instance_count: \"2\"}\n"},
	{format.V2Command, no, "a word for a count", job, "resources: {instance_count: two}\n"},
	{format.V2Command, no, "resources of v1", job, "resources: {node_count: 2}\n"},
	{format.V2Command, yes, "mpi", job, "distribution: {type: mpi, process_count_per_instance: 2}\n"},
	{format.V2Command, no, "mpi of v1", job, "distribution: {type: mpi, processCountPerNode: 2}\n"},
	{format.V2Command, yes, "pytorch", job, "distribution: {type: PyTorch, process_count_per_instance: 2}\n"},
	{format.V2Command, yes, "tensorflow", job, "distribution: {type: tensorflow, worker_count: 2, parameter_server_count: 1}\n"},
	{format.V2Command, no, "tensorflow with another's key", job, "distribution: {type: tensorflow, process_count_per_instance: 2}\n"},
	{format.V2Command, no, "mpi with another's key", job, "distribution: {type: mpi, worker_count: 2}\n"},
	{format.V2Command, no, "distribution without type", job, "distribution: {process_count_per_instance: 2}\n"},
	{format.V2Command, no, "unknown distribution", job, "distribution: {type: horovod}\n"},
	{format.V2Command, yes, "limits", job, "limits: {timeout: 3600}\n"},
	{format.V2Command, no, "unknown limit", job, "limits: {time_out: 3600}\n"},
	{format.V2Command, yes, "queue", job, "queue_settings: {job_tier: Spot, priority: low}\n"},
	{format.V2Command, no, "unknown tier", job, "queue_settings: {job_tier: cheap}\n"},
	{format.V2Command, no, "priority of v1", job, "queue_settings: {priority: 10}\n"},
	{format.V2Command, yes, "inputs", job, "inputs:\n  a: {type: uri_folder, path: azureml://datastores/d/paths/p, mode: ro_mount}\n  b: 3\n  c: text\n  d: {type: mltable, path: azureml:t:1, mode: eval_mount}\n  e: {type: mlflow_model, path: azureml:m:1, mode: download}\n  f: {path: azureml:x:1, type: uri_file}\n  g: 0.5\n  h: true\n"},
	{format.V2Command, no, "mode of another type", job, "inputs:\n  a: {type: uri_folder, path: azureml:x:1, mode: eval_mount}\n"},
	{format.V2Command, no, "mode of an output", job, "inputs:\n  a: {type: uri_folder, path: azureml:x:1, mode: rw_mount}\n"},
	{format.V2Command, no, "unknown type of input", job, "inputs:\n  a: {type: folder, path: azureml:x:1}\n"},
	{format.V2Command, no, "unknown key of input", job, "inputs:\n  a: {type: uri_folder, url: azureml:x:1}\n"},
	{format.V2Command, yes, "outputs", job, "outputs:\n  a:\n  b: {type: uri_folder, mode: rw_mount, path: azureml://datastores/d/paths/p, name: n, version: 1}\n"},
	{format.V2Command, no, "mode of an input", job, "outputs:\n  a: {type: uri_folder, mode: ro_mount}\n"},
	{format.V2Command, yes, "managed identity", job, "identity: {type: managed, client_id: x}\n"},
	{format.V2Command, yes, "user identity", job, "identity: {type: user_identity}\n"},
	{format.V2Command, no, "identity with another's key", job, "identity: {type: user_identity, client_id: x}\n"},
	{format.V2Command, no, "unknown identity", job, "identity: {type: me}\n"},
	{format.V2Command, yes, "services", job, "services:\n  a: {type: jupyter_lab}\n  b: {type: tensor_board, log_dir: logs}\n  c: {type: ssh, ssh_public_keys: k}\n  d: {type: vs_code, nodes: all}\n"},
	{format.V2Command, no, "service with another's key", job, "services:\n  a: {type: vs_code, log_dir: logs}\n"},
	{format.V2Command, yes, "inline environment", "command: echo\n", "environment: {image: ubuntu, conda_file: conda.yml}\n"},
	{format.V2Command, yes, "environment in a file", "command: echo\n", "environment: file:environment.yml\n"},
	{format.V2Command, yes, "inline conda", "command: echo\n", "environment: {image: ubuntu, conda_file: {dependencies: [python=3.10]}}\n"},
	{format.V2Command, yes, "built environment", "command: echo\n", "environment: {build: {path: context}}\n"},
	{format.V2Command, no, "conda keys in the environment", "command: echo\n", "environment: {image: ubuntu, dependencies: [python=3.10]}\n"},
	{format.V2Command, yes, "registry", "command: echo\n", "environment: azureml://registries/azureml/environments/sklearn-1.5/labels/latest\n"},

	{format.V2Spark, yes, "least", spark, ""},
	{format.V2Spark, yes, "all", spark, "args: --a b\npy_files: [src/x.py]\ninputs:\n  a: {type: uri_file, path: azureml://datastores/d/paths/p, mode: direct}\noutputs:\n  o: {type: uri_folder, path: azureml://datastores/d/paths/p, mode: direct}\nidentity: {type: user_identity}\n"},
	{format.V2Spark, yes, "conda environment", spark, "environment: {image: ubuntu, conda_file: conda.yml}\n"},
	{format.V2Spark, no, "unknown key", spark, "command: x\n"},
	{format.V2Spark, no, "compute and resources", spark, "compute: azureml:pool\n"},
	{format.V2Spark, no, "no settings", sparkNoConf, ""},
	{format.V2Spark, no, "one setting lacks", sparkNoConf, "conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g}\n"},
	{format.V2Spark, yes, "growing", sparkNoConf, "conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g, spark.dynamicAllocation.enabled: true, spark.dynamicAllocation.minExecutors: 1, spark.dynamicAllocation.maxExecutors: 4}\n"},
	{format.V2Spark, no, "growing from none", sparkNoConf, "conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g, spark.dynamicAllocation.enabled: true, spark.dynamicAllocation.minExecutors: 0, spark.dynamicAllocation.maxExecutors: 4}\n"},
	{format.V2Spark, no, "shrinking", sparkNoConf, "conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g, spark.dynamicAllocation.enabled: true, spark.dynamicAllocation.minExecutors: 4, spark.dynamicAllocation.maxExecutors: 2}\n"},
	{format.V2Spark, no, "growing from more", sparkNoConf, "conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g, spark.dynamicAllocation.enabled: true, spark.dynamicAllocation.minExecutors: 1, spark.dynamicAllocation.maxExecutors: 2, spark.executor.instances: 3}\n"},
	{format.V2Spark, yes, "growing from a number", sparkNoConf, "conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g, spark.dynamicAllocation.enabled: true, spark.dynamicAllocation.minExecutors: 1, spark.dynamicAllocation.maxExecutors: 3, spark.executor.instances: 3}\n"},
	{format.V2Spark, no, "growing without bounds", sparkNoConf, "conf: {spark.driver.cores: 1, spark.driver.memory: 2g, spark.executor.cores: 2, spark.executor.memory: 2g, spark.executor.instances: 1, spark.dynamicAllocation.enabled: true}\n"},
	{format.V2Spark, no, "mounted input", spark, "inputs:\n  a: {type: uri_file, path: azureml://datastores/d/paths/p, mode: ro_mount}\n"},
	{format.V2Spark, no, "no mode", spark, "inputs: {a: {type: uri_file, path: azureml:x:1}}\n"},
	{format.V2Spark, no, "nowhere", sparkNowhere, ""},
	{format.V2Spark, no, "machine for something else", sparkNowhere, "resources: {instance_type: Standard_NC6, runtime_version: \"3.4\"}\n"},
	{format.V2Spark, no, "no machine", sparkNowhere, "resources: {runtime_version: \"3.4\"}\n"},
	{format.V2Spark, yes, "memory in another unit", sparkNoConf, "conf: {spark.driver.cores: 1, spark.driver.memory: 2gb, spark.executor.cores: 2, spark.executor.memory: 2g, spark.executor.instances: 2}\n"},
	{format.V2Spark, no, "twice", spark, "jars: [a.jar, a.jar]\n"},
	{format.V2Spark, no, "args as a list", spark, "args: [a]\n"},

	{format.V2Environment, yes, "image", environment, "image: ubuntu\n"},
	{format.V2Environment, yes, "image and conda", environment, "version: 3\nimage: ubuntu\nconda_file: conda.yml\ndescription: x\ntags: {a: b}\n"},
	{format.V2Environment, yes, "version as a number", environment, "image: ubuntu\nversion: 1.0\ntags: {a: 1}\n"},
	{format.V2Environment, yes, "build", environment, "build: {path: context, dockerfile_path: Dockerfile}\n"},
	{format.V2Environment, no, "a conda file", "name: env\nchannels: [conda-forge]\ndependencies: [python=3.10]\n", ""},
	{format.V2Environment, no, "dependencies at the top", environment, "image: ubuntu\ndependencies: [python=3.10]\n"},
	{format.V2Environment, no, "key of v1", environment, "baseImage: ubuntu\n"},
	{format.V2Environment, no, "unknown system", environment, "image: ubuntu\nos_type: macos\n"},
	{format.V2Environment, yes, "system in capitals", environment, "image: ubuntu\nos_type: Linux\n"},

	{format.V2Compute, yes, "least cluster", cluster, ""},
	{format.V2Compute, yes, "cluster", cluster, "size: Standard_NC4as_T4_v3\nmin_instances: 0\nmax_instances: 2\ntier: low_priority\nidle_time_before_scale_down: 300\nidentity: {type: system_assigned}\nlocation: westeurope\n"},
	{format.V2Compute, no, "tier of v1", cluster, "tier: lowpriority1\n"},
	{format.V2Compute, no, "size of v1", cluster, "vm_size: Standard_NC6\n"},
	{format.V2Compute, no, "no type", "name: a\n", ""},
	{format.V2Compute, no, "cluster of Workbench", "name: a\ntype: remotedocker\n", ""},
	{format.V2Compute, yes, "type in capitals", "name: a\ntype: AmlCompute\n", ""},
	{format.V2Compute, no, "tier as v1 spells it", cluster, "tier: lowpriority\n"},
	{format.V2Compute, yes, "switches in words", cluster, "enable_node_public_ip: yes\nssh_public_access_enabled: \"no\"\n"},
	{format.V2Compute, no, "switch in other words", cluster, "enable_node_public_ip: never\n"},
	{format.V2Compute, yes, "identity in capitals", cluster, "identity: {type: SystemAssigned}\n"},
	{format.V2Compute, yes, "kubernetes without a namespace", "name: k\ntype: kubernetes\nresource_id: /subscriptions/s\n", ""},
	{format.V2Compute, yes, "machine", machine, "ssh_settings: {admin_username: u, ssh_port: 22, ssh_private_key_file: key}\n"},
	{format.V2Compute, no, "machine by address", "name: vm\ntype: virtualmachine\naddress: 10.0.0.1\n", ""},
	{format.V2Compute, no, "machine with a cluster's key", machine, "min_instances: 1\n"},
	{format.V2Compute, yes, "pool", pool, "identity: {type: system_assigned}\n"},
	{format.V2Compute, yes, "kubernetes", "name: k\ntype: kubernetes\nnamespace: default\n", "resource_id: /subscriptions/s\n"},
	{format.V2Compute, yes, "workstation", "name: w\ntype: computeinstance\nsize: Standard_DS3_v2\n", ""},

	{format.V2Pipeline, yes, "least", pipeline, ""},
	{format.V2Pipeline, yes, "settings", pipeline, "settings: {default_compute: azureml:c, continue_on_step_failure: true}\nexperiment_name: e\n"},
	{format.V2Pipeline, no, "unknown key", pipeline, "nodes: {}\n"},
	{format.V2Pipeline, no, "a number for a switch", pipeline, "settings: {continue_on_step_failure: 2}\n"},
	{format.V2Pipeline, yes, "one for a switch", pipeline, "settings: {continue_on_step_failure: 0x1}\n"},
	{format.V2Pipeline, no, "a level in lower case", parallel, "    logging_level: info\n"},
	{format.V2Pipeline, yes, "a level in capitals", parallel, "    logging_level: INFO\n"},
}

// Reasons that several files share.
const (
	exclusive = "the reference says that an environment has image or build, and conda_file only with image; the client leaves that to the service"
	given     = "--name gives it on the command line"
	beside    = "files beside this one are the rules' business (ref/*), not the schema's"
)

// apart are files on which azure-ai-ml and amlfix differ, each with the reason.
var apart = []struct {
	kind        format.Kind
	azure, ours bool
	name, text  string
	why         string
}{
	{format.V2Command, yes, no, "image and build", "command: echo\nenvironment: {image: ubuntu, build: {path: context}}\n", exclusive},
	{format.V2Environment, yes, no, "image and build", environment + "image: ubuntu\nbuild: {path: context}\n", exclusive},
	{format.V2Environment, yes, no, "build and conda file", environment + "build: {path: context}\nconda_file: conda.yml\n", exclusive},
	{format.V2Environment, yes, no, "nothing to run in", environment, exclusive},
	{format.V2Command, yes, no, "nothing to run in", "command: echo\nenvironment: {conda_file: conda.yml}\n", exclusive},
	{format.V2Command, yes, no, "size of shared memory", job + "resources: {shm_size: 2 GB}\n", "the reference documents a number and one letter; the client passes any text on to docker run"},
	{format.V2Command, yes, no, "half a node", job + "resources: {instance_count: 1.5}\n", "the client cuts the fraction off without a word"},
	{format.V2Environment, no, yes, "no name", "image: ubuntu\n", given},
	{format.V2Compute, no, yes, "no name", "type: amlcompute\n", given},
	{format.V2Environment, no, yes, "missing conda file", environment + "image: ubuntu\nconda_file: lost.yml\n", beside},
	{format.V2Environment, no, yes, "missing build folder", environment + "build: {path: lost}\n", beside},
	{format.V2Command, no, yes, "missing code folder", job + "code: nowhere\n", beside},
}

// put writes text to a file next to what v2 files refer to, and returns its path.
func put(t *testing.T, text string) string {
	t.Helper()
	return filepath.Join(testkit.Lay(t, map[string]string{
		"src/train.py": "", "src/x.py": "", "conda.yml": "dependencies: [python=3.10]\n", "context/Dockerfile": "FROM ubuntu\n",
		"environment.yml": "name: env\nimage: ubuntu\n", "file.yml": text,
	}), "file.yml")
}

func reader(kind format.Kind) judge.Kind {
	switch kind {
	case format.V2Environment:
		return judge.Environment
	case format.V2Compute:
		return judge.Compute
	}
	return judge.Job
}

// validate returns what amlfix's schemas find in a text.
func validate(kind format.Kind, text string) (found []string) {
	src := source.New("file.yml", []byte(text))
	for _, f := range format.Validate(kind, src, document.Parse(src).Root()) {
		found = append(found, f.Message)
	}
	return found
}

// opinions returns whether azure-ai-ml and amlfix accept a file.
func opinions(t *testing.T, kind format.Kind, text string) (azure judge.Verdict, ours bool) {
	t.Helper()
	src := source.New("file.yml", []byte(text))
	ours = !slices.ContainsFunc(format.Validate(kind, src, document.Parse(src).Root()), func(f finding.Finding) bool { return f.Severity > finding.Info })
	return judge.Ask(t, reader(kind), put(t, text)), ours
}

// TestSchemasAgreeWithAzure checks valid and invalid files with the Azure ML client and with the schemas.
func TestSchemasAgreeWithAzure(t *testing.T) {
	t.Parallel()
	for _, c := range theSame {
		t.Run(string(c.kind)+"/"+c.name, func(t *testing.T) {
			azure, ours := opinions(t, c.kind, c.prefix+c.more)
			if azure.Accepted != c.ok || ours != c.ok {
				t.Errorf("want %v, amlfix says %v, azure-ai-ml: %v\n%s\n%v", c.ok, ours, azure, c.prefix+c.more, validate(c.kind, c.prefix+c.more))
			}
		})
	}
}

// TestWhereSchemasDifferFromAzure checks that each recorded difference still exists.
func TestWhereSchemasDifferFromAzure(t *testing.T) {
	t.Parallel()
	for _, c := range apart {
		t.Run(string(c.kind)+"/"+c.name, func(t *testing.T) {
			azure, ours := opinions(t, c.kind, c.text)
			if azure.Accepted != c.azure || ours != c.ours {
				t.Errorf("want azure %v and amlfix %v (%s), got %v and %v: %v", c.azure, c.ours, c.why, azure.Accepted, ours, azure)
			}
		})
	}
}
