package migrate_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

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
		{name: "in other versions", project: file + add + "pip_package('numpy==1.26.4')\n" + add + "conda_package('git=2')\n" + add + "conda_package('git=3')\ne.python.conda_dependencies.set_python_version('3.12')\n" + add + "channel('bioconda')\n" + add + "channel('bioconda')\n" + job + files,
			has:   []string{"c.yml: channels:\n  - bioconda\ndependencies:\n  - python=3.12 # ours\n  - git=3\n  - pip\n  - pip:\n      - numpy==1.26.4\n", "MIGRATION.md: `numpy` | dropped | submit.py:4 replaces it |", "MIGRATION.md: | dropped | bioconda is already listed |"},
			lacks: []string{"c.yml: git=2"}},
		{name: "that pip replaces", project: file + add + "pip_package('scipy==1.14.1')\n" + job + strings.Replace(files, "  - pip:", "  - scipy=1.13\n  - pip:", 1), has: []string{"c.yml: - scipy==1.14.1\n"}, lacks: []string{"c.yml: scipy=1.13"}},
		{name: "that conda and pip install", project: file + add + "pip_package('numpy==1.26.4')\n" + job + strings.Replace(files, "  - pip:", "  - numpy=1.21\n  - pip:", 1), has: []string{"c.yml: - numpy==1.26.4\n"}, lacks: []string{"c.yml: numpy=1.21", "c.yml: [numpy]", "MIGRATION.md: already listed"}},
		{name: "with extras, which conda does not have", project: file + job + strings.Replace(files, "  - pip:", "  - dask[array]==2.0\n  - pip:", 1), answers: "package-dask-array=dask[array]>=2", has: []string{"c.yml: - numpy\n      # was: dask[array]==2.0 (conda does not accept extras; pip installs an answer that has them)\n      - dask[array]>=2\n"}},
		{name: "that stay conda's", project: file + add + "pip_package('pip==23.1')\n" + job + strings.Replace(files, "  - pip:", "  - pip=20\n  - pip:", 1), has: []string{"c.yml: - pip"}, lacks: []string{"c.yml: dependencies:\n  - python=3.11 # ours\n  - pip:"}},
		{name: "to a file that is loaded", project: head + "c = CondaDependencies('c.yml')\nc.add_pip_package('numpy==1.26.4')\nc.add_pip_package('numpy-financial')\ne = Environment('e')\ne.python.conda_dependencies = c\n" + add + "pip_package('pandas')\n" + job + files,
			has: []string{"c.yml: - python=3.11 # ours\n  - pip\n  - pip:\n      - numpy==1.26.4\n      - numpy-financial\n      - pandas\n"}},
		{name: "to a list, in other versions", project: head + "c = CondaDependencies.create(python_version='3.11', pip_packages=['torch==1.2', 'torch-a', 'pandas'])\nc.set_python_version('3.12')\nc.add_pip_package('torch')\ne = Environment('e')\ne.python.conda_dependencies = c\n" + job + files,
			has: []string{conda + "- python=3.12\n", conda + "- torch-a\n", conda + "- pandas\n", conda + "- torch\n"}, lacks: []string{conda + "torch==1.2", conda + "3.11"}},
		{name: "with conditions", project: file + job + strings.Replace(files, "[numpy]", "['numpy<2; python_version < \"3.9\"', 'numpy>=2; python_version >= \"3.9\"']", 1), has: []string{"c.yml: numpy<2; python_version < \"3.9\"", "c.yml: numpy>=2; python_version >= \"3.9\""}},
		{name: "what is removed", project: file + "e.python.conda_dependencies.remove_pip_package('numpy')\n" + add + "tensorflow_pip_package()\ne.python.conda_dependencies.set_python_version(v)\n" + job + files,
			has: []string{"c.yml: # Not carried over: submit.py:4 calls remove_pip_package. Change the packages by hand; see MIGRATION.md\n# Not carried over: submit.py:5 calls add_tensorflow_pip_package.", "c.yml: submit.py:6 calls set_python_version", "MIGRATION.md: | `('numpy')` | dropped | not carried over: change"}},
		{name: "that are gone", project: file + add + "pip_package('azureml-requirements')\n" + job + files, lacks: []string{"c.yml: azureml-requirements"}},
		{name: "that cannot be installed", project: file + add + "pip_package('https://example.com/a-1-cp27-none-any.whl')\n" + job + files, open: "package-a", has: []string{"MIGRATION.md: submit.py:4: "}},
		{name: "for one of two jobs", project: file + job + "g = Environment.from_conda_specification('g', 'c.yml')\ng.python.conda_dependencies.add_pip_package('pandas')\n" + job[:len(job)-3] + "g)\n" + files,
			has: []string{"c.yml: - numpy\n", "c_submit-2.yml: - pandas\n"}, lacks: []string{"c.yml: - pandas\n"}},
		{name: "of a list that is computed", project: list + job + files, open: "packages", has: []string{"job-submit.yml: DECIDE: Which other packages does the job need?", "MIGRATION.md: submit.py:4 computes them"}},
		{name: "of a list, answered", project: list + job + files, answers: "packages=pandas", has: []string{conda + "- pandas\n"}},
		{name: "of a list, with spaces", project: list + job + files, answers: "packages=pandas·>=·2,·<·3·numpy==1.26.4,·scipy", has: []string{conda + "- pandas>=2,<3\n", conda + "- numpy==1.26.4\n", conda + "- scipy\n"}},
		{name: "of a list, at addresses", project: list + job + files, answers: "packages=torch·@·https://example.com/torch-2.4-cp311-cp311-linux_x86_64.whl·;·sys_platform·==·'linux'·and·python_version·>·'3'·numpy·--extra-index-url·https://example.com/simple·--pre·scipy",
			has: []string{conda + "- torch @ https://example.com/torch-2.4-cp311-cp311-linux_x86_64.whl ;sys_platform=='linux' and python_version>'3'\n", conda + "- numpy\n", conda + "- --extra-index-url https://example.com/simple\n", conda + "- --pre\n", conda + "- scipy\n"}},
		{name: "of a list, with options without a value", project: list + job + files, answers: "packages=--pre,·--no-deps·numpy,·-U·scipy,·-q",
			has: []string{conda + "- --pre\n", conda + "- --no-deps\n", conda + "- numpy\n", conda + "- -U\n", conda + "- scipy\n", conda + "- -q\n"}},
		{name: "of a list, in a file", project: list + job + files, answers: "packages=torch·@·file:///home/me/torch-2.4-cp311-cp311-linux_x86_64.whl", fails: "names files of one machine"},
		{name: "of a list, in a repository of one machine", project: list + job + files, answers: "packages=git+file:///home/me/torch", fails: "names files of one machine"},
		{name: "of a list, in a folder", project: list + job + files, answers: "packages=numpy·-e·.", fails: `packages=numpy -e .: "-e ." names files of one machine`},
		{name: "of a list, in another list", project: list + job + files, answers: "packages=-r·requirements.txt·numpy", fails: `"-r requirements.txt" names files of one machine`},
		{name: "of a list, from a folder of packages", project: list + job + files, answers: "packages=numpy·--find-links·./wheels", fails: `"--find-links ./wheels" names files of one machine`},
		{name: "of a list, from an index in a folder", project: list + job + files, answers: "packages=numpy·--extra-index-url=file:///srv/simple", fails: `"--extra-index-url=file:///srv/simple" names files of one machine`},
		{name: "of a list, from an index that a variable names", project: list + job + files, answers: "packages=numpy·-i·${INDEX}", has: []string{conda + "- -i ${INDEX}\n"}},
		{name: "of a list, with a version that the answer replaces", project: strings.Replace(list, "f()", "['numpy==1.25', f()]", 1) + job + files, answers: "packages=numpy==1.26.4", has: []string{conda + "- numpy==1.26.4\n"}, lacks: []string{conda + "1.25"}},
		{name: "of a list, what pip cannot read", project: list + job + files, answers: "packages=pandas·and·*", fails: `packages=pandas and *: pip cannot read "*"`},
		{name: "of a list, nothing in Python", project: list + job + files, answers: "packages=None", lacks: []string{conda + "None"}},
		{name: "of a list, none", project: list + job + files, answers: "packages=none", has: []string{"environment-cpu.yml: conda_file: conda_dependencies_submit.yml\n"}, lacks: []string{conda + "none"}},
		{name: "on a condition", project: file + "if x:\n    " + add + "pip_package('pandas')\n" + job + files, open: "packages", lacks: []string{"c.yml: pandas"}},
	})
}

// TestLostCallsOnce checks that calls that are not carried over are recorded once, not for each of the jobs that share
// them.
func TestLostCallsOnce(t *testing.T) {
	const job = "ScriptRunConfig('.', 'train.py', compute_target='c', environment=e, arguments=['1'])\n"
	m, err := worked{project: "-- submit.py --\nfrom azureml.core import *\ne = Environment.from_conda_specification('e', 'c.yml')\ne.python.conda_dependencies.remove_pip_package('numpy')\n" + job + strings.Replace(job, "1", "2", 1) + "-- train.py --\n-- c.yml --\ndependencies: [python=3.11]\n"}.migrate(t)
	testkit.OK(t, err)
	for _, row := range m.Ledger.Rows {
		if row.Value == "('numpy')" && (len(row.Notes) != 1 || len(m.Jobs) != 2) {
			t.Errorf("%d jobs, notes %v", len(m.Jobs), row.Notes)
		}
	}
}
