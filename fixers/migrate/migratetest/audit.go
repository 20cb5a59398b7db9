// Package migratetest provides what the emitters' tests have in common. It is only for tests.
package migratetest

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/fixers/internal/filetest"
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/testkit"
)

// Corpus migrates every real project that has jobs twice, and calls look for each migration. It checks what every
// format has to guarantee: the same bytes both times; every key accounted for once, with a reason; the numbers of
// mapped, decided and dropped keys in testdata/dispositions.csv; and no secrets in the output. It returns the number of
// migrations.
func Corpus(t *testing.T, e migrate.Emitter, skip func(*schema.Project) bool, look func(*migrate.Migration)) (count int) {
	t.Helper()
	dispositions := dispositions{}
	for _, root := range filetest.Projects(t) {
		p := schema.Load(root, schema.Options{})
		if len(p.Jobs) == 0 || skip != nil && skip(p) {
			continue
		}
		options := migrate.Options{Out: filepath.Join(root.Dir, "azureml")}
		m, err := migrate.New(p, e, options)
		if err != nil {
			t.Errorf("%s: %v", root.Dir, err)
			continue
		}
		again, err := migrate.New(schema.Load(root, schema.Options{}), e, options)
		testkit.OK(t, err)
		same := func(a, b migrate.File) bool { return a.Path == b.Path && bytes.Equal(a.Text, b.Text) }
		if !slices.EqualFunc(m.Files, again.Files, same) {
			t.Errorf("%s: two migrations differ:\n%s", root.Dir, cmp.Diff(m.Files, again.Files))
		}
		audit(t, m.Project, m)
		checkFiles(t, p, m.Files)
		Markers(t, m)
		dispositions.add(m)
		look(m)
		count++
	}
	dispositions.check(t)
	return count
}

// Markers checks that the files contain the marker if and only if a decision is open.
func Markers(t *testing.T, m *migrate.Migration) {
	t.Helper()
	marked := slices.ContainsFunc(m.Files, func(f migrate.File) bool {
		return f.Path != account.Report && strings.Contains(string(f.Text), account.Marker)
	})
	if open := len(m.Open()) > 0; marked != open {
		t.Errorf("%s: open decisions: %v, markers in the files: %v", m.Project.Root, open, marked)
	}
}

// audit checks that MIGRATION.md lists every key of every source once, with a disposition and a reason, and does not
// call a key unknown that its format has.
func audit(t *testing.T, p *schema.Project, m *migrate.Migration) {
	t.Helper()
	got := audited(Report(m))
	for _, f := range p.Files {
		if f.Kind == schema.Unknown && got[f.Rel] == nil || f.Kind == schema.RunConfig && f.Root() == nil {
			continue
		}
		if want := slices.Sorted(slices.Values(values(f))); !slices.Equal(want, slices.Sorted(slices.Values(got[f.Rel]))) {
			t.Errorf("%s: keys in the file and in the audit (-want +got):\n%s", f.Path, cmp.Diff(want, got[f.Rel]))
		}
	}
	for _, row := range m.Ledger.Rows {
		if row.Disposition() == 0 {
			t.Errorf("%s: %s: nothing is reported about it", row.File.Path, row.Key)
		}
		for _, n := range row.Notes {
			if n.Disposition == account.Dropped && n.Why == "" {
				t.Errorf("%s: %s: dropped without a reason", row.File.Path, row.Key)
			}
			if strings.HasPrefix(n.Why, "not a key") && !unknownKey(row) {
				t.Errorf("%s: %s: called unknown, but its format knows all keys of the file", row.File.Path, row.Key)
			}
		}
	}
}

// Report returns MIGRATION.md.
func Report(m *migrate.Migration) string {
	for _, f := range m.Files {
		if f.Path == account.Report {
			return string(f.Text)
		}
	}
	return ""
}

