package schema_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLate gives a file that is read only because a job names it texts that define something themselves. It counts in
// the same way in a version of the project, in a project that is loaded with the text, and once it is on disk.
func TestLate(t *testing.T) {
	const schemas = "$schema: https://azuremlschemas.azureedge.net/latest/"
	for text, want := range map[string]string{
		"channels: [defaults]\n": "[job.yml] [job.yml] 1 0 false",
		schemas + "commandJob.schema.json\ncommand: a\nenvironment: azureml:a@latest\n":                                  "[env.yml job.yml] [job.yml] 1 0 false",
		schemas + "pipelineJob.schema.json\njobs:\n  a:\n    command: a\n    environment:\n      image: a\n  b: {}\n":    "[env.yml: jobs.a env.yml: jobs.b job.yml] [job.yml] 2 0 false",
		schemas + "environment.schema.json\nname: named\nimage: a\n":                                                     "[job.yml] [job.yml] 2 0 true",
		schemas + "amlCompute.schema.json\nname: gpu\ntype: amlcompute\nsize: Standard_NC6\n":                            "[job.yml] [job.yml] 1 1 false",
		schemas + "commandComponent.schema.json\nname: c\ncommand: a\nenvironment:\n  image: a\n  conda_file: env.yml\n": "[env.yml job.yml] [env.yml job.yml] 2 0 false",
	} {
		dir := t.TempDir()
		testkit.Write(t, dir, "job.yml", schemas+"commandJob.schema.json\ncommand: a\nenvironment:\n  image: a\n  conda_file: env.yml\n")
		testkit.Write(t, dir, "env.yml", "channels: [a]\n")
		load := func(options schema.Options) *schema.Project {
			roots, err := schema.Discover([]string{dir})
			testkit.OK(t, err)
			return schema.Load(roots[0], options)
		}
		shown := func(p *schema.Project) string {
			var jobs, users []string
			for _, j := range p.Jobs {
				jobs = append(jobs, j.Name)
				if j.Environment != nil {
					users = append(users, j.Name)
				}
			}
			return fmt.Sprint(jobs, users, len(p.V2Environments), len(p.V2Computes), len(p.Named("environment", "named")) > 0)
		}
		p := load(schema.Options{})
		testkit.Same(t, want, shown(p.With(map[string][]byte{p.PathOf("env.yml"): []byte(text)})), "a version with %s", text)
		testkit.Same(t, want, shown(load(schema.Options{Text: func(at string) ([]byte, bool) { return []byte(text), filepath.Base(at) == "env.yml" }})), "loaded with %s", text)
		testkit.Write(t, dir, "env.yml", text)
		testkit.Same(t, want, shown(load(schema.Options{})), "on disk: %s", text)
	}
}

// TestLateChain has environments that name each other in a folder that is not searched: only the first few are read,
// and in each version a few more, since finding each next one links the whole project again.
func TestLateChain(t *testing.T) {
	const environment = "$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json\nname: a\nimage: a\nconda_file: "
	dir := t.TempDir()
	testkit.Write(t, dir, "env.yml", environment+"node_modules/0.yml\n")
	for i := range 20 {
		testkit.Write(t, dir, fmt.Sprintf("node_modules/%d.yml", i), fmt.Sprintf("%s%d.yml\n", environment, i+1))
	}
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	p := schema.Load(roots[0], schema.Options{})
	testkit.Same(t, 5, len(p.Files))
	testkit.Same(t, 10, len(p.With(map[string][]byte{p.PathOf("new.yml"): []byte("a: 1\n")}).Files), "a version")
}

// TestAddingKeeps adds a file that names a late one: it stays the same file, of the same kind.
func TestAddingKeeps(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, dir, "job.yml", "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: a\nenvironment:\n  image: a\n  conda_file: node_modules/v2.yml\n")
	testkit.Write(t, dir, "node_modules/v2.yml", "$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json\nname: a\nimage: a\n")
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	added := &schema.File{Path: filepath.Join(dir, "submit.py"), Rel: "submit.py", Of: "a run", Kind: schema.RunConfig}
	p := schema.Load(roots[0], schema.Options{}).Adding([]*schema.File{added})
	testkit.Same(t, true, p.FileAt("submit.py") == added && added.Kind == schema.RunConfig)
}
