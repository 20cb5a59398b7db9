//go:build linux

package v2_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/internal/filetest"
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/solve"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestEnvironmentsSolve runs uv, as --check does, on pip's part of every environment that is written for the real
// projects, with only PyPI's wheels. It needs the network.
func TestEnvironmentsSolve(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	uv := filepath.Join(filepath.Dir(judge.Python(t)), "uv")
	asked := map[string]bool{} // the requests so far
	resolve := func(r solve.Request) (bool, string, error) {
		key := strings.Join(append(r.Arguments(), r.Input()), " ")
		if solved, known := asked[key]; known && solved {
			return true, "", nil
		}
		cmd := exec.CommandContext(t.Context(), uv, append(r.Arguments(), "--no-config")...)
		cmd.Stdin = strings.NewReader(r.Input())
		var out bytes.Buffer
		cmd.Stderr = &out
		err := cmd.Run()
		if asked[key] = err == nil; err == nil {
			return true, "", nil
		}
		said, known := solve.Read(out.String())
		if !known {
			t.Fatalf("uv: %s", said)
		}
		return false, said, nil
	}
	lists, count := map[string]*migrate.Conda{}, map[solve.Outcome]int{}
	for _, root := range filetest.Projects(t) {
		p := schema.Load(root, schema.Options{})
		if len(p.RunConfigurations()) == 0 {
			continue
		}
		m, err := migrate.New(p, v2.Emitter{}, migrate.Options{Out: filepath.Join(root.Dir, "azureml"), Resolve: resolve})
		testkit.OK(t, err)
		for _, c := range m.Conda {
			var list strings.Builder
			for _, item := range c.Items {
				list.WriteString(item.Manager.String() + " " + item.Raw + "\n")
			}
			if c.Verdict.Checked > 0 && lists[list.String()] == nil {
				lists[list.String()] = c
				count[c.Verdict.Outcome]++
			}
		}
	}
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		if c := lists[list]; c.Verdict.Outcome != solve.Solved {
			t.Logf("%s: %s\n%s", c.Result(), strings.Join(c.Details(), "; "), list)
		}
	}
	t.Logf("%d lists: %d solved, %d with a package that is published only as source, %d not solved", len(lists), count[solve.Solved], count[solve.Source], count[solve.Unsolved])
	if len(lists) < 30 || count[solve.Solved]*100 < 95*len(lists) {
		t.Error("less than 95 % of the lists can be installed, or the corpus is incomplete")
	}
}
