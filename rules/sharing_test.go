package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// sharedFiles is a repository of two projects: a for the CPU, b for GPUs.
const sharedFiles = `
-- a/aml_config/vm.runconfig --
ArgumentVector: [a.py]
Target: vm
Framework: Python
CondaDependenciesFile: A_PATH
-- a/aml_config/vm.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
-- b/aml_config/vm.runconfig --
ArgumentVector: [a.py]
Target: vm
Framework: Python
CondaDependenciesFile: B_PATH
-- b/aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
nvidiaDocker: true
-- v/env.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: e
image: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04
conda_file: ../common/v.yml
-- common/v.yml --
dependencies:
- tensorflow=1.4.1
-- common/c.yml --
dependencies:
- tensorflow=1.4.1
-- a/aml_config/d.yml --
dependencies:
- tensorflow=1.4.1
-- b/aml_config/c.yml --
dependencies:
- tensorflow=1.4.1
-- .git/HEAD --
ref: refs/heads/main
`

// TestSharingAmongProjects checks that a conda file that another project's CPU job uses is never swapped in place,
// whatever part of the repository is checked, and that nothing is split for another reason.
func TestSharingAmongProjects(t *testing.T) {
	for name, test := range map[string]struct {
		a, b    string
		looked  string // the path given
		inPlace bool
	}{
		"both outside":             {"../common/c.yml", "../common/c.yml", ".", false},
		"backslashes":              {`..\common\c.yml`, `..\common\.\c.yml`, ".", false},
		"into the other":           {"../b/aml_config/c.yml", "aml_config/c.yml", ".", false},
		"out of the other":         {"aml_config/d.yml", "../a/aml_config/d.yml", ".", false},
		"out of it, one file":      {"aml_config/d.yml", "../a/aml_config/d.yml", "b/aml_config/vm.runconfig", false},
		"unused there":             {"aml_config/other.yml", "../a/aml_config/d.yml", ".", true},
		"by v2":                    {"aml_config/other.yml", "../common/v.yml", ".", false},
		"through v2, one file":     {"aml_config/other.yml", "../common/v.yml", "b/aml_config/vm.compute", false},
		"one file given":           {"../common/c.yml", "../common/c.yml", "b/aml_config/vm.runconfig", false},
		"one folder given":         {"../b/aml_config/c.yml", "aml_config/c.yml", "b", false},
		"each its own":             {"aml_config/other.yml", "aml_config/c.yml", ".", true},
		"other of that name":       {"../common/c.yml", "aml_config/c.yml", ".", true},
		"only the GPU job":         {"aml_config/c.yml", "../common/c.yml", ".", true},
		"through a link":           {"aml_config/link.yml", "../common/c.yml", ".", false},
		"through a link, one file": {"aml_config/link.yml", "../common/c.yml", "b/aml_config/vm.compute", false},
		"through a linked folder":  {"aml_config/linked/c.yml", "../common/c.yml", ".", false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := schema.Identity(t.TempDir())
			files := strings.NewReplacer("A_PATH", test.a, "B_PATH", test.b).Replace(sharedFiles)
			for _, f := range txtar.Parse([]byte(files)).Files {
				testkit.Write(t, dir, f.Name, f.Data)
			}
			if strings.Contains(test.a, "link") {
				link, inner, _ := strings.Cut(strings.TrimPrefix(test.a, "aml_config/"), "/")
				target := filepath.Join("..", "..", "common", strings.TrimSuffix("c.yml", inner))
				if err := os.Symlink(target, filepath.Join(dir, "a", "aml_config", link)); err != nil {
					t.Skipf("SKIPPED: no symbolic links here: %v", err)
				}
			}
			given := filepath.Join(dir, filepath.FromSlash(test.looked))
			roots, err := schema.Discover([]string{given})
			testkit.OK(t, err)
			sharing := rules.NewSharing(roots, []string{given})
			found := false
			for _, root := range roots {
				for _, f := range rules.Check(schema.Load(root, schema.Options{Sharing: sharing})) {
					if f.Rule != "gpu/cpu-package" {
						continue
					}
					found = true
					if f.Fix == nil || f.Fix.Applicability != finding.Safe {
						t.Fatalf("no safe fix: %s", f.Message)
					}
					if inPlace := f.Fix.Changes[0].Op == finding.SetScalar && len(f.Fix.Changes) == 1; inPlace != test.inPlace {
						t.Errorf("in place %v, want %v: %s", inPlace, test.inPlace, f.Message)
					}
				}
			}
			if !found {
				t.Error("the CPU package is not reported")
			}
		})
	}
}

// TestSharingKeepsTexts checks that a text that was read to find what it names is used at most once, and never for a
// project that was loaded before: files may have changed since.
func TestSharingKeepsTexts(t *testing.T) {
	const old, changed = "ArgumentVector: [a.py]", "Target: docker"
	for name, test := range map[string]struct {
		before []string // the projects loaded before the texts are read
		want   []string // how the texts begin that a, a and b then have
	}{
		"loaded later":  {[]string{"b"}, []string{old, changed, changed}},
		"loaded before": {[]string{"a", "b"}, []string{changed, changed, changed}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := schema.Identity(t.TempDir())
			files := strings.NewReplacer("A_PATH", "aml_config/d.yml", "B_PATH", "aml_config/c.yml").Replace(sharedFiles)
			for _, f := range txtar.Parse([]byte(files)).Files {
				testkit.Write(t, dir, f.Name, f.Data)
			}
			roots, err := schema.Discover([]string{dir})
			testkit.OK(t, err)
			sharing := rules.NewSharing(roots, []string{dir})
			load := func(project string) *schema.Project {
				root := roots[slices.IndexFunc(roots, func(r schema.Root) bool { return filepath.Base(r.Dir) == project })]
				texts := sharing.Take(root.Dir)
				return schema.Load(root, schema.Options{Sharing: sharing, Text: func(path string) ([]byte, bool) {
					text, ok := texts[path]
					return text, ok
				}})
			}
			var last *schema.Project
			for _, project := range test.before {
				last = load(project)
			}
			rules.Check(last) // reads the texts
			for _, project := range []string{"a", "b"} {
				testkit.Write(t, dir, project+"/aml_config/vm.runconfig", []byte(changed+"\n"))
			}
			var got []string
			for _, project := range []string{"a", "a", "b"} {
				text, _, _ := strings.Cut(string(load(project).FileAt("aml_config/vm.runconfig").Source.Text), "\n")
				got = append(got, text)
			}
			testkit.Same(t, test.want, got, "")
		})
	}
}
