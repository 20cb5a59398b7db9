package rules_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	v1 "github.com/amlfix/amlfix/fixers/migrate/v1"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestMigratedProjectsLintClean migrates every real project and checks the output by itself: no errors or warnings
// remain, except where the user still has to decide.
//
//testkit:norace
func TestMigratedProjectsLintClean(t *testing.T) {
	corpus := testkit.Corpus(t, "projects")
	files := 0
	for _, e := range []migrate.Emitter{v2.Emitter{}, v1.Emitter{}} {
		roots, err := schema.Discover([]string{corpus})
		testkit.OK(t, err)
		for _, root := range roots {
			files += lintMigrated(t, e, root)
		}
	}
	if t.Logf("%d files", files); files < 500 {
		t.Error("is the corpus complete?")
	}
}

// TestMigratedSamplesLintClean checks the golden projects, with their scripts in place.
func TestMigratedSamplesLintClean(t *testing.T) {
	t.Parallel()
	samples := testkit.Glob(t, "../fixers/migrate/v2/testdata/*.txtar")
	jobs := 0
	for _, sample := range samples {
		archive := testkit.Archive(t, sample)
		dir, all := testkit.Unpack(t, archive.Files), string(txtar.Format(archive))
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		for _, root := range roots {
			project := schema.Load(root, schema.Options{})
			for _, j := range project.Jobs {
				if j.Dialect == schema.V2 {
					jobs++
				}
			}
			for _, f := range rules.Check(project) {
				written := filepath.Base(filepath.Dir(f.Source.Path)) == migrate.DefaultOut
				open := strings.Contains(string(f.Source.Slice(f.Span)), account.Marker)
				// what a flag of the sample chose, or the migration asks about
				open = open || f.Rule == "python/end-of-support" && strings.Contains(string(archive.Comment), "--answer python=") || f.Rule == "pip/sdk-v1"
				open = open || f.Rule == "ref/script" && strings.Contains(all, "## Files from notebooks") // which are not in the golden
				open = open || f.Rule == "ref/script" && strings.Contains(all, "--answer script="+string(f.Source.Slice(f.Span)))
				cntk := strings.Contains(string(f.Source.Text), "cntk") // a decision, which says what CNTK needs
				if written && f.Severity != finding.Info && !open && !cntk {
					t.Errorf("%s: %s:%d: %s: %s", filepath.Base(sample), filepath.Base(f.Source.Path), f.Source.LineAt(f.Span.Start), f.Rule, f.Message)
				}
			}
		}
	}
	if jobs < 15 {
		t.Errorf("only %d jobs were linted", jobs)
	}
}

func lintMigrated(t *testing.T, e migrate.Emitter, root schema.Root) (files int) {
	t.Helper()
	p := schema.Load(root, schema.Options{})
	if len(p.Jobs) == 0 {
		return 0
	}
	out := filepath.Join(t.TempDir(), "azureml")
	m, err := migrate.New(p, e, migrate.Options{Out: out})
	if err != nil {
		return 0 // nothing to write: SDK v1 to SDK v1
	}
	for _, f := range m.Files {
		testkit.Write(t, out, f.Path, f.Text)
	}
	written, err := schema.Discover([]string{out})
	if err != nil || len(written) != 1 {
		t.Fatalf("%s: %s: %d projects, error %v", root.Dir, e.Format(), len(written), err)
	}
	project := schema.Load(written[0], schema.Options{})
	for _, f := range rules.Check(project) {
		open := strings.Contains(string(f.Source.Slice(f.Span)), account.Marker)
		// The code is not copied, and the corpus contains none. CNTK keeps the Python that it was made for; the
		// migration says so.
		cntk := strings.Contains(f.Message, "cntk") || f.Rule == "python/end-of-support" && strings.Contains(string(f.Source.Text), "cntk")
		// The migration asks for the number of nodes, and keeps the user's own image as it is.
		nodes := f.Rule == "job/nodes" && slices.ContainsFunc(m.Decisions, func(d *account.Decision) bool { return d.ID == "nodes" })
		own := f.Rule == "image/unpinned" && !strings.Contains(string(f.Source.Slice(f.Span)), "microsoft")
		if f.Severity == finding.Info || open || cntk || nodes || own || f.Rule == "ref/script" {
			continue
		}
		t.Errorf("%s: %s: %s:%d: %s: %s", root.Dir, e.Format(), filepath.Base(f.Source.Path), f.Source.LineAt(f.Span.Start), f.Rule, f.Message)
	}
	return len(project.Files)
}
