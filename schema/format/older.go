package format

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// olderKeys are the names that SDK v1, its run configurations and CLI v1 have for keys of v2, and what v2 calls them in
// different places, best first. The sources are the signatures of azureml-core 1.60.0 (AmlCompute, ScriptRunConfig,
// InferenceConfig, HyperDriveConfig, ParallelRunConfig, AutoMLConfig) and Microsoft's table of SDK v1 and v2,
// migrate-to-v2. The last ones are the names of other programs: Docker Compose's build, torchrun's options, the probes
// and replicas of Kubernetes, the arguments of training scripts, and the SKU of Azure's other resources.
func olderKeys() map[string]string {
	return map[string]string{ //nolint:gosec // token is the name of a key
		"compute_target": "compute", "target": "compute", "cluster": "compute",
		"vm_size": "size instance_type", "vm_priority": "tier", "max_nodes": "max_instances", "min_nodes": "min_instances",
		"idle_seconds_before_scaledown": "idle_time_before_scale_down",
		"source_directory":              "code", "experiment": "experiment_name", "node_count": "instance_count", "distributed_job_config": "distribution",
		"entry_script": "scoring_script", "execution_script": "scoring_script",
		"conda_dependencies": "conda_file", "conda_dependencies_file": "conda_file", "base_image": "image", "docker_image": "image",
		"primary_metric_name": "primary_metric", "primary_metric_goal": "goal", "policy": "early_termination",
		"error_threshold": "mini_batch_error_threshold", "append_row_file_name": "output_file_name", "job_service_type": "type",
		"max_trials": "max_total_trials", "max_total_trials": "max_trials", // of AutoML and sweeps
		"label_column_name": "target_column_name", "iterations": "max_trials", "max_concurrent_iterations": "max_concurrent_trials",
		"experiment_timeout_minutes": "timeout_minutes", "iteration_timeout_minutes": "trial_timeout_minutes", "enable_early_stopping": "enable_early_termination",
		"experiment_exit_score": "exit_score", "allowed_models": "allowed_training_algorithms", "blocked_models": "blocked_training_algorithms",
		"local_path": "path", "asset_path": "path", "job_type": "type", "spec": "type", "process_count_per_node": "process_count_per_instance",
		"max_total_runs": "max_total_trials", "max_concurrent_runs": "max_concurrent_trials", // of the previews
		"resource_requirements": "resources", "configuration": "conf",
		"context": "path", "dockerfile": "dockerfile_path",
		"nproc_per_node": "process_count_per_instance", "processes_per_node": "process_count_per_instance", "nnodes": "instance_count", "num_nodes": "instance_count", "nodes": "instance_count",
		"initial_delay_seconds": "initial_delay", "period_seconds": "period", "timeout_seconds": "timeout", "replicas": "instance_count",
		"min_replicas": "min_instances", "max_replicas": "max_instances", "env_variables": "environment_variables", "env_vars": "environment_variables",
		"epochs": "number_of_epochs", "num_epochs": "number_of_epochs", "lr": "learning_rate", "batch_size": "training_batch_size",
		"resource_id": "target", "region": "location", "sku": "instance_type size", "uri": "path", "url": "path", "model_path": "path", "cron": "expression",
		"cron_expression": "expression", "schedule": "expression", "api_base": "azure_endpoint", "token": "pat sas_token", "alert_thresholds": "metric_thresholds",
	}
}

// older returns the key of v2 that has the meaning of an unknown key of SDK v1, if the mapping does not have it yet.
func (p *place) older(name string) (near suggestion) {
	for _, key := range strings.Fields(olderKeys()[plain.SnakeCase(name)]) {
		if p.schema.Properties[key] != nil && !p.has(key) && fits(p, key, name) {
			return suggestion{word: key, distance: len(key)}
		}
	}
	return near
}

