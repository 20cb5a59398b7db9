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
	{"compute", "reference target published", workstation + "custom_applications:\n  - name: a\n    image:\n      reference: x/y\n    endpoints:\n      -\n        target: 8080\n        published: 8080\n"},
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
		kind := format.Kind("v2-" + strings.ReplaceAll(c.loader, "_", "-"))
		agree := func(want bool, text string) {
			t.Helper()
			src := source.New("file.yml", []byte(text))
			ours := format.Validate(kind, src, document.Parse(src).Root())
			azure := judge.Ask(t, judge.Kind("load_"+c.loader), put(t, text))
			if azure.Accepted != want || (len(ours) == 0) != want {
				t.Errorf("want %v, amlfix finds %v, azure-ai-ml: %v\n%s", want, ours, azure, text)
			}
		}
		agree(true, c.text)
		for key := range strings.FieldsSeq(c.keys) {
			// The last one is meant, with what is below it. Its line may begin an item of a list.
			all := regexp.MustCompile(`(?m)^( *)`+key+`:.*\n`).FindAllStringSubmatchIndex(c.text, -1)
			at := all[len(all)-1]
			below := regexp.MustCompile(`^(?:` + c.text[at[2]:at[3]] + ` .*\n)*`).FindString(c.text[at[1]:])
			agree(false, c.text[:at[0]]+c.text[at[1]+len(below):])
		}
	}
}
