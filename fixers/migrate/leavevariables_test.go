package migrate_test

import "testing"

// TestVariablesOfV2 checks that expressions in variables of v2 jobs are replaced outside Azure, as Azure ML does it.
func TestVariablesOfV2(t *testing.T) {
	job := func(variables string) string {
		return v2Job("command: python train.py ${{inputs.n}}\ninputs: {n: 1, t: {type: string}, d: {type: uri_folder, path: azureml:d@latest}}\nenvironment_variables: " + variables + "\n")
	}
	checkWorked(t, []worked{
		{name: "values and paths", project: job("{A: \"it's ${{inputs.n}}\", B: \"${{inputs.d}}/x y\", C: plain}"), to: "compose", open: "folder-d",
			has: []string{`compose.yaml: export A='it'\''s '1; export B=/data/d'/x y'; python train.py 1`, "compose.yaml:       C: plain\n"}, lacks: []string{"compose.yaml: inputs."}},
		{name: "a value that is asked for", project: job("{A: \"${{inputs.t}}\"}"), to: "k8s", answers: "input-t=x folder-d=d", has: []string{"job-job.yaml: export A=x; python train.py 1"}},
		{name: "an unknown expression", project: job("{A: \"${{x.y}}\"}"), to: "k8s", open: "value-a folder-d"},
		{name: "a secret", project: job("{API_KEY: \"${{secrets.k}}\"}"), to: "compose", open: "folder-d", has: []string{"compose.yaml: API_KEY: ${API_KEY:?", "MIGRATION.md: a variable that you set: its value is a secret"}, lacks: []string{"compose.yaml: secrets."}},
		{name: "a secret of SDK v1, for Compose", project: sdk("environmentVariables: {STORAGE_ACCOUNT_KEY: abc}"), to: "compose", has: []string{"MIGRATION.md: | mapped | a variable that you set: its value was not copied |"}, lacks: []string{"MIGRATION.md: no equivalent"}},
		{name: "a secret of SDK v1, for Kubernetes", project: sdk("environmentVariables: {STORAGE_ACCOUNT_KEY: abc}"), to: "k8s", has: []string{"MIGRATION.md: | mapped | a variable that you set: its value was not copied |"}, lacks: []string{"MIGRATION.md: no equivalent"}},
	})
}

// TestOverriddenScale checks that the audit says why what a component says of its machines and processes is not used.
func TestOverriddenScale(t *testing.T) {
	const scale = "resources: {instance_count: 2, shm_size: 4g}\ndistribution: {type: mpi, process_count_per_instance: 3}\n"
	component := "-- c.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json\ntype: command\nname: c\nversion: 1\ncommand: echo\nenvironment: {image: \"python:3.12\"}\n" + scale
	step := "  two:\n    type: command\n    component: c.yml\n    resources: {instance_count: 1, shm_size: 1g}\n    distribution: {type: pytorch, process_count_per_instance: 1}\n"
	var reasons []string
	for _, key := range []string{"resources.instance_count` | `2", "resources.shm_size` | `4g", "distribution.type` | `mpi", "distribution.process_count_per_instance` | `3"} {
		reasons = append(reasons, "MIGRATION.md: "+key+"` | dropped | the step sets its own value |")
	}
	checkWorked(t, []worked{{name: "overridden", project: v2Steps(step) + component, to: "compose", has: reasons}})
}
