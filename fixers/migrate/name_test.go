package migrate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
)

// TestReportOfHostileNames checks that names of files are inert in MIGRATION.md.
func TestReportOfHostileNames(t *testing.T) {
	dir := filepath.FromSlash("/nowhere/project")
	for _, name := range []string{"a<img src=x onerror=alert(1)>", "a\n# heading\n", "a](http://x)[b", "![x](y)", "`a`", "a|b", "<!--", "**a**", "a\\`b", "a\u009b2J", "\u202eb", "##vso[task.x]"} {
		for _, emitter := range emitters {
			in := func(ext string) string { return filepath.Join(dir, "aml_config", name+ext) }
			p := schema.Load(schema.Root{Dir: dir, Boundary: dir}, schema.Options{}).With(map[string][]byte{
				in(".runconfig"): []byte("Target: " + "vm" + "\nFramework: PySpark\nCondaDependenciesFile: c.yml\n"),
				filepath.Join(dir, "aml_config", "vm.compute"): []byte("type: remotedocker\naddress: h\nusername: u\npassword: " + "correct-horse" + "\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n"),
				in(".yml"): []byte("not: a\nconda: file\n"),
			})
			m, err := migrate.New(p, emitter, migrate.Options{})
			if err != nil {
				continue // a format that the project cannot be written in
			}
			for _, f := range m.Files {
				if f.Path != account.Report {
					continue
				}
				for line := range strings.SplitSeq(string(f.Text), "\n") {
					if shown := escape.Terminal(line); shown != line {
						t.Errorf("%q, %T: controls a terminal or a CI: %q", name, emitter, line)
					}
					if strings.ContainsAny(line, "<>") || strings.Contains(line, "](") || strings.HasPrefix(line, "# heading") || strings.Contains(line, "**a**") {
						t.Errorf("%q, %T: %s", name, emitter, line)
					}
				}
			}
		}
	}
}

// TestNamesOfEnvironments checks that no two files have one name: an environment that is named after its job, those of
// the packages, and one that no job uses.
func TestNamesOfEnvironments(t *testing.T) {
	job := func(name, conda string) string {
		return "-- .azureml/" + name + ".runconfig --\nscript: train.py\ntarget: c\nframework: Python\nenvironment: {python: {condaDependenciesFile: .azureml/" + conda + ".yml}}\n-- .azureml/" + conda + ".yml --\ndependencies: [python=3.11, " + name + "]\n"
	}
	const files = "-- train.py --\nprint(1)\n"
	checkWorked(t, []worked{
		{name: "a job called cpu", project: files + job("both", "a") + job("cpu", "b"), has: []string{"environment-cpu.yml: a.yml", "environment-cpu-2.yml: b.yml", "job-cpu.yml: environment: file:environment-cpu-2.yml\n"}},
		{name: "packages called as other files", project: files + job("a", "environment-cpu") + job("b", "job-b") + job("c", "Data-c"),
			has: []string{"environment-cpu.yml: conda_file: conda_environment-cpu.yml\n", "environment-b.yml: conda_file: conda_job-b.yml\n", "environment-c.yml: conda_file: conda_Data-c.yml\n"}, lacks: []string{"MIGRATION.md: az ml data create"}},
		{name: "packages called as other files, elsewhere", project: files + job("a", "environment-cpu"), to: "compose", has: []string{"environment-cpu.yml: - a\n"}},
		{name: "an environment called cpu", project: files + "-- submit.py --\nfrom azureml.core import *\ne = Environment('e')\ne.python.conda_dependencies = CondaDependencies.create(pip_packages=['numpy'])\nScriptRunConfig('.', 'train.py', environment=e, compute_target='c')\n" +
			"f = Environment('cpu')\nf.python.conda_dependencies = CondaDependencies.create(pip_packages=['scipy'])\nf.register(ws)\n", has: []string{"environment-submit.yml: _submit.yml\n", "environment-cpu.yml: _cpu.yml\n"}},
	})
}
