package rules_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// meaning returns what a project's files mean together, one line each, and what the rules say of them.
func meaning(p *schema.Project) (lines []string) {
	add := func(parts ...any) { lines = append(lines, fmt.Sprintln(parts...)) }
	for _, f := range p.Files {
		add("file", f.Rel, f.Kind, f.Dialect, f.V2)
	}
	for _, j := range p.Jobs {
		add("job", j.Name, j.Kind, j.Dialect, j.Target != nil && p.File(j.Target.File.Path) == j.Target.File, j.Spark != nil)
		if e := j.Environment; e != nil {
			add("  in", e.File.Rel, len(e.Packages), slices.Contains(p.Environments, e))
		}
	}
	for _, x := range p.Targets {
		add("target", x.File.Rel, x.Name, x.GPU(), len(x.Jobs))
	}
	for _, x := range p.Environments {
		add("environment", x.File.Rel, len(x.Packages), len(x.Jobs))
	}
	for _, x := range p.V2Environments {
		add("v2 environment", x.File.Rel, x.Base().Text, len(x.Jobs))
	}
	return append(lines, said(rules.Check(p))...)
}

// alterations returns other texts for a file of a project, by what was done: cut in half, emptied, with other line
// ends, replaced by the next file, a line removed and a key renamed.
func alterations(r *rand.Rand, p *schema.Project, n int) map[string][]byte {
	text := p.Files[n].Source.Text
	half := text[:len(text)/2]
	lines := bytes.SplitAfter(text, []byte("\n"))
	at := r.IntN(len(lines))
	without, renamed := slices.Delete(slices.Clone(lines), at, at+1), slices.Clone(lines)
	renamed[at] = bytes.Replace(lines[at], []byte(":"), []byte("x:"), 1)
	return map[string][]byte{
		"half": half, "half of the lines": half[:bytes.LastIndexByte(half, '\n')+1], "empty": {},
		"CRLF": bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), "the next one": p.Files[(n+1)%len(p.Files)].Source.Text,
		fmt.Sprint("without line ", at+1): bytes.Join(without, nil), fmt.Sprint("another key in line ", at+1): bytes.Join(renamed, nil),
	}
}

// TestVersionsAreLoaded compares versions of real projects with the projects that are loaded so: they mean the same,
// and the rules say the same of them. A version with a file that nothing names any more is left out. AMLFIX_THOROUGH
// compares many more.
//
//testkit:norace
func TestVersionsAreLoaded(t *testing.T) {
	t.Parallel()
	most := 2
	if n, err := strconv.Atoi(os.Getenv("AMLFIX_THOROUGH")); err == nil {
		most = n
	}
	seed := uint64(os.Getpid())
	r := rand.New(rand.NewPCG(seed, 23))
	compared, left := 0, 0
	for _, dir := range append(testkit.Glob(t, testkit.Corpus(t, "projects"), "*"), testkit.Glob(t, testkit.CorpusV2(t, "projects"), "*")...) {
		roots, err := schema.Discover([]string{dir})
		testkit.OK(t, err)
		for _, root := range roots {
			p := schema.Load(root, schema.Options{})
			for range most {
				if len(p.Files) == 0 {
					break
				}
				n := r.IntN(len(p.Files))
				at := p.Files[n].Path
				texts := alterations(r, p, n)
				how := slices.Sorted(maps.Keys(texts))[r.IntN(len(texts))]
				whole := schema.Load(root, schema.Options{Text: func(name string) ([]byte, bool) { return texts[how], name == at }})
				after := p.With(map[string][]byte{at: texts[how]})
				if !slices.EqualFunc(whole.Files, after.Files, func(a, b *schema.File) bool { return a.Path == b.Path }) {
					left++
					continue
				}
				compared++
				testkit.Same(t, meaning(whole), meaning(after), "%s: %s", filepath.Base(at), how)
			}
		}
	}
	t.Logf("%d versions compared, %d left out, seed %d", compared, left, seed)
	if compared < 100 || left > compared/10 {
		t.Errorf("%d versions were compared, and %d left out", compared, left)
	}
}
