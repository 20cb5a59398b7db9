//go:build unix

package schema_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// linked is a project whose files have several names.
const linked = `
-- repo/.git/config --
token: x
-- repo/a/aml_config/one.compute --
type: local
-- repo/a/aml_config/one.runconfig --
Target: two
CondaDependenciesFile: env/deps.yml
-- repo/a/envs/deps.yml --
dependencies: [numpy]
-- repo/shared/vm.txt --
type: local
-- repo/b/train.py --
-- outside.yml --
dependencies: []
`

func layLinked(t *testing.T) string {
	t.Helper()
	dir := schema.Identity(testkit.Folder(t, linked))
	for name, target := range map[string]string{
		"a/aml_config/two.compute":  "one.compute",               // a second name
		"a/aml_config/vm.compute":   "../../shared/vm.txt",       // a name for what has none of its own
		"a/aml_config/vm2.compute":  dir + "/repo/shared/vm.txt", // and another, absolute
		"a/aml_config/git.compute":  "../../.git/config",         // into what is git's
		"a/aml_config/out.yml":      "../../../outside.yml",      // out of the tree
		"a/aml_config/loop.compute": "loop.compute",
		"a/.azureml":                "aml_config", // the whole folder
		"a/env":                     "envs",
		"b/aml_config":              "../a/aml_config", // another project with the same files
		"c":                         "a",               // a project that is not searched by this name
		"a/stray.runconfig":         "aml_config/one.runconfig",
	} {
		link(t, target, filepath.Join(dir, "repo", name))
	}
	return dir
}

// TestLinksAreNames holds that a link makes no second file of one, and that it does not matter from where the files are
// looked for.
func TestLinksAreNames(t *testing.T) {
	dir := layLinked(t)
	of := map[string]string{
		"repo/a": `
repo/a/aml_config/loop.compute: aml_config/loop.compute .azureml/loop.compute
repo/a/aml_config/one.compute: aml_config/one.compute .azureml/one.compute .azureml/two.compute aml_config/two.compute
repo/a/aml_config/one.runconfig: aml_config/one.runconfig .azureml/one.runconfig stray.runconfig
repo/a/envs/deps.yml: envs/deps.yml
repo/shared/vm.txt: .azureml/vm.compute .azureml/vm2.compute aml_config/vm.compute aml_config/vm2.compute
`,
		"repo/b": `
repo/a/aml_config/loop.compute: aml_config/loop.compute
repo/a/aml_config/one.compute: aml_config/one.compute aml_config/two.compute
repo/a/aml_config/one.runconfig: aml_config/one.runconfig
repo/shared/vm.txt: aml_config/vm.compute aml_config/vm2.compute
`}
	for path, want := range map[string][]string{
		"repo":                           {"repo/a", "repo/b"},
		"repo/b":                         {"repo/b"},
		"repo/a":                         {"repo/a"},
		"repo/a/aml_config":              {"repo/a"},
		"repo/a/.azureml":                {"repo/a"},
		"repo/c":                         {"repo/a"},
		"repo/c/stray.runconfig":         {"repo/a"},
		"repo/b/aml_config":              {"repo/a"}, // a link that is named is followed
		"repo/a/aml_config/two.compute":  {"repo/a"},
		"repo/a/aml_config/vm.compute":   {"repo/a"},
		"repo/a/aml_config/loop.compute": nil, // cannot be read
	} {
		roots, err := schema.Discover([]string{filepath.Join(dir, path)})
		if (err != nil) != (want == nil) {
			t.Errorf("%s: %v", path, err)
		}
		var got []string
		for _, root := range roots {
			name := shown(t, dir, root.Dir)
			got = append(got, name)
			if d := cmp.Diff(of[name], filesOf(t, dir, root)); d != "" || shown(t, dir, root.Boundary) != "repo" {
				t.Errorf("%s, by %s, in %s:\n%s", name, path, root.Boundary, d)
			}
		}
		testkit.Same(t, want, got, path)
	}
	roots, _ := schema.Discover([]string{filepath.Join(dir, "repo/a")})
	p := schema.Load(roots[0], schema.Options{})
	if job := p.Jobs[0]; len(p.Jobs) != 1 || len(p.Targets) != 2+1 || job.Target == nil || job.Target.Name != "one" || job.Environment == nil {
		t.Errorf("jobs %v, targets %v: a job's target may go by any name", p.Jobs, p.Targets)
	}
}

