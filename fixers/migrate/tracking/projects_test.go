package tracking_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema/testkit"
)

// scriptsVariable names a folder of projects whose scripts are rewritten instead of the v2 corpus.
const scriptsVariable = "AMLFIX_TEST_SCRIPTS"

// TestScriptsOfProjects rewrites all scripts of a folder, logs their number, and checks that Python can compile the new
// ones.
func TestScriptsOfProjects(t *testing.T) {
	testkit.Program(t, "python3")
	root := os.Getenv(scriptsVariable)
	if root == "" {
		root = testkit.CorpusV2(t, "projects")
	}
	var texts []string
	var names []string
	scripts, rewritten, calls, left, alone, without := 0, 0, 0, 0, 0, 0
	reasons := map[string]int{}
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".py") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte("azureml")) {
			return err
		}
		r := tracking.Rewrite(text, tracking.Options{})
		for _, l := range r.Skipped {
			if reasons[l.Why]++; l.Code == "" {
				alone++
			}
		}
		if len(r.Skipped) == 0 && r.Text == nil {
			return nil
		}
		scripts, calls, left = scripts+1, calls+len(r.Calls), left+len(r.Skipped)
		if r.Text == nil {
			return nil
		}
		rewritten++
		if len(r.Skipped) == 0 {
			without++
		}
		if again := tracking.Rewrite(r.Text, tracking.Options{}); again.Text != nil {
			t.Errorf("%s: a second run changes it again", name)
		}
		names, texts = append(names, name), append(texts, string(r.Text))
		return nil
	})
	testkit.OK(t, err)
	in, err := json.Marshal(texts)
	testkit.OK(t, err)
	cmd := exec.Command("python3", "-I", "-W", "ignore", "-c", `
import ast, json, sys
for i, text in enumerate(json.load(sys.stdin)):
    try:
        ast.parse(text.lstrip("\ufeff"))
    except SyntaxError as e:
        print(json.dumps([i, str(e)]))`)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	testkit.OK(t, err)
	for line := range strings.Lines(string(out)) {
		var fault [2]any
		testkit.OK(t, json.Unmarshal([]byte(line), &fault))
		t.Errorf("%s is no longer valid Python: %v", names[int(fault[0].(float64))], fault[1])
	}
	t.Logf("%d scripts use the run; %d rewritten, %d of them without anything left; %d calls rewritten, %d uses left, %d scripts left alone", scripts, rewritten, without, calls, left, alone)
	for why, n := range reasons {
		t.Logf("%4d %s", n, cmp.Or(why, "no call that is rewritten"))
	}
}
