package migrate_test

import (
	"strings"
	"testing"
)

// TestHyperDrive checks that HyperDrive settings in any form become a sweep job, and that the migration asks about what
// the CLI v1 would have rejected.
func TestHyperDrive(t *testing.T) {
	const line = "-- run.sh --\naz ml run submit-hyperdrive -c job --hyperdrive-configuration-name hd.yml train.py\n"
	const rest = "policy: {type: banditpolicy, slack_amount: 0.5}\nprimary_metric_name: acc\nprimary_metric_goal: MAXIMIZE\nmax_total_runs: 4\n"
	const space = "sampling:\n  type: RANDOM\n  parameter_space:\n  - {name: --lr, expression: uniform, values: [0.1, 0.2]}\n"
	project := func(lines, settings string) string { return sdk("") + lines + "-- .azureml/hd.yml --\n" + settings }
	swept := []string{"job-job.yml: type: sweep\n", "job-job.yml: train.py --lr ${{search_space.lr}}\n", "job-job.yml: max_value: 0.2\n", "job-job.yml: type: bandit\n", "job-job.yml: max_total_trials: 4\n"}
	report := "MIGRATION.md: "
	const alone = "-- train.py --\n-- run.sh --\naz ml run submit-hyperdrive --ct cpu -e nightly --hyperdrive-configuration-name hd.yml train.py --epochs 3\n-- hd.yml --\n"
	trained := []string{"job-train.yml: type: sweep\n", "job-train.yml: python train.py --epochs 3 --lr ${{search_space.lr}}\n", "job-train.yml: experiment_name: nightly\n", "job-train.yml: max_total_trials: 4\n"}
	checkWorked(t, []worked{
		{name: "as documented", project: project(line, space+rest), has: swept, lacks: []string{report + "| settings of HyperDrive", report + "not a job file"}},
		{name: "CRLF", project: project(line, strings.ReplaceAll(space+rest, "\n", "\r\n")), has: swept},
		{name: "a byte order mark", project: project(line, "\ufeff"+space+rest), has: swept},
		{name: "flow style", project: project(line, "{sampling: {type: random, parameter_space: [{name: --lr, expression: uniform, values: [0.1, 0.2]}]}, policy: {type: banditpolicy, slack_amount: 0.5}, primary_metric_name: acc, primary_metric_goal: MAXIMIZE, max_total_runs: 4}\n"), has: swept},
		{name: "aliases", project: project(line, "x-values: &v [0.1, 0.2]\n"+strings.Replace(space, "[0.1, 0.2]", "*v", 1)+rest), has: append(swept, report+"not a key that `az ml run submit-hyperdrive` read (.azureml/hd.yml:1)")},
		{name: "several documents", project: project(line, space+rest+"---\nmore: 1\n"), open: "settings", has: []string{"job-job.yml: type: command\n", report + "| settings of HyperDrive", report + ".azureml/hd.yml, which run.sh:1 names, is not in a form that HyperDrive would have read: repair it"}},
		{name: "no such file", project: project(strings.Replace(line, "hd.yml", "gone.yml", 1), space+rest), open: "settings", has: []string{"job-job.yml: # DECIDE: a file that the submission names is not in the project; see MIGRATION.md", report + "run.sh:1 names it, and it is not in the project: put it there", report + "--answer settings=none"}},
		{name: "no such file, and none is needed", project: project(strings.Replace(line, "hd.yml", "gone.yml", 1), space+rest), answers: "settings=none", has: []string{"job-job.yml: type: command\n"}},
		{name: "no run configuration", project: alone + space + rest, has: append(trained, "job-train.yml: compute: azureml:cpu\n", report+"| `az ml job create --file job-train.yml` |")},
		{name: "no such run configuration", project: strings.Replace(alone, "submit-hyperdrive", "submit-hyperdrive -c config/gone", 1) + space + rest, open: "configuration", has: append(trained, "job-train.yml: # DECIDE: a file that the submission names", report+"Where is the run configuration config/gone.runconfig?", report+"--answer configuration=none")},
		{name: "none is needed", project: strings.Replace(alone, "submit-hyperdrive", "submit-hyperdrive -c config/gone", 1) + space + rest, answers: "configuration=none", has: trained},
		{name: "a run configuration that is filled in", project: strings.Replace(alone, "submit-hyperdrive", "submit-hyperdrive -c $CONFIG", 1) + space + rest, open: "configuration", has: append(trained, report+"something fills in its name there")},
		{name: "neither", project: strings.Replace(strings.Replace(alone, "hd.yml", "gone.yml", 1), "submit-hyperdrive", "submit-hyperdrive -c gone", 1) + space + rest, open: "configuration settings", has: []string{"job-train.yml: type: command\n"}},
		{name: "no line names it", project: project("", space+rest), has: []string{"job-job.yml: type: command\n", "job-job-sweep.yml: type: sweep\n"}},
		{name: "no run configuration has it", project: project("", space+rest), answers: "sweep=none", has: []string{"job-job.yml: type: command\n", report + "| settings of HyperDrive"}, lacks: []string{report + "job-job-sweep.yml"}},
		{name: "another script starts it, too", project: project(line+"az ml run submit-script -c job train.py\n", space+rest), has: []string{"job-job.yml: type: command\n", "job-job-sweep.yml: type: sweep\n"}},
		{name: "too few values", project: project(line, strings.Replace(space, "[0.1, 0.2]", "[0.1]", 1)+rest), open: "search-space", has: []string{"job-job.yml: DECIDE", report + "decision `search-space`"}},
		{name: "no such distribution", project: project(line, strings.Replace(space, "uniform", "Uniform", 1)+rest), open: "search-space"},
		{name: "a value that is filled in", project: project(line, strings.Replace(space, "0.2]", "'${MAX}']", 1)+rest), open: "search-space"},
		{name: "half a number", project: project(line, strings.Replace(space, "uniform, values: [0.1, 0.2]", "randint, values: [2.5]", 1)+rest), open: "search-space"},
		{name: "no end", project: project(line, strings.Replace(space, "0.2]", ".inf]", 1)+rest), open: "search-space"},
		{name: "other numbers, and booleans", project: project(line, strings.Replace(space, "0.2]}", "0x10]}\n  - {name: b, expression: choice, values: [true, 1_0]}", 1)+rest), has: []string{"job-job.yml: max_value: 16\n", "job-job.yml: - 'True'\n      - 10\n"}},
		{name: "a policy of half an interval", project: project(line, space+strings.Replace(rest, "0.5}", "0.5, evaluation_interval: 2.5}", 1)), open: "early-termination"},
		{name: "a policy without its value", project: project(line, space+strings.Replace(rest, ", slack_amount: 0.5", "", 1)), open: "early-termination", has: []string{report + ".azureml/hd.yml:5 has a policy"}, lacks: []string{"job-job.yml: type: bandit"}},
		{name: "never early", project: project(line, space+strings.Replace(rest, "banditpolicy", "mine", 1)), answers: "early-termination=never"},
		{name: "no policy at all", project: project(line, space+strings.Replace(rest, "banditpolicy", "NoTerminationPolicy", 1)), lacks: []string{"job-job.yml: early_termination"}},
		{name: "how many is not said", project: project(line, space+strings.Replace(rest, "max_total_runs: 4", "max_total_runs: '4'", 1)), open: "max-trials"},
		{name: "how many is answered", project: project(line, space+strings.Replace(rest, "4\n", "four\n", 1)), answers: "max-trials=9", has: []string{"job-job.yml: max_total_trials: 9\n"}},
		{name: "answered with a word", project: project(line, space+strings.Replace(rest, "4\n", "four\n", 1)), answers: "max-trials=many", fails: "at least 1"},
		{name: "Compose", project: project(line, space+rest), to: "compose", has: []string{report + "nothing: Docker Compose has no sweeps"}},
		{name: "Kubernetes", project: project(line, space+rest), to: "k8s", has: []string{report + "nothing: Kubernetes has no sweeps"}},
	})
}
