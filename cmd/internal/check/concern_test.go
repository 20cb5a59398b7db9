package check

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// at is the place of a word in a file, as "file word".
func at(t *testing.T, p *schema.Project, place string) finding.Location {
	t.Helper()
	name, word, _ := strings.Cut(place, " ")
	f := p.FileAt(name)
	if f == nil {
		t.Fatalf("no file %s", name)
	}
	start := bytes.Index(f.Source.Text, []byte(word))
	if start < 0 {
		t.Fatalf("no %s", place)
	}
	return finding.Location{Source: f.Source, Span: source.Span{Start: start, End: start + len(word)}}
}

// TestConcern checks which findings keep the first of two jobs from running: for each place, those that are related to
// the places after it.
func TestConcern(t *testing.T) {
	workbench := map[string]string{
		"aml_config/a.compute": "type: remotedocker\naddress: h\nusername: u\npassword: p\n", "aml_config/b.compute": "type: remotedocker\n",
		"aml_config/a.runconfig": "Target: a\nFramework: PySpark\nCondaDependenciesFile: aml_config/c.yml\nSparkDependenciesFile: aml_config/s.yml\n",
		"aml_config/b.runconfig": "Target: b\nFramework: PySpark\nCondaDependenciesFile: aml_config/c.yml\nSparkDependenciesFile: aml_config/s.yml\n",
		"aml_config/c.yml":       "dependencies: [python=3.5.2]\n", "aml_config/s.yml": "packages: []\n",
	}
	local := maps.Clone(workbench)
	local["aml_config/a.compute"] = "type: local\n"
	local["aml_config/a.runconfig"] = strings.Replace(local["aml_config/a.runconfig"], "PySpark", "Python", 1)
	sdk := map[string]string{
		".azureml/a.runconfig": "script: a.py\nframework: Python\ntarget: local\nenvironment: e.yml\n", ".azureml/b.runconfig": "script: b.py\ntarget: local\n",
		".azureml/e.yml": "name: e\npython: {userManagedDependencies: true}\n",
	}
	const address = "$schema: https://azuremlschemas.azureedge.net/latest/"
	v2 := map[string]string{
		"job.yml": address + "pipelineJob.schema.json\ntype: pipeline\nsettings: {default_compute: azureml:cpu}\njobs:\n" +
			"  one:\n    component: one.yml\n    outputs: {o: {mode: upload}}\n  two:\n    inputs: {i: word}\n    component: two.yml\n  three: {component: three.yml, inputs: &i {i: marked}}\n" +
			"  four: {component: four.yml, inputs: {i: *i}}\n",
		"one.yml":   address + "commandComponent.schema.json\ntype: command\nname: one\ncommand: run\nenvironment: file:env.yml\n",
		"two.yml":   address + "commandComponent.schema.json\ntype: command\nname: two\ncommand: run\nenvironment: file:env.yml\n",
		"three.yml": address + "commandComponent.schema.json\ntype: command\nname: three\ncommand: run\nenvironment: azureml:x:1\n",
		"four.yml":  address + "commandComponent.schema.json\ntype: command\nname: four\ncommand: run\nenvironment: azureml:x:1\n",
		"env.yml":   address + "environment.schema.json\nname: e\nversion: 1\nimage: ubuntu:22.04\nconda_file: conda.yml\n",
		"conda.yml": "dependencies: [python=3.11]\n",
	}
	for _, tt := range []struct {
		job    string
		files  map[string]string
		places string // those that count, then those that do not
	}{
		{"a", workbench, "aml_config/a.compute type, aml_config/a.runconfig PySpark, aml_config/c.yml python, aml_config/s.yml packages, aml_config/c.yml python < aml_config/a.runconfig Target; " +
			"aml_config/b.compute type, aml_config/b.runconfig PySpark, aml_config/c.yml python < aml_config/b.runconfig Target, aml_config/s.yml packages < aml_config/b.compute type"},
		{"a", local, "aml_config/a.runconfig Python; aml_config/c.yml python, aml_config/s.yml packages"},
		{"a", sdk, ".azureml/a.runconfig script, .azureml/e.yml python; .azureml/b.runconfig script"},
		{"jobs.one", v2, "job.yml upload, job.yml cpu, job.yml marked, one.yml run, env.yml ubuntu, conda.yml python, job.yml word < job.yml upload, conda.yml python < one.yml run; job.yml word, job.yml four.yml, job.yml word < job.yml cpu, two.yml run, conda.yml python < two.yml run"},
	} {
		p := loaded.Project(t, testkit.Lay(t, tt.files))
		job := slices.IndexFunc(p.Jobs, func(j *schema.Job) bool { return strings.HasSuffix(j.Name, tt.job) })
		others := slices.DeleteFunc(slices.Clone(p.Jobs), func(j *schema.Job) bool { return j.File != p.Jobs[job].File })
		c := ConcernOf(p.Jobs[job].Target, p.Jobs[job]).Without(others)
		var found []finding.Finding
		counting, rest, _ := strings.Cut(tt.places, "; ")
		for want, list := range map[bool]string{true: counting, false: rest} {
			for place := range strings.SplitSeq(list, ", ") {
				place, related, _ := strings.Cut(place, " < ")
				f := finding.Finding{Location: at(t, p, place)}
				if related != "" {
					f.Related = []finding.Location{at(t, p, related)}
				}
				f.Severity = finding.Warning
				found = append(found, f)
				f.Severity = finding.Error
				found = append(found, f)
				if c.About(f) != want {
					t.Errorf("%s: %s < %s is part of it: %t, want %t", tt.job, place, related, !want, want)
				}
			}
		}
		testkit.Same(t, strings.Count(counting, ", ")+1, c.Errors(found), tt.job)
	}
}
