package migrate_test

import "testing"

// TestBeside checks that programs in other folders are named with the command that migrates what they build.
func TestBeside(t *testing.T) {
	const job = "-- a/.azureml/rc.runconfig --\nscript: train.py\ntarget: cpu\n-- a/train.py --\nprint(1)\n"
	row := func(name, instead string) string {
		return "MIGRATION.md: | ../" + name + " | Python that uses SDK v1 | " + instead
	}
	const program = "from azureml.core import ScriptRunConfig\nScriptRunConfig('.', 'train.py', compute_target='cpu')\n"
	checkWorked(t, []worked{
		{name: "a program", project: job + "-- b c/d/go.py --\n" + program, folder: "a", has: []string{row("b c/d/go.py", "what `amlfix migrate --to v2 '../b c'` writes for it |")}},
		{name: "one that builds nothing", project: job + "-- b/go.py --\nfrom azureml.core import Run\n", folder: "a", has: []string{row("b/go.py", "azure-ai-ml")}},
		{name: "one in a folder above", project: job + "-- go.py --\n" + program, folder: "a", has: []string{row("go.py", "azure-ai-ml")}},
	})
}
