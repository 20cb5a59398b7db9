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
	})
}
