package migrate_test

import "testing"

// TestWays checks that each way in which command lines submit a run configuration becomes a job.
func TestWays(t *testing.T) {
	project := func(run, lines string) string {
		return "-- train.py --\nimport argparse\np = argparse.ArgumentParser()\np.add_argument('--lr')\np.parse_args()\n-- evaluate.py --\nprint(1)\n-- .azureml/job.runconfig --\ntarget: cpu\n" + run + "-- run.sh --\n" + lines
	}
	const line = "az ml run submit-script -c job "
	const raw = "dataReferences: {raw: {dataStoreName: s, pathOnDataStore: a, pathOnCompute: /data/raw}}\n"
	checkWorked(t, []worked{
		{name: "another script", project: project("", line+"-e one train.py\n"+line+"-e two evaluate.py\n"),
			has: []string{"job-job.yml: command: python train.py\n", "job-job.yml: experiment_name: one\n", "job-job-evaluate.yml: command: python evaluate.py\n", "job-job-evaluate.yml: experiment_name: two\n"}},
		{name: "other arguments", project: project("", line+"train.py --lr 0.1\n"+line+"train.py --lr 0.5\n"+line+"-e e train.py --lr 0.1\n"),
			has:   []string{"job-job.yml: python train.py --lr 0.1\n", "job-job.yml: experiment_name: e\n", "job-job-train.yml: python train.py --lr 0.5\n"},
			lacks: []string{"MIGRATION.md: job-job-train-2.yml"}},
		{name: "another target", project: project("", line+"train.py\n"+line+"--ct cpu train.py\n"+line+"--ct gpu train.py\n"),
			has: []string{"job-job.yml: compute: azureml:cpu\n", "job-job-train.yml: compute: azureml:gpu\n"}, lacks: []string{"MIGRATION.md: job-job-train-2.yml"}},
		{name: "one script for all", project: project("", line+"train.py\n"+line+"evaluate.py\n"), answers: "script=evaluate.py",
			has: []string{"job-job.yml: command: python evaluate.py\n"}},
		{name: "in the folder of the code", project: project("", line+"--source-directory src -t out.json fit.py\n") + "-- src/fit.py --\n", has: []string{"job-job.yml: code: ../src\ncommand: python fit.py\n"}},
		{name: "the run configuration's in that folder", project: project("script: fit.py\n", line+"--source-directory=./src/\n") + "-- src/fit.py --\n", has: []string{"job-job.yml: code: ../src\ncommand: python fit.py\n"}},
		{name: "elsewhere", project: project("", line+"--source-directory src fit.py\n") + "-- src/fit.py --\n", answers: "script=train.py", has: []string{"job-job.yml: code: ..\ncommand: python train.py\n"}},
		{name: "a folder without it", project: project("", line+"--source-directory src train.py\n") + "-- src/fit.py --\n", has: []string{"job-job.yml: code: ..\ncommand: python train.py\n"}},
		{name: "an experiment that is left out", project: project("", line+"-e ...\n"), answers: "script=train.py", has: []string{"job-job.yml: experiment_name: digits\n"}},
		{name: "what is not certain", project: project("", "az ml run submit-script -c job train.py\naz ml run submit-script -c job train.py --lr <rate>\nuse az ml run submit-script -c job evaluate.py\naz ml run submit-script -c job gone.py\n"),
			has: []string{"job-job.yml: command: python train.py\n"}, lacks: []string{"MIGRATION.md: job-job-"}},
		{name: "arguments that are not known", project: project("", line+"train.py\n"+line+"train.py --lr $RATE\n"), open: "arguments",
			has: []string{"job-job.yml: command: python train.py\n", "job-job-train.yml: command: python train.py DECIDE\n"}},
		{name: "paths of data, in the place of arguments", project: project("script: train.py\narguments: [--lr, 0.1]\n"+raw, line+"train.py --lr /data/raw/x\n"),
			has: []string{"job-job.yml: command: python train.py --lr ${{inputs.raw}}/x\n"}},
		{name: "paths of data", project: project(raw, line+"train.py --lr=/data/raw\n"),
			has: []string{"job-job.yml: command: python train.py --lr=${{inputs.raw}}\n"}},
		{name: "instead of what the run configuration says", project: project("script: train.py\narguments: [--lr, 0.1]\n", line+"train.py --lr 0.5\n"+line+"evaluate.py\n"),
			has: []string{"job-job.yml: command: python train.py --lr 0.5\n", "job-job-evaluate.yml: command: python evaluate.py --lr 0.1\n", "MIGRATION.md: run.sh:1 submits other arguments", "MIGRATION.md: run.sh:2 submits evaluate.py instead"}},
	})
}
