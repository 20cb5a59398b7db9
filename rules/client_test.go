//go:build linux

package rules_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// What TestMutants does beyond its fixed set: the number of mutants, their seed, and a folder to keep them in.
const (
	mutantsVariable = "AMLFIX_MUTANTS"
	seedVariable    = "AMLFIX_SEED"
	keepVariable    = "AMLFIX_KEEP"
)

// mutantTally counts the outcomes of mutants.
type mutantTally struct {
	refused, found, near int // by the client; of those, by amlfix; of those, at the line of the mistake
	quiet, beyond, more  int // accepted by both; real faults that the client misses; false errors
	repaired, wrong      int // repaired without an error left; of those, still refused
}

// original is a file that the client accepts.
type original struct{ repo, path, kind, loader, given string }

// accepted returns, by kind, the files of the corpus that the client accepts as they are.
func accepted(t *testing.T, projects string) map[string][]original {
	t.Helper()
	f, err := os.Open(filepath.Join(projects, "verdicts.csv"))
	testkit.OK(t, err)
	defer f.Close() // only read from
	lines, err := csv.NewReader(f).ReadAll()
	testkit.OK(t, err)
	all := map[string][]original{}
	for _, l := range lines[1:] {
		if l[4] == "accepted" && l[2] != "flow" && l[6] == "no" && strings.HasPrefix(l[3], "load_") {
			all[l[2]] = append(all[l[2]], original{l[0], l[1], l[2], l[3], l[7]})
		}
	}
	return all
}

// TestMutants makes mistakes in real files, from a fixed seed, and runs the Azure ML client and amlfix on each. What
// the client rejects, amlfix must report at the line of the mistake; what the client accepts is an error only if it
// cannot work.
//
//testkit:norace
func TestMutants(t *testing.T) {
	t.Parallel()
	projects := testkit.CorpusV2(t, "projects")
	judge.Python(t)
	count, seed := number(t, mutantsVariable, len(mutations)), uint64(number(t, seedVariable, 15)) //nolint:gosec // small
	home := t.TempDir()
	testkit.OK(t, os.CopyFS(home, os.DirFS(projects)))
	files := accepted(t, projects)
	kinds := slices.Sorted(maps.Keys(files))
	r := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // the same sequence each time
	var sum mutantTally
	for i := range count {
		how := mutations[i%len(mutations)]
		for range 30 { // not every file has a place for every mistake
			list := files[kinds[r.IntN(len(kinds))]]
			o := list[r.IntN(len(list))]
			path := filepath.Join(home, o.repo, filepath.FromSlash(o.path))
			text := []byte(testkit.Read(t, path))
			if made, ok := mutate(r, source.New(path, text), how); ok {
				sum.judge(t, o, path, text, made, i)
				break
			}
		}
	}
	t.Logf("%d mutants, seed %d: %+v", count, seed, sum)
	if sum.refused == 0 || sum.found*100 < sum.refused*95 || sum.near*100 < sum.found*90 || sum.wrong > 0 || sum.more*100 > count*3 {
		t.Errorf("amlfix and the client agree too little: %+v", sum)
	}
}

// number returns the number in an environment variable, or otherwise if it is not set.
func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		t.Fatalf("%s: %q is not a valid number", variable, text)
	}
	return n
}

// judge runs both on one mutant, which replaces its original meanwhile.
func (sum *mutantTally) judge(t *testing.T, o original, path string, text []byte, made mutant, i int) {
	t.Helper()
	dir := strings.TrimSuffix(path, filepath.FromSlash(o.path))
	before := map[string]bool{}
	for _, f := range errorsAbout(t, dir, path) {
		before[f.Message] = true
	}
	write := func(path string, text []byte) {
		testkit.OK(t, os.WriteFile(path, text, 0o600))
	}
	write(path, made.text)
	defer write(path, text)
	if keep := os.Getenv(keepVariable); keep != "" {
		write(filepath.Join(keep, fmt.Sprintf("%d-%s", i, filepath.Base(path))), made.text)
	}
	verdict := ask(t, o, path, made.text)
	errors := slices.DeleteFunc(errorsAbout(t, dir, path), func(f finding.Finding) bool { return before[f.Message] })
	at := fmt.Sprintf("%d %s %s/%s:%d", i, made.mutation, o.repo, o.path, made.line)
	said := strings.Join(strings.Fields(verdict.String()), " ")
	switch {
	case !verdict.Accepted && len(errors) == 0:
		sum.refused++
		t.Logf("MISSED %s: %.400s", at, said)
	case !verdict.Accepted:
		sum.refused++
		sum.found++
		if slices.ContainsFunc(errors, func(f finding.Finding) bool { return beside(f.Source.Position(f.Span.Start).Line, made.line) }) {
			sum.near++
		} else {
			t.Logf("ELSEWHERE %s: %s: %.300s", at, lineOf(errors[0]), said)
		}
		sum.repair(t, o, dir, path, before, at)
	case len(errors) == 0:
		sum.quiet++
	case strings.HasPrefix(errors[0].Rule, "ref/") || errors[0].Rule == "yaml/duplicate-key":
		sum.beyond++
	default:
		sum.more++
		t.Logf("MORE %s: %s", at, lineOf(errors[0]))
	}
}

// repair makes all fixes in a file that the client refuses: if no new error is left, the client accepts it.
func (sum *mutantTally) repair(t *testing.T, o original, dir, path string, before map[string]bool, at string) {
	t.Helper()
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	for _, root := range roots {
		patch, err := fixers.Repair(schema.Load(root, schema.Options{}), fixers.Options{Recheck: rules.Check,
			Allow: func(f finding.Finding) bool { return f.Source.Path == path }})
		testkit.OK(t, err)
		text, changed := patch.Changed()[path]
		if !changed {
			continue
		}
		testkit.OK(t, os.WriteFile(path, text, 0o600))
		if slices.ContainsFunc(errorsAbout(t, dir, path), func(f finding.Finding) bool { return !before[f.Message] }) {
			return
		}
		sum.repaired++
		if verdict := ask(t, o, path, text); !verdict.Accepted {
			sum.wrong++
			t.Logf("WRONGLY REPAIRED %s: %.300s\n%s", at, strings.Join(strings.Fields(verdict.String()), " "), text)
		}
	}
}

// beside reports whether two lines are the same or adjacent.
func beside(a, b int) bool { return a-b <= 1 && b-a <= 1 }

func lineOf(f finding.Finding) string {
	at := f.Source.Position(f.Span.Start)
	return fmt.Sprintf("%s:%d: %s: %s", filepath.Base(f.Source.Path), at.Line, f.Rule, f.Message)
}

// ask returns the client's verdict on a mutant. Keys that people pass on the command line are passed there unless the
// mutant has them.
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

// errorsAbout returns a project's errors in a file and in the files that it names.
func errorsAbout(t *testing.T, dir, path string) (errors []finding.Finding) {
	t.Helper()
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
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
