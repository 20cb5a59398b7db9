//go:build unix

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// severalJobs has an environment shared by jobs on both kinds of target, and a job outside the configuration folder.
const severalJobs = `
-- repo/aml_config/gpu.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9
-- repo/aml_config/gpu.runconfig --
ArgumentVector: [job.sh]
Framework: PySpark
Target: gpu
CondaDependenciesFile: aml_config/conda_dependencies.yml
-- repo/aml_config/cpu.compute --
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
-- repo/aml_config/cpu.runconfig --
ArgumentVector: [job.sh]
Framework: Python
Target: cpu
CondaDependenciesFile: aml_config/conda_dependencies.yml
-- repo/aml_config/conda_dependencies.yml --
name: project_environment
dependencies:
  - python=3.5.2
  - pip:
    - tensorflow==1.4.0
-- repo/aml_config/here.compute --
type: local
pythonLocation: /bin/sh
pythonLocaton: x
-- repo/aml_config/here.runconfig --
ArgumentVector: [job.sh]
Framework: Python
Target: here
-- repo/jobs/sdk.runconfig --
script: job.sh
framework: Pyton
target: local
-- repo/job.sh --
echo hello
-- repo/.amlfix.yaml --
severity:
  schema/unknown-key: error
`

// standpoint is a folder in which to start amlfix, and the path to pass to it.
type standpoint struct {
	cwd, arg string
	inside   bool   // the working directory is in the project
	applies  bool   // git can apply a diff from there
	spelled  string // the working directory with its folders' own spelling; "" if identical to cwd
}

func standpoints(base string) map[string]standpoint {
	return map[string]standpoint{
		"the root":                            {"repo", "", true, true, ""},
		"the root, named":                     {"repo", ".", true, true, ""},
		"the root, by its absolute path":      {"repo", base + "/repo", true, true, ""},
		"aml_config":                          {"repo/aml_config", "", true, true, ""},
		"aml_config, the root named":          {"repo/aml_config", "..", true, true, ""},
		"aml_config, named":                   {"repo", "aml_config", true, true, ""},
		"a subfolder":                         {"repo/jobs", "", true, false, ""},
		"a subfolder, named":                  {"repo", "jobs/.", true, true, ""},
		"above":                               {"", "repo", false, true, ""},
		"above, aml_config by a crooked path": {"", "./repo/jobs/../aml_config/", false, true, ""},
		"elsewhere":                           {"other", "../repo", false, false, ""},
		"elsewhere, by an absolute path":      {"other", base + "/repo", false, false, ""},
		"through a link":                      {"", "sym", false, true, ""},
		"through a link, absolute":            {"other", base + "/sym", false, false, ""},
		"through a link to aml_config":        {"", "symconf", false, true, ""},
		"in a linked folder":                  {"sym", "", true, true, ""},
		"in a linked aml_config":              {"sym/aml_config", "", true, true, ""},
	}
}

// laidOut writes the project and links to it, and returns the parent folder.
func laidOut(t *testing.T) string {
	t.Helper()
	base := testkit.Folder(t, severalJobs)
	testkit.Git(t, filepath.Join(base, "repo"), "init", "-q")
	for name, to := range map[string]string{"sym": "repo", "symconf": "repo/aml_config"} {
		testkit.OK(t, os.Symlink(to, filepath.Join(base, name)))
	}
	testkit.OK(t, os.Mkdir(filepath.Join(base, "other"), 0o755))
	return base
}

var (
	anyPath  = regexp.MustCompile(`[^\s"'(]*?([\w.-]*\.(?:compute|runconfig|yml|yaml|sh|md|amlignore)\b)`)
	anyRunID = regexp.MustCompile(`\d{8}-\d{6}-[0-9a-f]{6}`)
	anyTime  = regexp.MustCompile(`\b\d[\d.:-]*(?:ms|s)?(?: +\d+:\d+(?::\d+)?)?\b`)
	forWhom  = regexp.MustCompile(`applies to .*\.`)
)

// plainly returns an output with paths reduced to base names, and its parts sorted.
func plainly(base, text, separator string) []string {
	text = strings.ReplaceAll(text, "\t\n", "\n") // after the name of a file in a folder with a space
	text = strings.ReplaceAll(text, base, "BASE")
	text = forWhom.ReplaceAllString(anyRunID.ReplaceAllString(anyPath.ReplaceAllString(text, "$1"), "RUN"), "applies")
	parts := strings.Split(strings.TrimSuffix(text, "\n"), separator)
	slices.Sort(parts)
	return parts
}

// fromRoot makes the paths in a JSON report relative to the project's root.
func fromRoot(t *testing.T, base, cwd string, value any) any {
	t.Helper()
	root := filepath.Join(resolved(t, base), "repo")
	switch v := value.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = fromRoot(t, base, cwd, value)
			name, ok := value.(string)
			if ok && (key == "path" || key == "uri" || key == "project") {
				v[key], _ = filepath.Rel(root, filepath.Join(cwd, name))
				if short, _ := filepath.Rel(cwd, filepath.Join(cwd, name)); short != name && name != "" {
					t.Errorf("%q is not the shortest path, %q", name, short)
				}
			}
		}
	case []any:
		for i := range v {
			v[i] = fromRoot(t, base, cwd, v[i])
		}
		slices.SortStableFunc(v, func(a, b any) int { return bytes.Compare(marshal(t, a), marshal(t, b)) })
	}
	return value
}

func marshal(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	testkit.OK(t, err)
	return text
}