// filesOf returns a line for each file of a project: where it is, and its names.
func filesOf(t *testing.T, dir string, root schema.Root) string {
	t.Helper()
	var lines []string
	for _, f := range schema.Load(root, schema.Options{}).Files {
		lines = append(lines, shown(t, dir, f.Path)+": "+strings.Join(append([]string{f.Rel}, f.Also...), " ")+"\n")
	}
	slices.Sort(lines)
	return "\n" + strings.Join(lines, "")
}

// TestBoundaryOfATree holds that a project reads nothing outside its repository, whether the repository or a folder
// above it was given.
func TestBoundaryOfATree(t *testing.T) {
	dir := layLinked(t)
	for _, path := range []string{"", "repo", "repo/a"} {
		roots, err := schema.Discover([]string{filepath.Join(dir, path)})
		testkit.OK(t, err)
		for _, root := range roots {
			for _, f := range root.Files.All() {
				if name := shown(t, dir, f); name == "outside.yml" || strings.Contains(name, ".git/") {
					t.Errorf("%q: %s is a file of %s", path, name, root.Dir)
				}
			}
		}
	}
}

// TestIdentity tries names for what is there and what is not.
func TestIdentity(t *testing.T) {
	dir := layLinked(t)
	t.Chdir(filepath.Join(dir, "repo"))
	for name, want := range map[string]string{
		"a/aml_config/two.compute":       "repo/a/aml_config/one.compute",
		"b/aml_config/two.compute":       "repo/a/aml_config/one.compute",
		"c/.azureml/../envs//deps.yml":   "repo/a/envs/deps.yml",
		"a/env/deps.yml":                 "repo/a/envs/deps.yml",
		"c/env/new.yml":                  "repo/a/envs/new.yml",
		"c/new/x.yml":                    "repo/a/new/x.yml",
		"a/aml_config/loop.compute":      "repo/a/aml_config/loop.compute",
		"a/aml_config/one.compute/below": "repo/a/aml_config/one.compute/below",
		"":                               "repo",
	} {
		testkit.Same(t, want, shown(t, dir, schema.Identity(name)), "%q", name)
		testkit.Same(t, want, shown(t, dir, schema.IdentityFrom(schema.Identity("."), name)), "%q from here", name)
	}
	if _, err := os.Stat("A"); err != nil { // on a file system that does not fold case
		testkit.Same(t, "repo/A/x", shown(t, dir, schema.Identity("A/x")), "A/x")
	}
	testkit.Same(t, "/", schema.Identity("/"), "the root")
}

// TestTooDeep holds that a tree that cannot be searched to its end is reported.
func TestTooDeep(t *testing.T) {
	dir := t.TempDir()
	tooDeep(t, dir)
	roots, err := schema.Discover([]string{dir})
	list := schema.PathErrors(err)
	if len(roots) != 0 || len(list) != 1 || !strings.Contains(list[0].Error(), "too long for this system") || len(list[0].Error()) > 600 {
		t.Errorf("%v, %v", roots, err)
	}
}

// TestErrorsInOrder holds that the errors of several projects are in the order of their folders.
func TestErrorsInOrder(t *testing.T) {
	dir := t.TempDir()
	var paths, got []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		config := filepath.Join(dir, name, "aml_config")
		testkit.OK(t, os.MkdirAll(config, 0o755))
		tooDeep(t, filepath.Join(dir, name))
		paths = append(paths, config)
	}
	_, err := schema.Discover(paths)
	for _, e := range schema.PathErrors(err) {
		rel, err := filepath.Rel(dir, e.Path)
		testkit.OK(t, err)
		got = append(got, rel[:1])
	}
	testkit.Same(t, []string{"a", "b", "c", "d", "e", "f"}, got)
}

// tooDeep creates folders in dir whose path is too long for the system.
func tooDeep(t *testing.T, dir string) {
	t.Helper()
	top, err := os.OpenRoot(dir)
	testkit.OK(t, err)
	defer top.Close()
	in, part := top, strings.Repeat("d", 200)
	for range 25 {
		testkit.OK(t, in.Mkdir(part, 0o755))
		next, err := in.OpenRoot(part)
		testkit.OK(t, err)
		defer next.Close()
		in = next
	}
}

// TestBelow: a name that only begins like the folder's is not in it.
func TestBelow(t *testing.T) {
	for path, want := range map[string]bool{"/a/b": true, "/a/b/": true, "/a/b/c": true, "/a/b/..c": true, "/a/bc": false, "/a": false, "/a/b/../c": false, "c": false} {
		testkit.Same(t, want, schema.Below(filepath.FromSlash("/a/b"), filepath.FromSlash(path)), path)
	}
}