// phrases say what to write instead of keys that v2 has in another form: on each line the keys, a key that the mapping
// must allow, and the phrase. resource_requirements, defaults and those of Spark are names of the Python SDK v2; the
// timeouts in minutes are AutoML's.
const phrases = `
script | command | write command, with the program, the script and its arguments
arguments | command | write them in command, after the script
node_count | resources | write instance_count, under resources
resource_requirements | instance_type | remove it, because the VM size decides the CPUs, the GPUs and the memory
traffic | endpoint_name | remove it; when the deployment exists, az ml online-endpoint update --traffic sends calls to it
instance_type sku model | auth_mode | it belongs in the file of the deployment, where the machine is instance_type
autoscale_settings | endpoint_name | remove it, and scale the deployment with az monitor autoscale create
compute | component | write default_compute, under settings
compute | endpoint_name | remove it, because the endpoint's file names it; a deployment on Kubernetes has type: kubernetes
path | optional | a component only declares its inputs; the job that runs it gives the path
path | failure_threshold | remove it; inference_config of the environment names the routes
value | optional | a component only declares its inputs; write default, or give the value in the job that runs it
defaults | settings | write settings, with default_compute
steps | jobs | write jobs, with a name for each job under it
depends_on needs | outputs | jobs wait for data only; pass an output of the other job to an input of this one
auth_mode | endpoint_name | it belongs in the file of the endpoint
scale_settings | idle_time_before_scale_down | write min_instances, max_instances and idle_time_before_scale_down outside it
env env_vars environment_variables | inference_config | it belongs in the job or the deployment that uses the environment, as environment_variables
settings | output_action | only a deployment with type: model has them there; write type: model, or the settings outside
dockerfile context | build | write build, with path, the folder that is sent to Docker, and dockerfile_path under it
pip pip_requirements python_version requirements python packages | conda_file | write the packages to a conda file, and its path to conda_file
epochs num_epochs | training_parameters | write number_of_epochs, under training_parameters
lr | training_parameters | write learning_rate, under training_parameters
batch_size | training_parameters | write training_batch_size, under training_parameters
limits requests gpus gpu cpu memory | shm_size | remove it, because the VM size decides the CPUs, the GPUs and the memory
instance_count | resources | write it under resources
driver_cores driver_memory executor_cores executor_memory executor_instances dynamic_allocation_enabled | conf | write it under conf, by Spark's own name, such as spark.driver.cores or spark.dynamicAllocation.enabled
variant_info is_archived | name | only the tools of azureml-assets read it, so remove it for az ml
features source | specification | it belongs in FeatureSetSpec.yaml, in the folder that specification.path names
feature_store | specification | remove it; az ml feature-set create takes --feature-store-name
materialization | materialization_settings | write materialization_settings, with offline_enabled or online_enabled
training_parameters | training | write training for tables; training_parameters is for images and texts
drop_columns | blocked_transformers | write it in the file MLTable of the data, under transformations
all_features | top_n_feature_importance | write features: all_features
window_size window_offset | path_on_compute | write data_window, next to input_data
type | trigger | it is the type of the trigger: write it under trigger, indented
required | optional | write optional: true if the input may be left out
timeout_minutes | timeout | write timeout, in seconds
trial_timeout_minutes | trial_timeout | write trial_timeout, in seconds
`

// phrase returns what replaces an unknown key, or "".
func (p *place) phrase(name string) string {
	key := plain.SnakeCase(name)
	for line := range strings.Lines(phrases) {
		keys, rest, _ := strings.Cut(line, " | ")
		if above, phrase, _ := strings.Cut(rest, " | "); strings.Contains(" "+keys+" ", " "+key+" ") && p.schema.Properties[above] != nil {
			return strings.TrimSpace(phrase)
		}
	}
	if p.name == "create_job" {
		for _, kind := range []string{"commandJob", "pipelineJob", "sparkJob"} {
			if job := definition(kind); job != nil && job.Properties[name] != nil {
				return "write it in the file of the job"
			}
		}
	}
	if kind, ok := strings.CutSuffix(annotationOf(p.schema).Is, " component"); ok {
		if job := definition(strings.ToLower(kind) + "Job"); job != nil && job.Properties[name] != nil {
			return "write it in the job that runs the component"
		}
	}
	return ""
}
