package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

const hostile = `
-- job/aml_config/vm.compute --
type: remotedocker
address: h
username: u
baseDockerImage: microsoft/mmlspark:plus-0.9.9
wrong: 1
-- job/aml_config/vm.runconfig --
Target: vm
Framework: Python
ArgumentVector: [train.py]
-- job/train.py --
-- outside/theirs --
theirs
-- job/sub/x --
`

// TestHostileLinks checks that commands never write through links in a repository, and report them.
func TestHostileLinks(t *testing.T) {
	for name, test := range map[string]struct {
		links map[string]string // in job, by name
		args  string
		code  int
		says  string
	}{
		"report over a file outside": {map[string]string{"r.json": "../outside/theirs"}, "--exit-zero --format json=r.json", 3, "r.json is a link"},
		"report makes a hook":        {map[string]string{"r.json": ".git/hooks/post-commit"}, "--exit-zero --format json=r.json", 3, "r.json is a link"},
		"report below a link":        {map[string]string{"out": "../outside"}, "--exit-zero --format sarif=out/r.sarif", 3, "out is a link"},
		"report in git's folder":     {nil, "--exit-zero --format json=.git/hooks/post-commit", 3, "belongs to git"},
		"report in another case":     {nil, "--exit-zero --format json=.Git/r", 3, "belongs to git"},
		"report from above":          {map[string]string{"r.json": "../outside/theirs"}, "--exit-zero --format json=../job/r.json", 3, "r.json is a link"},
		"a new baseline":             {map[string]string{".amlfix-baseline.yaml": "../outside/new"}, "baseline", 3, ""},
		"a baseline to git's":        {map[string]string{".amlfix-baseline.yaml": ".git/hooks/post-commit"}, "baseline", 3, ""},
		"settings by init":           {map[string]string{".amlfix.yaml": "../outside/new"}, "init", 0, ""},
		"pre-commit by init":         {map[string]string{".pre-commit-config.yaml": "../outside/new"}, "init", 0, "is a link to nothing, or to something outside the repository"},
		"pre-commit inside, by init": {map[string]string{".pre-commit-config.yaml": "sub/x"}, "init", 0, "is a link, and amlfix does not write through links; add this to its repos"},
		"workflow by init":           {map[string]string{".github": "../outside"}, "init", 3, ".github is a link"},
		"workflows by init":          {map[string]string{".github/workflows": "../../outside"}, "init", 3, "workflows is a link"},
		"attach":                     {map[string]string{"aml_config/new.compute": "../../outside/new"}, "attach localdocker --name new", 3, "already exists"},
		"migration":                  {map[string]string{"azureml": "../outside/new"}, "migrate --to v2 --script train.py", 3, ""},
		"migration to an empty one":  {map[string]string{"azureml": "../empty"}, "migrate --to v2 --script train.py", 3, "azureml is a link"},
		"migration that is tried":    {nil, "migrate --to v2 --script train.py --out sub --dry-run", 0, "sub: already exists"},
		"migration into git's":       {nil, "migrate --to v2 --script train.py --out .git/hooks", 3, "belongs to git"},
		"migration into records":     {nil, "migrate --to v2 --script train.py --out .amlfix/x", 3, "belongs to git or amlfix"},
		"migration below a link":     {map[string]string{"out": "../outside"}, "migrate --to v2 --script train.py --out out/new", 3, "out is a link"},
	} {
		t.Run(name, func(t *testing.T) {
			top := testkit.Folder(t, hostile)
			job := filepath.Join(top, "job")
			for _, dir := range []string{"job/.git/hooks", "empty"} {
				testkit.OK(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
			}
			for link, target := range test.links {
				testkit.OK(t, os.MkdirAll(filepath.Join(job, filepath.Dir(link)), 0o755))
				testkit.OK(t, os.Symlink(target, filepath.Join(job, link)))
			}
			before := theirs(t, top)
			r := amlfix(t, job, strings.Fields(test.args)...)
			if r.code != test.code || !strings.Contains(r.err, test.says) {
				t.Errorf("exit %d, want %d with %q: %s%s", r.code, test.code, test.says, r.out, r.err)
			}
			testkit.Same(t, before, theirs(t, top))
		})
	}
}

// theirs returns the files that must not be written to, and the targets of links.
func theirs(t *testing.T, top string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(top, func(name string, e os.DirEntry, err error) error {
		rel, _ := filepath.Rel(top, name)
		switch {
		case err != nil || e.IsDir():
			return err
		case e.Type()&os.ModeSymlink != 0:
			all[rel], err = os.Readlink(name)
		case !strings.HasPrefix(rel, "job/") || strings.HasPrefix(rel, "job/.git/") || strings.HasPrefix(rel, "job/.amlfix/") || rel == "job/sub/x":
			all[rel] = testkit.Read(t, top, rel)
		}
		return err
	})
	testkit.OK(t, err)
	return all
}

// TestReportsWhereTheUserSays checks that a report may be written outside the tree, where everything is the user's own.
func TestReportsWhereTheUserSays(t *testing.T) {
	top := testkit.Folder(t, hostile)
	job := filepath.Join(top, "job")
	testkit.OK(t, os.Symlink("outside", filepath.Join(top, "mine")))
	for _, name := range []string{"../outside/r.json", "../mine/s.json", "r.json", "sub/r.json", os.DevNull, "../outside/r.json"} {
		if r := amlfix(t, job, "--exit-zero", "--format", "json="+name); r.code != console.OK || r.err != "" {
			t.Errorf("%s: %v", name, r)
		}
	}
	want := testkit.Read(t, top, "job/r.json")
	for _, name := range []string{"outside/r.json", "outside/s.json", "job/sub/r.json"} {
		if got := testkit.Read(t, top, name); got != want || !strings.Contains(got, `"findings"`) {
			t.Errorf("%s holds %q", name, got)
		}
	}
}

// TestReportsReplaceNoJob checks that a report does not overwrite a file that amlfix checks.
func TestReportsReplaceNoJob(t *testing.T) {
	dir := testkit.Folder(t, gpuFaults)
	before := contents(t, dir)
	for _, name := range []string{"aml_config/vm.compute", "aml_config/vm.runconfig", ".amlfix.yaml", ".amlfix-baseline.yaml", "job.yml"} {
		if r := amlfix(t, dir, "--format", "json="+name); r.code != console.BadUsage || !strings.Contains(r.err, name+" is named as the files that amlfix checks") {
			t.Errorf("%+v", r)
		}
	}
	testkit.Same(t, before, contents(t, dir))
}
