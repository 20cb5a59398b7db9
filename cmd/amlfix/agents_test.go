package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// conciseLine is a line of --format concise, as documented in docs/agents.md.
var conciseLine = regexp.MustCompile(`^(.+):(\d+):(\d+): (error|warning|info) (\S+) (.*) \[to (\d+):(\d+)\](?: \[(fix|unsafe fix|choice) ([0-9a-f]{10})\])?$`)

// fixable returns how many findings of a rule a check prints with a fix that needs no answer. All other lines must be
// findings or the summary.
func fixable(t *testing.T, dir, rule string) (n int) {
	t.Helper()
	r := amlfix(t, dir, "--format", "concise", "--verbose")
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	for i, line := range lines {
		m := conciseLine.FindStringSubmatch(line)
		switch {
		case m == nil && i < len(lines)-1:
			t.Errorf("not a line of concise: %q", line)
		case m != nil && m[5] == rule && (m[9] == "fix" || m[9] == "unsafe fix"):
			n++
		}
	}
	return n
}

// TestFixEach has the script in docs/agents.md repair the example of each rule that has a fix, using only --format
// concise and amlfix fix.
func TestFixEach(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is one for sh")
	}
	script, err := filepath.Abs("testdata/fix-each.sh")
	testkit.OK(t, err)
	self, err := os.Executable()
	testkit.OK(t, err)
	bin := t.TempDir()
	testkit.OK(t, os.Symlink(self, filepath.Join(bin, "amlfix")))
	projects := 0
	for _, rule := range rules.All() {
		dir := testkit.Folder(t, rule.Bad)
		if fixable(t, dir, rule.ID) == 0 {
			continue
		}
		projects++
		t.Run(rule.ID, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("sh", script)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), asMain+"=1", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			if n := fixable(t, dir, rule.ID); n > 0 {
				t.Errorf("%d findings are left", n)
			}
		})
	}
	if projects < 30 {
		t.Errorf("only %d rules have an example with a fix", projects)
	}
}

// TestAgentsPage checks that docs/agents.md shows amlfix's real output and the script that is tested.
func TestAgentsPage(t *testing.T) {
	page := testkit.Read(t, filepath.Join("..", "..", "docs"), "agents.md")
	blocks := regexp.MustCompile("(?s)```(console|sh)\n(.*?)```").FindAllStringSubmatch(page, -1)
	said := testkit.Read(t, "testdata", "agents.txtar")
	_, said, _ = strings.Cut(said, "-- "+transcriptName+" --\n")
	said = regexp.MustCompile(`(?m)^\((stderr|exit \d+)\)\n`).ReplaceAllString(said, "")
	commands := 0
	for _, b := range blocks {
		switch {
		case b[1] == "sh":
			if !strings.Contains(testkit.Read(t, "testdata", "fix-each.sh"), b[2]) {
				t.Errorf("the script is another one than testdata/fix-each.sh:\n%s", b[2])
			}
		case !strings.Contains(said, b[2]):
			t.Errorf("testdata/agents.txtar does not have:\n%s", b[2])
		default:
			commands += strings.Count(b[2], "$ amlfix ")
		}
	}
	if !strings.Contains(page, "\n"+conciseLine.String()+"\n") {
		t.Error("the page does not have the regular expression of the test")
	}
	if kinds := slices.IndexFunc(blocks, func(b []string) bool { return b[1] == "sh" }); kinds < 0 || commands < 6 {
		t.Errorf("%d commands are shown, and the script: %v", commands, kinds >= 0)
	}
}

// TestFixAlone makes each fix of each example by its ID. The files then have the edits of that fix in the JSON report
// and no others, --diff has written nothing, the ID is gone, and undo restores the bytes.
func TestFixAlone(t *testing.T) {
	examples := map[string]string{
		// without the first one, the finding of the last one has the same words about the second
		"three of a kind": "-- aml_config/conda_dependencies.yml --\ndependencies:\n  - numpy\n  - conda-forge::numpy\n  - numpy>2\n",
	}
	for _, rule := range rules.All() {
		examples[rule.ID] = rule.Bad
	}
	tried := 0
	for name, example := range examples {
		dir := testkit.Folder(t, example)
		before := contents(t, dir)
		for id, want := range fixes(t, dir) {
			tried++
			if r := amlfix(t, dir, "fix", "--diff", id); r.code != console.Findings || !maps.Equal(contents(t, dir), before) {
				t.Errorf("%s: fix --diff %s: %+v", name, id, r)
			}
			if r := amlfix(t, dir, "fix", id); r.code != console.OK {
				t.Errorf("%s: fix %s: %+v", name, id, r)
			}
			testkit.Same(t, want, contents(t, dir), "%s: fix %s", name, id)
			if r := amlfix(t, dir, "fix", id); r.code != console.BadUsage {
				t.Errorf("%s: fix %s again: %+v", name, id, r)
			}
			if r := amlfix(t, dir, "undo"); r.code != console.OK || !maps.Equal(contents(t, dir), before) {
				t.Errorf("%s: undo: %+v", name, r)
			}
		}
	}
	if tried < 40 {
		t.Errorf("there are only %d fixes", tried)
	}
}

// fixes returns the files that the edits of each fix in a JSON report make, by the IDs of the fixes.
func fixes(t *testing.T, dir string) (all map[string]map[string]string) {
	t.Helper()
	var report struct {
		Findings []struct {
			Fix *struct {
				ID    string
				Edits []struct {
					Path, Text string
					Start, End int
				}
			}
		}
	}
	testkit.OK(t, json.Unmarshal([]byte(amlfix(t, dir, "--format", "json").out), &report))
	all = map[string]map[string]string{}
	for _, f := range report.Findings {
		if f.Fix == nil || len(f.Fix.Edits) == 0 {
			continue
		}
		files := contents(t, dir)
		for _, e := range slices.Backward(f.Fix.Edits) {
			text := files[e.Path]
			files[e.Path] = text[:e.Start] + e.Text + text[e.End:]
		}
		all[f.Fix.ID] = files
	}
	return all
}

// contents returns the files below a folder, except git's.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range listFiles(t, dir) {
		if info, err := os.Stat(filepath.Join(dir, name)); !strings.HasPrefix(name, ".git/") && err == nil && !info.IsDir() {
			all[name] = testkit.Read(t, dir, name)
		}
	}
	return all
}
