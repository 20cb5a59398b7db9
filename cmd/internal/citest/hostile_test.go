package citest

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/testkit"
)

// hostile are ways in which a change tries to hide its own problem. If makeBaseline is a file, amlfix baseline is also
// run on the change.
var hostile = map[string]map[string]string{
	"excludes":         {".amlfix.yaml": "exclude: ['**']\n"},
	"ignores":          {".amlfix.yaml": "ignore: [schema, ref]\n"},
	"makes it an info": {".amlfix.yaml": "severity: {schema: info}\n"},
	"never fails":      {".amlfix.yaml": "fail-on: never\n"},
	"selects others":   {".amlfix.yaml": "select: [gpu]\n"},
	"nearer settings":  {"jobs/.amlfix.yaml": "exclude: ['**']\n"},
	"the other name":   {"jobs/.amlfix.yml": "exclude: ['**']\n"},
	"a comment":        {"jobs/aml_config/vm.compute": "# amlfix: ignore schema/value -- trust me\ntype: loal\n"},
	"ignore-file":      {"jobs/aml_config/vm.compute": "type: loal\n# amlfix: ignore-file schema/value -- trust me\n"},
	"a baseline":       {makeBaseline: ""},
	"a nearer one":     {makeBaseline: "", "jobs/.amlfix.yaml": "paths: [{match: [aml_config/old.compute], ignore: [schema]}]\n"},
	"a named one":      {makeBaseline: "", ".amlfix.yaml": "baseline: known/faults.yaml\n", "known/x": ""},
	"attributes": {".gitattributes": ".amlfix.yaml text eol=crlf working-tree-encoding=latin-1 filter=x ident export-ignore\n",
		".amlfix.yaml": "exclude: ['**']\n"},
}

const makeBaseline = "(amlfix baseline)"

