package catalog

import (
	"encoding/csv"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCells checks that every table, and some text that no table has, is read as encoding/csv reads it.
func TestCells(t *testing.T) {
	texts := map[string]string{"made up": "a,\"b \"\"c\"\", d\",\n\"e\nf\",,\"\"\nlast,x,y", "no line end": "a\nb", "": ""}
	entries, err := fs.ReadDir(tables, "tables")
	testkit.OK(t, err)
	for _, e := range entries {
		text, err := fs.ReadFile(tables, path.Join("tables", e.Name()))
		testkit.OK(t, err)
		texts[e.Name()] = string(text)
	}
	for name, text := range texts {
		want, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		testkit.OK(t, err)
		got := cells(text)
		if len(want)+len(got) == 0 {
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: (-csv +cells): %s", name, d)
		}
	}
}
