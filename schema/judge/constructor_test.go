//go:build linux

package judge_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/source"
)

const (
	monitor = "name: m\ntrigger: {type: recurrence, frequency: day, interval: 1}\ncreate_monitor:\n" +
		"  compute:\n    instance_type: standard_e4s_v3\n    runtime_version: \"3.4\"\n" +
		"  monitoring_target: {ml_task: classification, endpoint_deployment_id: azureml:e:blue}\n"
	observed    = "      production_data:\n        input_data: {type: mltable, path: azureml:x:1}\n"
	reference   = "      reference_data:\n        input_data: {type: mltable, path: azureml:x:1}\n"
	signal      = monitor + "  monitoring_signals:\n    s:\n      type: "
	workstation = "name: w\ntype: computeinstance\n"
	learning    = "type: automl\nexperiment_name: e\ncompute: azureml:c\nprimary_metric: accuracy\ntarget_column_name: y\n" +
		"training_data: {type: mltable, path: azureml:t:1}\nvalidation_data: {type: mltable, path: azureml:t:1}\n" +
		"sweep:\n  sampling_algorithm: random\n  early_termination: {type: bandit, slack_factor: 0.1}\ntask: "
	sweeping = "type: sweep\ncompute: azureml:c\ntrial: {command: echo, environment: azureml:e:1}\nobjective: {goal: minimize, primary_metric: a}\n" +
		"limits: {max_total_trials: 2}\nsearch_space:\n  lr: {type: uniform, min_value: 0, max_value: 1}\n"
	endpoint   = "name: one\nauth_mode: key\n"
	kubernetes = "name: blue\nendpoint_name: one\ntype: kubernetes\ncode_configuration: {code: src, scoring_script: train.py}\n"
	connection = "name: c\ntarget: https://example.com/\ntype: "
)

// constructed are complete files, and keys that only a constructor of azure-ai-ml requires.
var constructed = []struct{ loader, keys, text string }{
	{"schedule", "compute instance_type runtime_version", monitor},
	{"schedule", "metric_thresholds input_data", signal + "prediction_drift\n" + reference + "      metric_thresholds:\n        numerical: {jensen_shannon_distance: 0.1}\n"},
	{"schedule", "reference_data metric_thresholds", signal + "feature_attribution_drift\n" + reference + "      metric_thresholds: {normalized_discounted_cumulative_gain: 0.9}\n"},
	{"schedule", "production_data reference_data metric_thresholds", signal + "model_performance\n" + observed + reference + "      metric_thresholds:\n        classification: {accuracy: 0.9}\n"},
	{"schedule", "component_id metric_thresholds metric_name", signal + "custom\n      component_id: azureml:c:1\n      metric_thresholds:\n        - threshold: 1\n          metric_name: a\n"},
	{"compute", "admin_username", cluster + "ssh_settings:\n  ssh_key_value: k\n  admin_username: u\n"},
	{"compute", "type", cluster + "identity:\n  user_assigned_identities: [{resource_id: /subscriptions/s}]\n  type: user_assigned\n"},
	{"compute", "admin_username", machine + "ssh_settings:\n  ssh_port: 22\n  admin_username: u\n  ssh_private_key_file: key\n"},
	{"compute", "user_tenant_id user_object_id", workstation + "create_on_behalf_of:\n  user_tenant_id: t\n  user_object_id: o\n"},
	{"job", "search_space", sweeping},
	{"compute", "image endpoints reference target published", workstation + "custom_applications:\n  - name: a\n    image:\n      reference: x/y\n    endpoints:\n      -\n        target: 8080\n        published: 8080\n"},
	{"compute", "interval hours minutes", workstation + "schedules:\n  compute_start_stop:\n    - action: stop\n      trigger:\n        type: recurrence\n" +
		"        frequency: day\n        interval: 1\n        schedule:\n          hours: [1]\n          minutes: [1]\n"},
	{"workspace", "isolation_mode", "name: w\nlocation: eastus\nmanaged_network:\n  outbound_rules: []\n  isolation_mode: allow_internet_outbound\n"},
	{"online_deployment", "collections", "name: blue\nendpoint_name: one\nmodel: azureml:m:1\ninstance_type: Standard_DS3_v2\ninstance_count: 1\n" +
		"data_collector:\n  sampling_rate: 0.5\n  collections:\n    model_inputs: {enabled: \"true\"}\n"},
	{"model_batch_deployment", "mini_batch_size", "name: b\nendpoint_name: one\ntype: model\nmodel: azureml:m:1\ncompute: azureml:c\n" +
		"settings:\n  max_concurrency_per_instance: 2\n  mini_batch_size: 2\n"},
	{"job", "sampling_algorithm", learning + "image_classification\n"},
	{"job", "sampling_algorithm", learning + "text_classification\n"},
	{"job", "stack_meta_learner_type", "type: automl\nexperiment_name: e\ncompute: azureml:c\ntask: classification\nprimary_metric: accuracy\n" +
		"target_column_name: y\ntraining_data: {type: mltable, path: azureml:t:1}\ntraining:\n  stack_ensemble_settings:\n" +
		"    stack_meta_learner_train_percentage: 0.3\n    stack_meta_learner_type: light_gbm_classifier\n"},
	{"connection", "azure_endpoint", "name: c\ntype: azure_open_ai\napi_key: k\nazure_endpoint: https://example.com/\n"},
	{"connection", "endpoint", "name: c\ntype: serverless\napi_key: k\nendpoint: https://example.com/\n"},
	{"connection", "pat", connection + "git\ncredentials:\n  type: pat\n  pat: p\n"},
	{"connection", "password", connection + "python_feed\ncredentials:\n  type: username_password\n  username: u\n  password: p\n"},
	{"connection", "access_key_id secret_access_key", connection + "s3\ncredentials:\n  type: access_key\n  access_key_id: a\n  secret_access_key: s\n"},
}