// TestHostileChange runs the action on pull requests and in a merge queue, with changes that contain a problem and try
// to suppress it.
func TestHostileChange(t *testing.T) {
	t.Parallel()
	origin, temp := filepath.Join(t.TempDir(), "base.git"), t.TempDir()
	testkit.OK(t, testkit.Build(filepath.Join(temp, "amlfix-bin", "amlfix"))) // TestAction lets the action install it
	for name, text := range scratch {
		if !strings.HasPrefix(name, "other/") {
			testkit.Write(t, origin, name, text)
		}
	}
	testkit.Write(t, origin, "jobs/aml_config/old.compute", "type: loal\n") // accepted in the base
	testkit.Write(t, origin, "vendor/aml_config/x.compute", "type: loal\n")
	testkit.Write(t, origin, ".amlfix.yaml", "exclude: ['vendor/**']\npaths: [{match: [jobs/aml_config/old.compute], ignore: [schema]}]\n")
	testkit.Git(t, origin, "init", "-q", "-b", "main")
	testkit.Git(t, origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	testkit.Git(t, origin, "add", "-A")
	testkit.Git(t, origin, "commit", "-qm", "base")
	base := strings.TrimSpace(testkit.Git(t, origin, "rev-parse", "HEAD"))
	// checkout creates what actions/checkout leaves: one commit, without the base.
	checkout := func(t *testing.T, change map[string]string) string {
		t.Helper()
		fork := filepath.Join(t.TempDir(), "fork")
		testkit.Git(t, temp, "clone", "-q", origin, fork)
		for name, text := range change {
			if name != makeBaseline {
				testkit.Write(t, fork, name, text)
			}
		}
		if _, ok := change[makeBaseline]; ok {
			cmd := exec.Command(filepath.Join(temp, "amlfix-bin", "amlfix"), "baseline")
			cmd.Dir = fork
			testkit.Output(t, cmd)
		}
		testkit.Git(t, fork, "add", "-A")
		testkit.Git(t, fork, "commit", "-q", "--allow-empty", "-m", "change")
		testkit.Git(t, fork, "push", "-q", "--force", "origin", "HEAD:refs/pull/1/merge")
		dir := t.TempDir()
		testkit.Git(t, dir, "init", "-q")
		testkit.Git(t, dir, "remote", "add", "origin", "file://"+origin)
		testkit.Git(t, dir, "fetch", "-q", "--depth=1", "origin", "refs/pull/1/merge")
		testkit.Git(t, dir, "checkout", "-q", "FETCH_HEAD")
		return dir
	}
	events := func(more ...string) map[string]string {
		m := map[string]string{pullRequest: base}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	run := func(t *testing.T, dir string, inputs map[string]string, want string) *runner {
		t.Helper()
		r, ok := act(t, temp, dir, inputs)
		if got := r.context["outputs.exit-status"]; got != want || ok != (want == "0") {
			t.Errorf("exit status %q, want %q; ok: %v\n%s", got, want, ok, r.log)
		}
		return r
	}
	good := checkout(t, map[string]string{"jobs/train.py": "print(2)\n"})
	run(t, good, events(), "0") // what the base accepts is not a problem of a change
	faulty := map[string]string{"jobs/aml_config/vm.compute": "type: loal\n"}
	run(t, checkout(t, faulty), events(), "1")
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		t.Run(name, func(t *testing.T) {
			change := maps.Clone(faulty)
			maps.Copy(change, hostile[name])
			dir := checkout(t, change)
			r := run(t, dir, events(), "1")
			if !strings.Contains(r.log, "vm.compute:") || !strings.Contains(r.log, "[schema/value]") || strings.Contains(r.log, "old.compute:") {
				t.Errorf("the fault of the change, and no other, must be reported:\n%s", r.log)
			}
			run(t, dir, events("settings-from", "change"), "0") // otherwise there is nothing to defend against
			if name == "excludes" {
				run(t, dir, map[string]string{mergeQueue: base}, "1")
				run(t, dir, events("working-directory", "jobs"), "1")
				run(t, dir, events("args", "--settings .amlfix.yaml"), "2")
			}
		})
	}
	t.Run("by hand", func(t *testing.T) {
		scripts := guide(t)
		if len(scripts) != 2 {
			t.Fatalf("the guide has %d scripts for changes from others", len(scripts))
		}
		for _, script := range scripts {
			for name, want := range map[string]bool{"": true, "excludes": false, "a comment": false} {
				change := map[string]string{}
				if name != "" {
					maps.Copy(change, faulty)
					maps.Copy(change, hostile[name])
				}
				cmd := exec.Command("bash", "-eo", "pipefail", "-c", script)
				cmd.Dir = checkout(t, change)
				cmd.Env = append(os.Environ(), "PATH="+filepath.Join(temp, "amlfix-bin")+":"+os.Getenv("PATH"), "TMPDIR="+t.TempDir(),
					"CI_MERGE_REQUEST_PROJECT_URL=file://"+strings.TrimSuffix(origin, ".git"), "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
					"SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/main")
				if out, err := cmd.CombinedOutput(); (err == nil) != want || want != !strings.Contains(string(out), "vm.compute") {
					t.Errorf("%q: %v\n%s%s", name, err, script, out)
				}
			}
		}
	})
	t.Run("the base cannot be had", func(t *testing.T) {
		dir := checkout(t, hostile["excludes"])
		for _, inputs := range []map[string]string{{pullRequest: strings.Repeat("1", 40)}, events("settings-from", "anything")} {
			if r, ok := act(t, temp, dir, inputs); ok {
				t.Errorf("the gate is open:\n%s", r.log)
			}
		}
		testkit.OK(t, os.RemoveAll(filepath.Join(dir, ".git")))
		if r, ok := act(t, temp, dir, events()); ok {
			t.Errorf("the gate is open without a repository:\n%s", r.log)
		}
	})
}

// guide returns the scripts for untrusted changes in the CI guide, without the line that installs amlfix.
func guide(t *testing.T) (scripts []string) {
	t.Helper()
	for _, text := range slices.Concat(slices.Collect(maps.Values(snippets(t)))...) {
		var pipeline struct {
			Amlfix struct{ Script []string }
			Steps  []struct{ Script string }
		}
		if !strings.Contains(text, "--settings-from") {
			continue
		}
		testkit.OK(t, yaml.Unmarshal([]byte(text), &pipeline))
		script := strings.Join(pipeline.Amlfix.Script, "\n")
		for _, s := range pipeline.Steps {
			script += s.Script
		}
		var lines []string
		for line := range strings.Lines(strings.ReplaceAll(script, `"$(go env GOPATH)/bin/amlfix"`, "amlfix")) {
			if !strings.HasPrefix(line, "go install ") {
				lines = append(lines, line)
			}
		}
		scripts = append(scripts, strings.Join(lines, ""))
	}
	return scripts
}
