package migrate_test

import "testing"

// TestMorePackages checks that what a program adds to the packages of a file is installed, and that amlfix asks for
// what it computes.
func TestMorePackages(t *testing.T) {
	const head = "-- submit.py --\nfrom azureml.core import *\nfrom azureml.core.conda_dependencies import CondaDependencies\n"
	const file = head + "e = Environment.from_conda_specification('e', 'c.yml')\n"
	const list = head + "e = Environment('e')\ne.python.conda_dependencies = CondaDependencies.create(conda_packages=['python=3.11'], pip_packages=f())\n"
	const job = "ScriptRunConfig('.', 'train.py', compute_target='c', environment=e)\n"
	const files = "-- train.py --\nprint(1)\n-- c.yml --\ndependencies:\n  - python=3.11 # ours\n  - pip: [numpy]\n"
	const add = "e.python.conda_dependencies.add_"
	const conda = "conda_dependencies_submit.yml: "
	checkWorked(t, []worked{
		{name: "of a file", project: file + add + "pip_package('pandas')\n" + add + "conda_package('git')\n" + add + "channel('bioconda')\n" + job + files,
			has: []string{"c.yml: - bioconda\n", "c.yml: - python=3.11 # ours\n  - git\n", "c.yml: - numpy\n      - pandas\n", "MIGRATION.md: `'pandas'` | mapped | kept |"}},
		{name: "that are gone", project: file + add + "pip_package('azureml-requirements')\n" + job + files, lacks: []string{"c.yml: azureml-requirements"}},
		{name: "that cannot be installed", project: file + add + "pip_package('https://example.com/a-1-cp27-none-any.whl')\n" + job + files, open: "package-a", has: []string{"MIGRATION.md: submit.py:4: "}},
		{name: "for one of two jobs", project: file + job + "g = Environment.from_conda_specification('g', 'c.yml')\ng.python.conda_dependencies.add_pip_package('pandas')\n" + job[:len(job)-3] + "g)\n" + files,
			has: []string{"c.yml: - numpy\n", "c_submit-2.yml: - pandas\n"}, lacks: []string{"c.yml: - pandas\n"}},
		{name: "of a list that is computed", project: list + job + files, open: "packages", has: []string{"job-submit.yml: DECIDE: Which other packages does the job need?", "MIGRATION.md: submit.py:4 computes them"}},
		{name: "of a list, answered", project: list + job + files, answers: "packages=pandas", has: []string{conda + "- pandas\n"}},
		{name: "of a list, none", project: list + job + files, answers: "packages=none", has: []string{"environment-cpu.yml: conda_file: conda_dependencies_submit.yml\n"}, lacks: []string{conda + "none"}},
		{name: "on a condition", project: file + "if x:\n    " + add + "pip_package('pandas')\n" + job + files, open: "packages", lacks: []string{"c.yml: pandas"}},
	})
}