// values returns every path in a file that has a value, read directly from its documents, to compare the audit with.
func values(f *schema.File) (list []string) {
	var walk func(n *document.Node, path string)
	walk = func(n *document.Node, path string) {
		for _, e := range n.Entries() {
			key := e.Key.Value
			if path != "" {
				key = path + "." + key
			}
			walk(e.Value, key)
		}
		for i, item := range n.Items() {
			walk(item, fmt.Sprintf("%s[%d]", path, i))
		}
		if len(n.Entries())+len(n.Items()) == 0 {
			list = append(list, path)
		}
	}
	for _, root := range f.Stream.Documents {
		walk(root, f.Of)
	}
	return list
}

// audited returns the keys in MIGRATION.md by file, as written there.
func audited(report string) map[string][]string {
	found := map[string][]string{}
	file := ""
	_, keys, _ := strings.Cut(report, "\n## Every key\n")
	keys, _, _ = strings.Cut(keys, "\n## Files left alone\n")
	keys, _, _ = strings.Cut(keys, "\n## Found, and not migrated\n")
	keys, _, _ = strings.Cut(keys, "\n## Written files\n")
	for line := range strings.Lines(keys) {
		if name, ok := strings.CutPrefix(line, "### "); ok {
			file = strings.TrimSpace(name)
		}
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `") && len(cells) >= 4 {
			found[file] = append(found[file], strings.Split(strings.Trim(cells[0], "|` "), "`, `")...) // empty keys share a line
		}
	}
	return found
}

// unknownKey reports whether the format lacks the key of a row, or one above it.
func unknownKey(row *account.Row) bool {
	f := row.File
	kind := account.FormatOf(f)
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

// checkFiles checks that the files can be parsed, are sorted, and contain no secrets of the sources.
func checkFiles(t *testing.T, p *schema.Project, files []migrate.File) {
	t.Helper()
	for _, f := range p.Files {
		for _, text := range secret.Texts(f.Source.Text, secret.Spans(f.Source.Text)) {
			for _, written := range files {
				if len(text) > 7 && strings.Contains(string(written.Text), text) {
					t.Errorf("%s: a secret of %s is in %s", p.Root, f.Rel, written.Path)
				}
			}
		}
	}
	for _, written := range files {
		switch path.Ext(written.Path) {
		case ".yml", ".yaml", ".runconfig":
			if err := yaml.Unmarshal(written.Text, new(yaml.Node)); err != nil {
				t.Errorf("%s: %s does not parse: %v", p.Root, written.Path, err)
			}
		}
	}
	if !slices.IsSortedFunc(files, func(a, b migrate.File) int { return strings.Compare(a.Path, b.Path) }) {
		t.Errorf("%s: the files are not sorted", p.Root)
	}
}

// V2 migrates the command jobs and pipelines of every real v2 project, checks the audit as Corpus does, and calls look
// for each migration. It returns the number of migrations.
func V2(t *testing.T, e migrate.Emitter, look func(*migrate.Migration)) (count int) {
	t.Helper()
	for _, dir := range testkit.Glob(t, testkit.CorpusV2(t, "projects"), "*") {
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		for _, root := range roots {
			m, err := migrate.New(schema.Load(root, schema.Options{}), e, migrate.Options{Out: filepath.Join(t.TempDir(), "out")})
			if _, ok := errors.AsType[*migrate.ConfigError](err); ok || err == nil && len(m.Jobs) == 0 {
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", dir, err)
				continue
			}
			for _, row := range m.Ledger.Rows {
				if row.Disposition() == 0 {
					t.Errorf("%s: %s: nothing is reported about it", row.File.Path, row.Key)
				}
			}
			got := audited(Report(m))
			for _, f := range m.Read.Files {
				if want := slices.Sorted(slices.Values(values(f))); got[f.Rel] != nil && !slices.Equal(want, slices.Sorted(slices.Values(got[f.Rel]))) {
					t.Errorf("%s: keys in the file and in the audit (-want +got):\n%s", f.Path, cmp.Diff(want, got[f.Rel]))
				}
			}
			checkFiles(t, m.Read, m.Files)
			Markers(t, m)
			inOrder(t, m)
			look(m)
			count += len(m.Jobs)
		}
	}
	return count
}