func resolved(t *testing.T, name string) string {
	t.Helper()
	name, err := filepath.EvalSymlinks(name)
	testkit.OK(t, err)
	return name
}

// asked holds the results of commands from one standpoint, by command.
type asked map[string]any

// askFrom runs the commands that accept paths, and returns what they print and do.
func askFrom(t *testing.T, at standpoint, base string) asked {
	t.Helper()
	got, repo, cwd := asked{}, filepath.Join(base, "repo"), filepath.Join(base, at.cwd)
	real := resolved(t, filepath.Join(base, cmp.Or(at.spelled, at.cwd)))
	do := func(words ...string) result {
		if at.arg != "" {
			words = append(words, at.arg)
		}
		return amlfix(t, cwd, words...)
	}
	keep := func(name string, r result, separator string) {
		got[name] = []any{r.code, plainly(base, r.out, separator), plainly(base, r.err, "\n")}
	}
	for _, format := range []string{"json", "sarif"} {
		r := do("--format", format)
		var value any
		if err := json.Unmarshal([]byte(r.out), &value); err != nil {
			t.Fatalf("%v: %+v", err, r)
		}
		got[format] = []any{r.code, fromRoot(t, base, real, value), r.err}
	}
	asGiven := regexp.MustCompile(`amlfix --apply.*`) // with the paths as given
	text := do("check", "--verbose")
	text.out = asGiven.ReplaceAllString(text.out, "amlfix --apply")
	text.out = text.out[:strings.LastIndex(text.out, "\n\n")+1] // the summary is in the JSON report
	keep("text", text, "\n\n")
	keep("diff", do("--diff"), "--- ")
	keep("config", do("config"), "\n")
	targets := do("targets", "--format", "json")
	var list any
	if err := json.Unmarshal([]byte(targets.out), &list); err != nil {
		t.Fatalf("%v: %+v", err, targets)
	}
	got["targets"] = []any{targets.code, fromRoot(t, base, real, list), targets.err}

	before := contents(t, repo)
	raw := do("--diff", "--raw")
	if keep("diff --raw", raw, "--- "); strings.Contains(raw.out, "/..") || strings.Contains(raw.out, " a//") {
		t.Errorf("patch -p1 -d / does not find the files of\n%s", raw.out)
	}
	apply := do("--apply")
	apply.out = asGiven.ReplaceAllString(apply.out, "amlfix --apply")
	keep("apply", apply, "\n")
	applied := contents(t, repo)
	got["applied"] = applied
	keep("undo", do("undo"), "\n")
	if d := gocmp.Diff(before, contents(t, repo)); d != "" {
		t.Errorf("after undo:\n%s", d)
	}
	if at.applies {
		git := exec.Command("git", "apply", "-")
		git.Dir, git.Stdin = real, strings.NewReader(raw.out)
		if out, err := git.CombinedOutput(); err != nil {
			t.Errorf("git apply: %v\n%s\n%s", err, out, raw.out)
		}
		if d := gocmp.Diff(applied, contents(t, repo)); d != "" {
			t.Errorf("git apply and --apply differ:\n%s", d)
		}
		for name, text := range before {
			testkit.Write(t, repo, name, text)
		}
		for name := range applied {
			if _, was := before[name]; !was {
				_ = os.Remove(filepath.Join(repo, name))
			}
		}
	}
	keep("migrate", do("migrate", "--to", "v2", "--script", "job.sh"), "\n")
	got["migrated"] = contents(t, repo)
	keep("baseline", do("baseline"), "\n")
	got["with a baseline"] = contents(t, repo)
	keep("check with a baseline", do(), "\n\n")
	if at.inside {
		for name, args := range map[string]string{
			"run --plan": "run -c here --plan job.sh", "run --plan --apply": "run -c gpu --apply --plan job.sh",
			"prepare": "prepare -c here", "run": "run -c here job.sh",
		} {
			r := amlfix(t, cwd, strings.Fields(args)...)
			r.err = regexp.MustCompile(`after .*`).ReplaceAllString(r.err, "after TIME")
			keep(name, r, "\n")
		}
		list := amlfix(t, cwd, "runs", "list", "--no-color")
		list.out = strings.Join(strings.Fields(anyTime.ReplaceAllString(anyRunID.ReplaceAllString(list.out, "RUN"), "TIME")), " ")
		list.out = strings.ReplaceAll(list.out, " ..: ", " ") // the project, as seen from a folder in it
		keep("runs list", list, "\n")
	}
	return got
}

// TestOneIdentity checks that it makes no difference where amlfix is started and by which path the project is named:
// each file has one name, and what is found, planned, written and remembered is the same.
//
//testkit:norace
func TestOneIdentity(t *testing.T) {
	t.Parallel()
	base := laidOut(t)
	want := askFrom(t, standpoints(base)["the root"], base)
	if got := want["applied"].(map[string]string); !strings.Contains(got["aml_config/conda_dependencies_gpu.yml"], "tensorflow-gpu==1.4.0") ||
		!strings.Contains(got["aml_config/conda_dependencies.yml"], "tensorflow==1.4.0") {
		t.Fatalf("the shared environment is not split: %v", got)
	}
	for name := range standpoints("") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := laidOut(t)
			at := standpoints(base)[name]
			got := askFrom(t, at, base)
			for command, want := range want {
				if _, ran := got[command]; !ran && !at.inside {
					continue
				}
				if d := gocmp.Diff(want, got[command]); d != "" {
					t.Errorf("%s:\n%s", command, d)
				}
			}
		})
	}
}
