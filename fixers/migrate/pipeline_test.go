package migrate_test

import (
	"strings"
	"testing"
)

// TestPipelines checks that a YAML pipeline in any form becomes a pipeline job, and that one with steps other than
// scripts is skipped with the reason.
func TestPipelines(t *testing.T) {
	const steps = "pipeline:\n  default_compute: cpu\n  steps:\n    one:\n      type: PythonScriptStep\n      script_name: train.py\n      runconfig: .azureml/job.runconfig\n      outputs:\n        out: {destination: made}\n" +
		"    two:\n      type: PythonScriptStep\n      script_name: train.py\n      runconfig: .azureml/job\n      inputs:\n        in: {source: made}\n      arguments: ['--in', 'input:in']\n"
	project := func(pipeline string) string {
		return strings.ReplaceAll(sdk(""), "script: train.py\n", "") + "-- p.yml --\n" + pipeline
	}
	with := func(old, text string) string { return project(strings.Replace(steps, old, text, 1)) }
	written := []string{"job-p.yml: type: pipeline\n", "job-p.yml: in: ${{parent.jobs.one.outputs.out}}\n", "job-p.yml: command: python train.py --in ${{inputs.in}}\n", "job-p.yml: compute: azureml:cpu\n"}
	const report = "MIGRATION.md: "
	refused := func(text string) []string {
		return []string{report + "a pipeline job (type: pipeline) with a command component for each step; not written, because p.yml:" + text}
	}
	checkWorked(t, []worked{
		{name: "as documented", project: project(steps), has: written, lacks: []string{report + "job-job.yml", report + "| p.yml | a pipeline"}},
		{name: "its run configuration is a job, too", project: project(steps) + "-- run.sh --\naz ml run submit-script -c job train.py\n", has: append(written, "job-job.yml: type: command\n")},
		{name: "CRLF", project: project(strings.ReplaceAll(steps, "\n", "\r\n")), has: written},
		{name: "a byte order mark", project: project("\ufeff" + steps), has: written},
		{name: "flow style", project: project("pipeline: {default_compute: cpu, steps: {one: {type: PythonScriptStep, script_name: train.py, outputs: {out: {destination: made}}}, two: {type: PythonScriptStep, script_name: train.py, inputs: {in: {source: made}}, arguments: [--in, 'input:in']}}}\n"), has: written},
		{name: "several documents", project: project(steps + "---\nmore: 1\n"), has: []string{report + "| p.yml | an SDK v1 pipeline"}},
		{name: "names that v2 does not have", project: with("    two:", "    2 Two!:"), has: []string{"job-p.yml:   step_2_two_:\n"}},
		{name: "no compute target", project: with("  default_compute: cpu\n", ""), has: []string{"job-p.yml: compute: azureml:cpu\n"}},
		{name: "this computer", project: with("default_compute: cpu", "default_compute: local"), open: "target", has: []string{"job-p.yml: compute: azureml:DECIDE\n"}},
		{name: "a script that is gone", project: with("script_name: train.py", "script_name: gone.py"), open: "script", has: []string{"job-p.yml: # DECIDE: the script is not in the project"}},
		{name: "a script that will be there", project: with("script_name: train.py", "script_name: gone.py"), answers: "p-one/script=gone.py"},
		{name: "always run", project: with("outputs:", "allow_reuse: false\n      outputs:"), has: []string{"job-p.yml: force_rerun: true\n"}},
		{name: "reused", project: with("outputs:", "allow_reuse: true\n      outputs:"), lacks: []string{"job-p.yml: force_rerun"}},
		{name: "a key that nothing read", project: with("outputs:", "retries: 3\n      outputs:"), has: []string{report + "not a key that `Pipeline.load_yaml` read (p.yml:8)"}},
		{name: "another kind of step", project: with("PythonScriptStep", "AdlaStep"), has: refused("5 has a step that is not a PythonScriptStep")},
		{name: "parameters of the run configuration", project: with("outputs:", "runconfig_parameters: {NodeCount: {source: N}}\n      outputs:"), has: refused("8 has `runconfig_parameters`")},
		{name: "no such run configuration", project: with(".azureml/job.runconfig", "gone.runconfig"), has: refused("7 uses a run configuration that does not exist")},
		{name: "a run configuration of another name", project: with(".azureml/job.runconfig", "job.yml") + "-- job.yml --\nframework: Python\n", has: refused("7 uses a run configuration that amlfix reads only under a name with the ending .runconfig")},
		{name: "nothing makes it", project: with("source: made", "source: other"), has: refused("15 uses an input that no step produces")},
		{name: "filled in", project: with("'--in'", "'{{in}}'"), has: refused("16 has an argument that is filled in")},
		{name: "SQL", project: with("  steps:", "  data_references: {rows: {datastore: db, sql_query: select}}\n  steps:"), has: refused("3 uses data that is neither")},
		{name: "datasets of the script", project: strings.Replace(project(steps), "-- p.yml --", "-- step.py --\n"+datasetScriptNow+"-- p.yml --", 1) +
			"    three:\n      type: PythonScriptStep\n      script_name: step.py\n      inputs:\n        train set: {source: made}\n", open: "", has: append(written,
			"job-p.yml: command: python step.py --train_set ${{inputs.train_set}} --scores ${{outputs.scores}}\n", "job-p.yml: train_set: ${{parent.jobs.one.outputs.out}}\n")},
		{name: "datasets that nothing names", project: strings.Replace(project(steps), "-- p.yml --", "-- step.py --\n"+datasetScriptNow+"-- p.yml --", 1) + "    three:\n      type: PythonScriptStep\n      script_name: step.py\n",
			open: "data-train_set", has: append(written, "job-p.yml: command: python step.py --train_set ${{inputs.train_set}} --scores ${{outputs.scores}}\n", "job-p.yml: train_set:\n        type: uri_folder\n        path: azureml:DECIDE@latest\n")},
		{name: "Compose", project: project(steps), to: "compose", has: []string{report + "nothing: amlfix does not write SDK v1 pipelines for Docker Compose"}},
		{name: "Kubernetes", project: project(steps), to: "k8s", has: []string{report + "nothing: amlfix does not write SDK v1 pipelines for Kubernetes"}},
	})
}