// TestConstructors removes each key that a constructor of azure-ai-ml requires: neither accepts the file without it.
func TestConstructors(t *testing.T) {
	t.Parallel()
	for _, c := range constructed {
		agreeOn(t, c.loader, true, c.text)
		for key := range strings.FieldsSeq(c.keys) {
			// The last one is meant, with what is below it. Its line may begin an item of a list.
			all := regexp.MustCompile(`(?m)^( *)`+key+`:.*\n`).FindAllStringSubmatchIndex(c.text, -1)
			at := all[len(all)-1]
			below := regexp.MustCompile(`^(?:` + c.text[at[2]:at[3]] + ` .*\n)*`).FindString(c.text[at[1]:])
			agreeOn(t, c.loader, false, c.text[:at[0]]+c.text[at[1]+len(below):])
		}
	}
}

// refused are complete files, and lines that a constructor or a check of azure-ai-ml rejects although its schema has
// them.
var refused = []struct{ loader, text, more string }{
	{"job", job, "outputs: {o: {type: uri_folder, version: \"2\"}}\n"},
	{"job", pipeline, "outputs: {o: {type: uri_folder, version: \"2\"}}\n"},
	{"job", pipeline, "    outputs: {o: {type: uri_folder, version: \"2\"}}\n"},
	{"job", job, "identity: {type: managed, msi_resource_id: /subscriptions/s}\n"},
	{"job", learning + "image_classification\n", "test_data_size: 0.2\n"},
	{"job", strings.Replace(learning, "sweep:\n  sampling_algorithm: random\n  early_termination: {type: bandit, slack_factor: 0.1}\n", "", 1) + "classification\n",
		"featurization: {mode: custom, transformer_params: {imputr: [{fields: [a], parameters: {strategy: median}}]}}\n"},
	{"job", "type: finetuning\nmodel_provider: custom\ntask: chat_completion\nmodel: {path: azureml:m:1, type: mlflow_model}\ntraining_data: azureml:t:1\n", "identity: {type: user_identity}\n"},
	{"model_batch_deployment", "name: b\nendpoint_name: one\ntype: model\nmodel: azureml:m:1\ncompute: azureml:c\nresources: {instance_count: 2}\n", "settings: {mini_batch_size: 2, instance_count: 1}\n"},
	{"batch_endpoint", "name: one\n", "identity: {type: system_assigned}\n"},
	{"online_endpoint", endpoint, "identity: {type: user_assigned, user_assigned_identities: [{resource_id: /subscriptions/a}, {resource_id: /subscriptions/b}]}\n"},
	{"online_deployment", kubernetes + "model: azureml:m:1\n", "environment: azureml://registries/azureml/environments/sklearn-1.5/versions/1\n"},
	{"online_deployment", kubernetes + "environment: azureml:e:1\n", "model: azureml://registries/azureml/models/m/versions/1\n"},
}

// TestRefused adds each line that azure-ai-ml rejects: neither accepts the file with it.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range refused {
		agreeOn(t, c.loader, true, c.text)
		agreeOn(t, c.loader, false, c.text+c.more)
	}
}

// agreeOn checks that azure-ai-ml and amlfix both accept a file, or both reject it.
func agreeOn(t *testing.T, loader string, want bool, text string) {
	t.Helper()
	src := source.New("file.yml", []byte(text))
	ours := format.Validate(format.Kind("v2-"+strings.ReplaceAll(loader, "_", "-")), src, document.Parse(src).Root())
	azure := judge.Ask(t, judge.Kind("load_"+loader), put(t, text))
	if azure.Accepted != want || (len(ours) == 0) != want {
		t.Errorf("want %v, amlfix finds %v, azure-ai-ml: %v\n%s", want, ours, azure, text)
	}
}
