package v2_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/fixers/internal/filetest"
	"github.com/amlfix/amlfix/fixers/migrate"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/secret"
)

// values lists every place of a file that holds a value, straight from its
// documents: the yardstick of the audit.
func values(f *schema.File) (list []string) {
	var walk func(n *document.Node, path string)
	walk = func(n *document.Node, path string) {
		for _, e := range n.Entries {
			key := e.Key.Value
			if path != "" {
				key = path + "." + key
			}
			walk(e.Value, key)
		}
		for i, item := range n.Items {
			walk(item, fmt.Sprintf("%s[%d]", path, i))
		}
		if len(n.Entries)+len(n.Items) == 0 {
			list = append(list, path)
		}
	}
	for _, root := range f.Stream.Documents {
		walk(root, "")
	}
	return list
}

// audited returns the keys of MIGRATION.md by file, as written there.
func audited(report string) map[string][]string {
	found := map[string][]string{}
	file := ""
	_, keys, _ := strings.Cut(report, "\n## Every key\n")
	keys, _, _ = strings.Cut(keys, "\n## Files left alone\n")
	for line := range strings.Lines(keys) {
		if name, ok := strings.CutPrefix(line, "### "); ok {
			file = strings.TrimSpace(name)
		}
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `") && len(cells) >= 4 {
			found[file] = append(found[file], strings.Trim(cells[0], "|` "))
		}
	}
	return found
}

// TestCorpus holds for every real project that each key is accounted for exactly
// once, that the same bytes come out again, and that no secret does.
func TestCorpus(t *testing.T) {
	jobs, keys := 0, 0
	for _, root := range filetest.Projects(t) {
		p := schema.Load(root, schema.Options{})
		if len(p.Jobs) == 0 {
			continue
		}
		m, err := migrate.New(p, v2.Emitter{}, migrate.Options{})
		if err != nil {
			t.Errorf("%s: %v", root.Dir, err)
			continue
		}
		checkMarkers(t, m)
		checkAgain(t, root, m.Files)
		checkFiles(t, p, m.Files)
		jobs += len(m.Jobs)
		var report string
		for _, f := range m.Files {
			if f.Path == migrate.Report {
				report = string(f.Text)
			}
		}
		got := audited(report)
		for _, f := range p.Files {
			if f.Kind == schema.Unknown && f.Rel != "" && got[f.Rel] == nil || f.Kind == schema.RunConfig && f.Root() == nil {
				continue
			}
			want := values(f)
			keys += len(want)
			if diff := cmp.Diff(want, got[f.Rel]); diff != "" {
				t.Errorf("%s: keys in the file and in the audit (-want +got):\n%s", f.Path, diff)
			}
		}
		for _, row := range m.Ledger.Rows {
			checkRow(t, row)
		}
	}
	t.Logf("%d jobs, %d keys", jobs, keys)
	if jobs < 300 || keys < 5000 {
		t.Errorf("only %d jobs with %d keys: is the corpus whole?", jobs, keys)
	}
}

// checkRow holds that a key is called unknown only if its format does not know it,
// and that no row is without a reason.
func checkRow(t *testing.T, row *migrate.Row) {
	t.Helper()
	if row.Fate() == 0 {
		t.Errorf("%s: %s: nothing is said of it", row.File.Path, row.Key)
	}
	for _, n := range row.Notes {
		if n.Fate == migrate.Dropped && n.Why == "" {
			t.Errorf("%s: %s: dropped without a reason", row.File.Path, row.Key)
		}
		if strings.HasPrefix(n.Why, "not a key") && !unknownKey(row) {
			t.Errorf("%s: %s: called unknown, but its format knows all keys of the file", row.File.Path, row.Key)
		}
	}
}

// unknownKey reports whether the format does not know the key of a row, or one
// above it.
func unknownKey(row *migrate.Row) bool {
	f := row.File
	kind := map[schema.Kind]format.Kind{schema.Compute: format.Compute, schema.CondaFile: format.Conda, schema.SparkFile: format.Spark}[f.Kind]
	if f.Kind == schema.RunConfig {
		kind = format.WorkbenchRunConfig
		if f.Dialect == schema.SDKv1 {
			kind = format.SDKRunConfig
		}
	}
	if kind == "" {
		return true
	}
	for _, finding := range format.Validate(kind, f.Source, f.Root()) {
		if finding.Rule != format.RuleUnknownKey {
			continue
		}
		for _, key := range strings.FieldsFunc(row.Key, func(r rune) bool { return r == '.' || r == '[' }) {
			if strings.Contains(finding.Message, `"`+key+`"`) {
				return true
			}
		}
	}
	return false
}

// checkAgain holds that the same sources give the same bytes.
func checkAgain(t *testing.T, root schema.Root, first []migrate.File) {
	t.Helper()
	m, err := migrate.New(schema.Load(root, schema.Options{}), v2.Emitter{}, migrate.Options{})
	if err != nil {
		t.Fatalf("%s: %v", root.Dir, err)
	}
	if diff := cmp.Diff(first, m.Files); diff != "" {
		t.Errorf("%s: two migrations differ:\n%s", root.Dir, diff)
	}
}

// checkFiles holds that what is written parses, is sorted, and has no secret of
// the sources in it.
func checkFiles(t *testing.T, p *schema.Project, files []migrate.File) {
	t.Helper()
	for _, f := range p.Files {
		for _, text := range secret.Texts(f.Source.Text, secret.Spans(f.Source.Text)) {
			for _, written := range files {
				if len(text) > 7 && strings.Contains(string(written.Text), text) {
					t.Errorf("%s: a secret of %s stands in %s", p.Root, f.Rel, written.Path)
				}
			}
		}
	}
	for _, written := range files {
		if strings.HasSuffix(written.Path, ".yml") {
			if err := yaml.Unmarshal(written.Text, new(yaml.Node)); err != nil {
				t.Errorf("%s: %s does not parse: %v", p.Root, written.Path, err)
			}
		}
	}
	if !slices.IsSortedFunc(files, func(a, b migrate.File) int { return strings.Compare(a.Path, b.Path) }) {
		t.Errorf("%s: the files are not sorted", p.Root)
	}
}
