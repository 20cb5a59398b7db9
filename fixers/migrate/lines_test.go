package migrate_test

import "testing"

// TestLinesAlone checks that a command line that submits a script without a run configuration becomes a job, however it
// is written.
func TestLinesAlone(t *testing.T) {
	const files = "-- src/train.py --\n-- envs/conda.yml --\ndependencies: [python=3.11, pandas]\n"
	const job = "job-train.yml: "
	line := func(file, text string) string { return "-- " + file + " --\n" + text + "\n" + files }
	written := []string{job + "code: ../src\ncommand: python train.py --epochs 3\n", job + "compute: azureml:cpu\n", job + "experiment_name: nightly\n", "conda.yml: pandas"}
	checkWorked(t, []worked{
		{name: "a shell script", project: line("run.sh", "az ml run submit-script -e nightly --ct cpu -d envs/conda.yml --source-directory src train.py --epochs 3"), has: written},
		{name: "long options", project: line("run.sh", "az ml run submit-script --experiment-name=nightly --target cpu --conda-dependencies=envs/conda.yml --path src -t out.json train.py --epochs 3"), has: written},
		{name: "the end of options", project: line("run.sh", "az ml run submit-script -e nightly --ct cpu -d envs/conda.yml --source-directory src -- train.py -- --epochs 3"), has: written},
		{name: "several lines", project: line("run.sh", "az ml run submit-script \\\n  -e nightly \\\n  --ct cpu -d envs/conda.yml \\\n  --source-directory src \\\n  train.py --epochs 3"), has: written},
		{name: "PowerShell", project: line("run.ps1", "az ml run submit-script `\n  -e nightly `\n  --ct cpu -d envs/conda.yml --source-directory src `\n  train.py --epochs 3"), has: written},
		{name: "cmd", project: line("run.cmd", "az ml run submit-script ^\r\n  -e nightly ^\r\n  --ct cpu -d envs\\conda.yml --source-directory src ^\r\n  train.py --epochs 3\r"), has: written},
		{name: "a README", project: line("README.md", "Then:\n\n```\n$ az ml run submit-script -e nightly --ct cpu -d envs/conda.yml --source-directory src train.py --epochs 3\n```"), has: written},
		{name: "a sentence is no command", project: line("README.md", "Use `az ml run submit-script train.py` for it.") + "-- aml_config/x.runconfig --\nScript: src/train.py\n", lacks: []string{"MIGRATION.md: job-train.yml"}},
		{name: "a literal block of YAML", project: line(".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n    - name: x\n      working-directory: src\n      run: |\n        echo\n        az ml run submit-script -e nightly --ct cpu -d envs/conda.yml train.py --epochs 3\n        echo"), has: written},
		{name: "a folded block of YAML", project: line("azure-pipelines.yml", "steps:\n- task: AzureCLI@2\n  inputs:\n    workingDirectory: src\n    inlineScript: >\n      az ml run submit-script\n      -e nightly --ct cpu -d envs/conda.yml\n      train.py --epochs 3"), has: written},
		{name: "after another command", project: line("ci.yml", "steps:\n- script: cd src && az ml run submit-script -e nightly --ct cpu -d envs/conda.yml train.py --epochs 3"), has: written},
		{name: "a folder that it changes to", project: line("ci.yml", "steps:\n- script: |\n    cd src\n    az ml run submit-script -e nightly --ct cpu -d envs/conda.yml train.py --epochs 3"), has: written},
		{name: "variables that are set", project: line("ci.yml", "variables: {where: src, ct: cpu}\nenv:\n  WHAT: train.py\nsteps:\n- script: az ml run submit-script -e nightly --ct $(ct) -d envs/conda.yml --path $(where) ${{ env.WHAT }} --epochs 3"), has: written},
		{name: "unknown variables", project: line("run.sh", "az ml run submit-script -e $E --ct $CT --source-directory src train.py --epochs $N"), open: "argument-2 target", has: []string{job + "command: python train.py --epochs DECIDE\n"}},
		{name: "an unknown script", project: line("ci.yml", "run: az ml run submit-script -e nightly --ct cpu ${{ inputs.script }} --epochs 3"), open: "script", has: []string{"job-ci.yml: experiment_name: nightly\n"}},
		{name: "a script that is gone", project: line("run.sh", "az ml run submit-script --ct cpu gone.py"), open: "script", has: []string{"job-gone.yml: # DECIDE: the script is not in the project"}},
		{name: "no target", project: line("run.sh", "az ml run submit-script --source-directory src train.py"), has: []string{job + "compute: local\n"}},
		{name: "twice", project: line("run.sh", "az ml run submit-script --ct cpu src/train.py\naz ml run submit-script --ct cpu src/train.py"), lacks: []string{"MIGRATION.md: job-train-2.yml"}},
		{name: "twice with other arguments", project: line("run.sh", "az ml run submit-script --ct cpu src/train.py\naz ml run submit-script --ct cpu src/train.py 2"), has: []string{"job-train-2.yml: python src/train.py 2\n"}},
		{name: "a run configuration that is gone", project: line("run.sh", "az ml run submit-script -c config/gone -e nightly --ct cpu -d envs/conda.yml --source-directory src train.py --epochs 3"), open: "configuration", has: append(written[1:], job+"# DECIDE: a file that the submission names is not in the project", "MIGRATION.md: run.sh:1 names it, and it is not in the project")},
		{name: "and not needed", project: line("run.sh", "az ml run submit-script -c config/gone -e nightly --ct cpu -d envs/conda.yml --source-directory src train.py --epochs 3"), answers: "configuration=none", has: written},
		{name: "Workbench made it when it was attached", project: "-- aml_config/local.runconfig --\nScript: src/train.py\nTarget: local\n-- aml_config/local.compute --\ntype: local\n" + line("README.md", "az ml experiment submit -c vm src/train.py"), lacks: []string{"MIGRATION.md: job-train.yml"}},
		{name: "a run configuration beside others that is filled in", project: sdk("") + line("run.sh", "az ml run submit-script -c $CONFIG train.py"), lacks: []string{"MIGRATION.md: job-train.yml"}},
		{name: "a secret", project: line("run.sh", "az ml run submit-script --ct cpu src/train.py 'sig=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH%3D&se=2030-01-01'"), open: "secret-line-1", lacks: []string{job + "abcdefghij"}},
		{name: "the pipeline of a line", project: "-- p.yml --\npipeline:\n  default_compute: cpu\n  steps:\n    one:\n      type: PythonScriptStep\n      script_name: src/train.py\n" + line("run.sh", "az ml run submit-pipeline -y p.yml -e nightly"), has: []string{"job-p.yml: experiment_name: nightly\n"}},
	})
}
