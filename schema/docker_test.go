package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/testkit"
)

// built says what is known of each job's image and packages, and where.
func built(t *testing.T, archive string) string {
	t.Helper()
	roots, err := schema.Discover([]string{testkit.Folder(t, withSchema.Replace(archive))})
	testkit.OK(t, err)
	var lines []string
	for _, root := range roots {
		p := schema.Load(root, schema.Options{})
		for _, j := range p.Jobs {
			base := j.Target.Base()
			line := j.Name + ":"
			if base.Explicit {
				line += fmt.Sprintf(" %s at %s:%d", base.Text, base.File.Rel, base.File.Source.LineAt(base.Location("").Span.Start))
			}
			if j.Target.Open() {
				line += " and more"
			}
			lines = append(lines, line)
		}
		for _, e := range p.Installations() {
			for _, pkg := range e.Packages {
				users := 0
				for _, j := range e.UsedBy(func(*schema.Target) bool { return true }) {
					if j.Installs() != nil || e.File.Kind == schema.CondaFile {
						users++
					}
				}
				line := fmt.Sprintf("%s:%d %s (%d)", e.File.Rel, e.File.Source.LineAt(pkg.Node.Span.Start), pkg.Requirement.Raw, users)
				for _, url := range indexesOf(e, pkg) {
					line += " " + url
				}
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestInstallationsOrder checks that what several Dockerfiles read from one file is always in the same order.
func TestInstallationsOrder(t *testing.T) {
	files := "-- r.txt --\na\n"
	for i := range 8 {
		files += fmt.Sprintf("-- e%d/Dockerfile --\nFROM b\nCOPY . .\nRUN pip install -r r.txt\n", i)
		files += fmt.Sprintf("-- j%d.yml --\n#commandJob\ncommand: a\nenvironment: {build: {path: ., dockerfile_path: e%d/Dockerfile}}\n", 7-i, i)
	}
	roots, err := schema.Discover([]string{testkit.Folder(t, withSchema.Replace(files))})
	testkit.OK(t, err)
	var order []string
	for _, e := range schema.Load(roots[0], schema.Options{}).Installations() {
		if e.File.Rel == "r.txt" {
			order = append(order, e.Jobs[0].File.Rel)
		}
	}
	if got, want := strings.Join(order, " "), "j7.yml j6.yml j5.yml j4.yml j3.yml j2.yml j1.yml j0.yml"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestManyDockerfiles checks that a file of requirements is not read for each of thousands of commands and Dockerfiles.
func TestManyDockerfiles(t *testing.T) {
	files := "-- r.txt --\n" + strings.Repeat("a\n", 10_000)
	for i := range 20 {
		files += fmt.Sprintf("-- e%d/Dockerfile --\nFROM b\nCOPY . .\n%s", i, strings.Repeat("RUN pip install -r r.txt\n", 20))
		files += fmt.Sprintf("-- j%d.yml --\n#commandJob\ncommand: a\nenvironment: {build: {path: ., dockerfile_path: e%d/Dockerfile}}\n", i, i)
	}
	if n := strings.Count(built(t, files), "\nr.txt:"); n == 0 || n > 100_000 {
		t.Errorf("%d packages", n)
	}
}

// TestDockerfiles joins Dockerfiles with the jobs that run in what they build.
func TestDockerfiles(t *testing.T) {
	const job = "-- job.yml --\n#commandJob\ncommand: a\nenvironment: azureml:e:1\n-- env.yml --\n#environment\nname: e\nversion: 1\nbuild: {path: docker}\n"
	for _, c := range []struct{ name, files, want string }{
		{"an environment of a file", job + "-- docker/Dockerfile --\nFROM ubuntu\nRUN pip install x\n",
			"docker/Dockerfile:2 x (1)\njob.yml: ubuntu at docker/Dockerfile:1"},
		{"another name", "-- job.yml --\n#commandJob\ncommand: a\nenvironment: {build: {path: docker, dockerfile_path: sub/train.dockerfile}}\n-- docker/sub/train.dockerfile --\nFROM ubuntu\nCOPY a.txt .\nRUN pip install -r a.txt\n-- docker/a.txt --\nx\n",
			"docker/a.txt:1 x (1)\njob.yml: ubuntu at docker/sub/train.dockerfile:1"},
		{"files of requirements", job + "-- docker/Dockerfile --\nFROM ubuntu\nCOPY . .\nRUN pip install -r a.txt\nRUN pip install z\n-- docker/a.txt --\n# all\n-i https://x/simple\n-r more/b.txt\nx==1 \\\n  --hash=sha256:00 # why\n-- docker/more/b.txt --\ny\n-r ../a.txt\n",
			"docker/Dockerfile:4 z (1)\ndocker/a.txt:2 -i https://x/simple (1) https://x/simple\ndocker/a.txt:4 x==1     --hash=sha256:00 (1) https://x/simple\ndocker/more/b.txt:1 y (1) https://x/simple\njob.yml: ubuntu at docker/Dockerfile:1"},
		{"a conda file", job + "-- docker/Dockerfile --\nFROM ubuntu\nCOPY conda.yml .\nRUN conda env create -f conda.yml\n-- docker/conda.yml --\ndependencies: [x]\n",
			"docker/conda.yml:1 x (1)\njob.yml: ubuntu at docker/Dockerfile:1"},
		{"a file that is not there", job + "-- docker/Dockerfile --\nFROM ubuntu\nCOPY a.txt .\nRUN pip install -r a.txt\n", "job.yml: ubuntu at docker/Dockerfile:1 and more"},
		{"no Dockerfile", job + "-- docker/a.txt --\nx\n", "job.yml:"},
		{"an address", strings.Replace(job, "path: docker", "path: 'https://github.com/a/b#main:docker'", 1) + "-- docker/Dockerfile --\nFROM ubuntu\n", "job.yml:"},
		{"a template", job + "-- docker/Dockerfile --\nFROM acme/x:{{latest-image-tag}}\nRUN pip install x\n", "docker/Dockerfile:2 x (1)\njob.yml:"},
		{"later commands", job + "-- docker/Dockerfile --\nFROM ubuntu\nRUN pip install x==1 y==1 w\nRUN pip install x==2 y && pip uninstall -y w\n", "docker/Dockerfile:2 y==1 (1)\ndocker/Dockerfile:3 x==2 (1)\njob.yml: ubuntu at docker/Dockerfile:1"},
		{"a component is no user", "-- job.yml --\n#pipelineJob\ntype: pipeline\njobs:\n  a: {component: part.yml}\n-- part.yml --\n#commandComponent\nname: p\ncommand: a\nenvironment: {build: {path: docker}}\n-- docker/Dockerfile --\nFROM ubuntu\nRUN pip install x\n",
			"docker/Dockerfile:2 x (1)\njob.yml: jobs.a: ubuntu at docker/Dockerfile:1\npart.yml: ubuntu at docker/Dockerfile:1"},
		{"SDK v1, own packages", "-- .azureml/a.runconfig --\nscript: a.py\ntarget: c\nenvironment: {docker: {baseDockerfile: Dockerfile}}\n-- Dockerfile --\nFROM ubuntu\nRUN pip install x\n", "a: ubuntu at Dockerfile:1"},
		{"SDK v1, the image's packages", "-- .azureml/a.runconfig --\nscript: a.py\ntarget: c\nenvironment: {python: {userManagedDependencies: true}, docker: {baseDockerfile: Dockerfile}}\n-- Dockerfile --\nFROM ubuntu\nCOPY a.txt .\nRUN pip install x -r a.txt\n-- a.txt --\ny\n",
			"Dockerfile:3 x (1)\na: ubuntu at Dockerfile:1 and more"},
		{"SDK v1, in place", "-- .azureml/a.runconfig --\nscript: a.py\ntarget: c\nenvironment:\n  python: {userManagedDependencies: true}\n  docker:\n    baseDockerfile: \"FROM ubuntu\\nRUN pip install x\"\n",
			".azureml/a.runconfig:6 x (1)\na: ubuntu at .azureml/a.runconfig:6"},
	} {
		t.Run(c.name, func(t *testing.T) { testkit.Same(t, c.want, built(t, c.files)) })
	}
}

// indexesOf returns the addresses that the options around a pip package name: those of its list, or in a Dockerfile
// those of its command.
func indexesOf(e *schema.Environment, of schema.Package) (urls []string) {
	for _, p := range e.Together() {
		if p.Err == nil && p.Manager == requirement.Pip && p.Requirement.Kind == requirement.Option && p.Command == of.Command && p.Requirement.OptionValue != "" {
			urls = append(urls, p.Requirement.OptionValue)
		}
	}
	return urls
}
