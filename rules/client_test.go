//go:build linux

package rules_test

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// Mutants is the variable that says how many mutants TestMutants makes.
const mutantsVariable = "AMLFIX_MUTANTS"

// original is a file that the client accepts.
type original struct{ repo, path, kind, loader, given string }

// accepted returns the files of the corpus that the client accepts as they are, by
// kind.
func accepted(t *testing.T, projects string) map[string][]original {
	t.Helper()
	f, err := os.Open(filepath.Join(projects, "verdicts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read from
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]original{}
	for _, l := range lines[1:] {
		if l[4] == "accepted" && l[2] != "flow" && l[6] == "no" && strings.HasPrefix(l[3], "load_") {
			all[l[2]] = append(all[l[2]], original{l[0], l[1], l[2], l[3], l[7]})
		}
	}
	return all
}

// TestMutants makes mistakes in real files, from a fixed seed, and asks Azure's own
// client and amlfix about each: what the client refuses, amlfix finds, in the line
// of the mistake; what it accepts is an error only if it cannot work.
func TestMutants(t *testing.T) {
	projects := testkit.CorpusV2(t, "projects")
	judge.Python(t)
	count := 3 * len(mutations)
	if text := os.Getenv(mutantsVariable); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s: %v", mutantsVariable, err)
		}
		count = n
	}
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(projects)); err != nil {
		t.Fatal(err)
	}
	files := accepted(t, projects)
	kinds := make([]string, 0, len(files))
	for kind := range files {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	seed := uint64(15)
	if text := os.Getenv("AMLFIX_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	r := rand.New(rand.NewPCG(seed, seed))
	refused, found, near, quiet, beyond := 0, 0, 0, 0, 0
	for i := 0; i < count; i++ {
		how := mutations[i%len(mutations)]
		for range 30 {
			list := files[kinds[r.IntN(len(kinds))]]
			o := list[r.IntN(len(list))]
			path := filepath.Join(home, o.repo, filepath.FromSlash(o.path))
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			made, ok := mutate(r, source.New(path, text), how)
			if !ok {
				continue
			}
			before := map[string]bool{}
			for _, f := range errorsAbout(t, filepath.Join(home, o.repo), path) {
				before[f.Message] = true
			}
			if err := os.WriteFile(path, made.text, 0o644); err != nil {
				t.Fatal(err)
			}
			verdict := ask(t, o, path, made.text)
			errors := slices.DeleteFunc(errorsAbout(t, filepath.Join(home, o.repo), path), func(f finding.Finding) bool { return before[f.Message] })
			at := fmt.Sprintf("%d %s %s/%s:%d", i, made.mutation, o.repo, o.path, made.line)
			switch {
			case !verdict.Accepted:
				refused++
				if len(errors) == 0 {
					t.Logf("MISSED %s: %.500s", at, strings.Join(strings.Fields(verdict.String()), " "))
					break
				}
				found++
				if slices.ContainsFunc(errors, func(f finding.Finding) bool {
					line := f.Source.Position(f.Span.Start).Line
					return line-made.line <= 1 && made.line-line <= 1
				}) {
					near++
				} else {
					t.Logf("ELSEWHERE %s: %s: %.200s", at, lineOf(errors[0]), strings.Join(strings.Fields(verdict.String()), " "))
				}
			case len(errors) == 0:
				quiet++
			case strings.HasPrefix(errors[0].Rule, "ref/") || strings.HasPrefix(errors[0].Rule, "yaml/duplicate"):
				beyond++
			default:
				t.Logf("MORE %s: %s", at, lineOf(errors[0]))
			}
			if dir := os.Getenv("AMLFIX_KEEP"); dir != "" {
				_ = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(path))), made.text, 0o644)
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	t.Logf("%d refused, %d found, %d near; %d quiet, %d beyond", refused, found, near, quiet, beyond)
}

func lineOf(f finding.Finding) string {
	at := f.Source.Position(f.Span.Start)
	return fmt.Sprintf("%s:%d: %s: %s", filepath.Base(f.Source.Path), at.Line, f.Rule, f.Message)
}

// ask returns what the client says about a mutant, with the keys given on the
// command line that people give there and the mutant has not.
func ask(t *testing.T, o original, path string, text []byte) judge.Verdict {
	t.Helper()
	given := map[string]string{}
	root := document.Parse(source.New(path, text)).Root()
	key := "name"
	if strings.HasSuffix(o.loader, "_deployment") {
		key = "endpoint_name"
	}
	if root.IsMapping() && root.Get(key) == nil && o.loader != "load_component" {
		given[key] = "demo"
	}
	verdict := judge.AskWith(t, judge.Kind(o.loader), path, nil)
	if !verdict.Accepted && len(given) > 0 {
		return judge.AskWith(t, judge.Kind(o.loader), path, given)
	}
	return verdict
}

var fileNames = regexp.MustCompile(`[\w./\\-]+\.(?:ya?ml|txt)|[\w./\\-]*[Dd]ockerfile[\w.-]*`)

// errorsAbout returns the errors of a project in a file and in those that it names.
func errorsAbout(t *testing.T, dir, path string) (errors []finding.Finding) {
	t.Helper()
	roots, err := schema.Discover([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]bool{}
	var name func(path string)
	name = func(path string) {
		text, err := os.ReadFile(path)
		if about[path] || err != nil {
			return
		}
		about[path] = true
		for _, rel := range fileNames.FindAllString(string(text), -1) {
			name(filepath.Join(filepath.Dir(path), filepath.FromSlash(rel)))
		}
	}
	name(path)
	for _, root := range roots {
		for _, f := range rules.Check(schema.Load(root, schema.Options{})) {
			if f.Severity == finding.Error && (f.Source.Path == path || about[f.Source.Path]) {
				errors = append(errors, f)
			}
		}
	}
	slices.SortStableFunc(errors, func(a, b finding.Finding) int {
		return strings.Compare(fmt.Sprint(a.Source.Path != path), fmt.Sprint(b.Source.Path != path))
	})
	return errors
}
