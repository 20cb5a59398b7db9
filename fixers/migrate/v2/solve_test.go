package v2_test

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/internal/filetest"
	"github.com/amlfix/amlfix/fixers/migrate"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestEnvironmentsSolve gives pip's part of every environment that is written for the
// real projects to uv, a resolver, with PyPI's wheels alone. What PyPI has only as
// source is counted apart: whether that can be built is not known. It needs the
// network.
func TestEnvironmentsSolve(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	uv := testkit.Program(t, "uv")
	solved, source := 0, 0
	lists := pipLists(t)
	for list, python := range lists {
		name := filepath.Join(t.TempDir(), strconv.Itoa(solved)+".txt")
		testkit.OK(t, os.WriteFile(name, []byte(list), 0o600))
		out, err := exec.CommandContext(context.Background(), uv, "pip", "compile", "-q", "--only-binary", ":all:", "--python-version", python, "--python-platform", "x86_64-manylinux_2_28", name).CombinedOutput() //nolint:gosec // the program is uv
		switch {
		case err == nil:
			solved++
		case strings.Contains(string(out), "has no usable wheels"), strings.Contains(string(out), "have no usable wheels"):
			source++
			t.Logf("only as source:\n%s%s", list, out)
		default:
			t.Errorf("Python %s:\n%s%s", python, list, out)
		}
	}
	if t.Logf("%d lists: %d solved, %d with a package that is published only as source", len(lists), solved, source); len(lists) < 30 {
		t.Error("is the corpus whole?")
	}
}

// pipLists returns the different lists for pip that are written for the real projects,
// with the Python they are for; Spark's own is 3.10 where the file leaves it out.
func pipLists(t *testing.T) map[string]string {
	t.Helper()
	lists := map[string]string{}
	for _, root := range filetest.Projects(t) {
		p := schema.Load(root, schema.Options{})
		if len(p.RunConfigurations()) == 0 {
			continue
		}
		m, err := migrate.New(p, v2.Emitter{}, migrate.Options{Out: filepath.Join(root.Dir, "azureml")})
		testkit.OK(t, err)
		for _, c := range m.Conda {
			var list strings.Builder
			for _, item := range c.Items {
				if item.Manager == requirement.Pip {
					list.WriteString(item.Raw + "\n")
				}
			}
			if list.Len() > 0 {
				lists[list.String()] = cmp.Or(c.Python, "3.10")
			}
		}
	}
	return lists
}
