package migratetest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// Update is the flag that makes the emitters' tests rewrite their expected files.
var Update = flag.Bool("update", false, "write the expected files again")

// dispositionsFile has the dispositions of each key over all real projects. It reveals a note that an emitter no longer
// writes: the catalog's reasons, which replace missing notes, satisfy every other test.
var dispositionsFile = filepath.Join("testdata", "dispositions.csv")

// dispositions counts dispositions by key.
type dispositions map[string]*[len(columns)]int

// columns are the counts: mapped, decided, dropped by a note, dropped by the catalog because there was no note, without
// a value, and in a file that nothing uses.
var columns = [...]string{"mapped", "decision", "dropped", "catalog", "empty", "unused"}

// userNames matches keys below which the user chooses the names.
var userNames = regexp.MustCompile(`(?i)\b(environmentVariables|configuration|dataReferences|data|outputData|DataSourceSettings|DataSourceSubstitutions)\.[^.\[]+(.*)`)

var index = regexp.MustCompile(`\[\d+\]`)

// add counts the rows of a migration.
func (f dispositions) add(m *migrate.Migration) {
	for _, row := range m.Ledger.Rows {
		note := row.Notes[0]
		byAccount := len(row.Notes) == 1 && note.For == "" && note.Disposition == account.Dropped
		column := 0
		switch {
		case byAccount && note.Why == "empty":
			column = 4
		case byAccount && strings.HasPrefix(note.Why, "not a key"):
			continue // words of the corpus; other tests cover them with the schemas
		case byAccount && note.Why == "no run configuration uses this file":
			column = 5
		case byAccount:
			column = 3
		case row.Disposition() == account.Decided:
			column = 1
		case row.Disposition() == account.Dropped:
			column = 2
		}
		key := dispositionKey(row)
		if f[key] == nil {
			f[key] = new([len(columns)]int)
		}
		f[key][column]++
	}
}

// dispositionKey returns a row's key without the user's own names.
func dispositionKey(row *account.Row) string {
	kind := map[schema.Kind]string{schema.Compute: "compute", schema.CondaFile: "conda", schema.SparkFile: "spark", schema.RunConfig: "workbench"}[row.File.Kind]
	key := index.ReplaceAllString(row.Key, "[]")
	if row.File.Kind == schema.RunConfig && row.File.Dialect == schema.SDKv1 {
		kind = "sdk"
	}
	key = userNames.ReplaceAllStringFunc(key, func(s string) string {
		parts := userNames.FindStringSubmatch(s)
		rest := parts[2]
		if lower := strings.ToLower(parts[1]); lower == "configuration" || lower == "environmentvariables" || strings.HasPrefix(lower, "datasource") {
			rest = ""
		}
		return parts[1] + ".*" + rest
	})
	return kind + "," + key
}

// check compares the counts with those of the emitter's testdata.
func (f dispositions) check(t *testing.T) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "file,key,%s\n", strings.Join(columns[:], ","))
	for _, key := range slices.Sorted(maps.Keys(f)) {
		b.WriteString(key)
		for _, n := range f[key] {
			fmt.Fprintf(&b, ",%d", n)
		}
		b.WriteByte('\n')
	}
	if *Update {
		testkit.OK(t, os.MkdirAll(filepath.Dir(dispositionsFile), 0o755))
		testkit.OK(t, os.WriteFile(dispositionsFile, []byte(b.String()), 0o644))
	}
	want := []byte(testkit.Read(t, dispositionsFile))
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("the dispositions of the real projects' keys (-want +got; -update rewrites them; check why they differ):\n%s", diff)
	}
}
