package archtest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDrawing holds that docs/architecture.md draws the house as it is: folders
// that are there, all of them, and arrows that are those of TestImportsPointDown.
func TestDrawing(t *testing.T) {
	text, err := os.ReadFile("../../../docs/architecture.md")
	testkit.OK(t, err)
	d := ReadDrawing(string(text))
	for _, folder := range d.Folders {
		if info, err := os.Stat("../../../" + folder); err != nil || !info.IsDir() {
			t.Errorf("%s is drawn, but not there", folder)
		}
	}
	var packages []string
	for path := range strings.FieldsSeq(string(goCommand(t, nil, "list", "./..."))) {
		packages = append(packages, short(path))
	}
	for _, p := range d.Missing(packages) {
		t.Errorf("%s is not drawn", p)
	}
	want := map[string][]string{}
	for from, list := range below {
		if len(list) > 0 {
			want[from] = slices.Sorted(slices.Values(list))
		}
	}
	testkit.Same(t, want, d.Below, "the arrows")
}

// TestMissing shows that the check can fail.
func TestMissing(t *testing.T) {
	d := ReadDrawing("# x\n```\ncmd/internal/   the rest: ui/ (colour)\nfixers/    how\nfixers/migrate/  whole projects\n```\nDown: `cmd → rules → schema` and `cmd → ui`.\n\nNot `a → b`.\n")
	packages := []string{"cmd/internal/ui", "cmd/internal/git", "fixers", "fixers/internal/x", "fixers/diff", "fixers/migrate", "fixers/migrate/v2", "attic"}
	testkit.Same(t, []string{"cmd/internal/git", "fixers/diff", "attic"}, d.Missing(packages))
	testkit.Same(t, map[string][]string{"cmd": {"rules", "schema", "ui"}, "rules": {"schema"}}, d.Below)
}
