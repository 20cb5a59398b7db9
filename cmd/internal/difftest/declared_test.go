//go:build linux

package difftest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNothingButWhatIsDeclared repairs projects written in many ways, and has PyYAML (its C parser and, for some files,
// its Python parser) and, for some files, azureml-core's ruamel.yaml read each file before and after each round: the
// trees differ only by the changes that the fixes declare. AMLFIX_THOROUGH=N writes each project in N ways.
//
//testkit:norace
func TestNothingButWhatIsDeclared(t *testing.T) {
	ways, inCorpus := 8, 2
	if thorough := os.Getenv("AMLFIX_THOROUGH"); thorough != "" {
		n, err := strconv.Atoi(thorough)
		if err != nil || n < 8 {
			n = 40
		}
		ways, inCorpus = n, n
	}
	c := newComparer(t)
	own := repairable(t)
	var corpus []schema.Root
	t.Run("corpora", func(t *testing.T) {
		for _, dir := range []string{testkit.Corpus(t, "projects"), testkit.CorpusV2(t, "projects")} {
			corpus = append(corpus, discover(t, glob(t, dir, "*"))...)
		}
	})
	for _, root := range own {
		for way := range ways {
			c.repair(root, way)
		}
	}
	for i, root := range corpus {
		for way := range inCorpus {
			c.repair(root, i*inCorpus+way)
		}
	}
	c.wait()
	t.Logf("%d repairs of %d variants of %d projects; files by reader and verdict: %v; changes: %v", c.repairs, c.variants, len(own)+len(corpus), c.verdicts, c.ops)
	for reader, least := range map[string]int{"libyaml": 100, "pyyaml": 12, "ruamel": 12} {
		if n := c.verdicts[reader+" equal"]; n < least*ways {
			t.Errorf("only %d files were compared by %s; at least %d are wanted", n, reader, least*ways)
		}
		if n := c.verdicts[reader+" unreadable"]; n > c.verdicts[reader+" equal"]/3 {
			t.Errorf("%s could not read %d texts before their repair", reader, n)
		}
	}
	for op := finding.SetScalar; op <= finding.RemoveEntry; op++ {
		if c.ops[op] < 5*ways {
			t.Errorf("only %d changes of the kind %q were made; at least %d are wanted", c.ops[op], op, 5*ways)
		}
	}
}

// TestJudgeOfDeclared gives the script repairs that do not do what they declare.
func TestJudgeOfDeclared(t *testing.T) {
	set := finding.Change{Op: finding.SetScalar, Pointer: "/a", Value: finding.Text("2")}
	tests := map[string]struct {
		old, new string
		change   finding.Change
		want     string
	}{
		"as declared":          {"a: 1\nb: 2\n", "a: '2'\nb: 2\n", set, "equal"},
		"another type":         {"a: 1\nb: 2\n", "a: 2\nb: 2\n", set, "undeclared"},
		"another value too":    {"a: 1\nb: 2\n", "a: '2'\nb: 3\n", set, "undeclared"},
		"another type too":     {"a: 1\nb: 2\n", "a: '2'\nb: '2'\n", set, "undeclared"},
		"another order":        {"a: 1\nb: 2\n", "b: 2\na: '2'\n", set, "undeclared"},
		"a key more":           {"a: 1\nb: 2\n", "a: '2'\nb: 2\nc: 3\n", set, "undeclared"},
		"a document more":      {"a: 1\n", "a: '2'\n---\n", set, "undeclared"},
		"an alias lost":        {"a: 1\nb: &x [1]\nc: *x\n", "a: '2'\nb: [1]\nc: [1]\n", set, "undeclared"},
		"through an alias":     {"b: &x 1\na: *x\n", "b: &x '2'\na: *x\n", set, "undeclared"},
		"nothing left to read": {"a: 1\n", "a: '2\n", set, "broken"},
		"nothing to read":      {"a: '1\n", "a: '2'\n", set, "unreadable"},
		"not inserted":         {"a: 1\n", "a: 1\n", finding.Change{Op: finding.InsertEntry, Key: "b", Value: finding.True}, "undeclared"},
		"inserted":             {"a: 1\n", "a: 1\nb: true\n", finding.Change{Op: finding.InsertEntry, Key: "b", Value: finding.True}, "equal"},
		"inserted elsewhere":   {"a: 1\nc: 1\n", "a: 1\nc: 1\nb: true\n", finding.Change{Op: finding.InsertEntry, Key: "b", After: "a", Value: finding.True}, "undeclared"},
		"removed":              {"a: [1, 2]\n", "a: [1]\n", finding.Change{Op: finding.RemoveEntry, Pointer: "/a/1"}, "equal"},
		"another one removed":  {"a: [1, 2]\n", "a: [2]\n", finding.Change{Op: finding.RemoveEntry, Pointer: "/a/1"}, "undeclared"},
		"renamed":              {"a: 1\n", "b: 1\n", finding.Change{Op: finding.RenameKey, Pointer: "/a", Key: "b"}, "equal"},
		"added after an item":  {"a: [1, 2]\n", "a: [1, x, 2]\n", finding.Change{Op: finding.AppendItem, Pointer: "/a", After: "0", Value: finding.Text("x")}, "equal"},
		"appended":             {"a: [1]\n", "a: [1, x]\n", finding.Change{Op: finding.AppendItem, Pointer: "/a", Value: finding.Text("x")}, "equal"},
		"a comment":            {"a: 1\n", "# b\na: 1\n", finding.Change{Op: finding.InsertComment}, "equal"},
		"more than a comment":  {"a: 1\n", "# b\na: 2\n", finding.Change{Op: finding.InsertComment}, "undeclared"},
	}
	c, names := newComparer(t), slices.Sorted(maps.Keys(tests))
	c.quiet = true
	for _, name := range names {
		c.ask(name, []byte(tests[name].old), []byte(tests[name].new), []finding.Change{tests[name].change}, allReaders)
	}
	for _, a := range c.wait() {
		name := names[a.ID]
		for _, reader := range allReaders {
			if got := a.Results[reader]; got[0] != tests[name].want {
				t.Errorf("%s: %s says %q, want %q", name, reader, got, tests[name].want)
			}
		}
	}
}

var allReaders = []string{"libyaml", "pyyaml", "ruamel"}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	found := testkit.Glob(t, dir, filepath.FromSlash(pattern))
	return found
}

// repairable returns the repository's projects.
func repairable(t *testing.T) []schema.Root {
	t.Helper()
	top := testkit.Root(t)
	dirs := glob(t, top, "testdata/*")
	for _, pattern := range []string{"cmd/amlfix/testdata/*.txtar", "rules/testdata/*.txtar"} {
		for _, name := range glob(t, top, pattern) {
			archive := testkit.Archive(t, name)
			dirs = append(dirs, testkit.Unpack(t, archive.Files))
		}
	}
	for _, rule := range rules.All() {
		dirs = append(dirs, testkit.Folder(t, rule.Bad))
	}
	return discover(t, dirs)
}

func discover(t *testing.T, dirs []string) (roots []schema.Root) {
	t.Helper()
	for _, dir := range dirs {
		found, err := schema.Discover([]string{dir})
		if err != nil {
			t.Logf("%s: %v", dir, err)
		}
		roots = append(roots, found...)
	}
	return roots
}

// comparer communicates with the script, a single process for everything.
type comparer struct {
	t        *testing.T
	in       *bufio.Writer
	wait     func() []answer
	asked    []string // the subject of each request
	quiet    bool
	repairs  int
	variants int
	verdicts map[string]int
	ops      map[finding.Op]int
}

func newComparer(t *testing.T) *comparer {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), judge.Python(t), filepath.Join("testdata", "declared.py"))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	testkit.OK(t, err)
	out, err := cmd.StdoutPipe()
	testkit.OK(t, err)
	testkit.OK(t, cmd.Start())
	j := &comparer{t: t, in: bufio.NewWriter(in), verdicts: map[string]int{}, ops: map[finding.Op]int{}}
	answers, done := []answer{}, make(chan error)
	go func() {
		for lines := json.NewDecoder(out); ; {
			var a answer
			if err := lines.Decode(&a); err != nil {
				done <- err
				return
			}
			answers = append(answers, a)
		}
	}()
	j.wait = func() []answer {
		testkit.OK(t, j.in.Flush())
		testkit.OK(t, in.Close())
		if err := <-done; err != io.EOF { //nolint:errorlint // the decoder returns it unwrapped
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil || len(answers) != len(j.asked) {
			t.Fatalf("%d questions, %d answers, %v", len(j.asked), len(answers), err)
		}
		for _, a := range answers {
			j.count(a)
		}
		return answers
	}
	return j
}

type answer struct {
	ID      int
	Results map[string][2]string
}

func (j *comparer) count(a answer) {
	for reader, result := range a.Results {
		j.verdicts[reader+" "+result[0]]++
		if (result[0] == "broken" || result[0] == "undeclared") && !j.quiet {
			j.t.Errorf("%s: %s: %s\n%s", reader, result[0], result[1], j.asked[a.ID])
		}
	}
}

// ask requests the comparison of two texts.
func (j *comparer) ask(about string, old, text []byte, changes []finding.Change, readers []string) {
	type change struct {
		finding.Change
		Op string
	}
	list := make([]change, len(changes))
	for i, c := range changes {
		list[i] = change{c, c.Op.String()}
		j.ops[c.Op]++
	}
	line, err := json.Marshal(map[string]any{"id": len(j.asked), "old": old, "new": text, "changes": list, "readers": readers})
	if err != nil {
		j.t.Fatal(err)
	}
	j.asked = append(j.asked, fmt.Sprintf("%s\n%+v\n-- old --\n%s\n-- new --\n%s", about, changes, old, text))
	if _, err := j.in.Write(append(line, '\n')); err != nil {
		j.t.Fatal(err)
	}
}

// repair writes a project in one way, repairs it, and has each file of each round compared.
func (j *comparer) repair(root schema.Root, way int) {
	random := rand.New(rand.NewPCG(uint64(j.variants), uint64(way)))
	asIs := schema.Load(root, schema.Options{})
	opts, unsafe := schema.Options{}, false
	switch way % 4 {
	case 1:
		unsafe = true
	case 2, 3:
		opts.Choices = map[string]string{"cuda": "9.0"}
		for _, target := range asIs.Targets {
			if way%4 == 2 {
				opts.GPU = append(opts.GPU, target.Name)
			} else {
				opts.CPU = append(opts.CPU, target.Name)
			}
		}
	}
	texts := map[string][]byte{}
	for _, f := range asIs.Files {
		if f.Err != nil {
			return
		}
		texts[f.Path] = f.Source.Text
		if way > 0 {
			texts[f.Path] = restyle(f.Source.Text, random)
		}
	}
	project := schema.Load(root, opts).With(texts)
	j.variants++
	rounds := map[*finding.Fix]*schema.Project{}
	patch, err := fixers.Repair(project, fixers.Options{
		Recheck: func(p *schema.Project) []finding.Finding {
			list := rules.Check(p)
			for i, f := range list {
				if f.Fix != nil {
					own := *f.Fix // a fix found from one file alone is shared by the versions of a project
					list[i].Fix, rounds[&own] = &own, p
				}
			}
			return list
		},
		Allow: func(f finding.Finding) bool {
			return f.Fix.Applicability == finding.Safe || unsafe && f.Fix.Applicability == finding.Unsafe
		},
	})
	if err != nil {
		j.t.Fatal(err)
	}
	j.repairs += len(patch.Applied)
	about := fmt.Sprintf("%s, way %d, GPU %v, CPU %v, unsafe %v", root.Dir, way, opts.GPU, opts.CPU, unsafe)
	final := project.With(patch.Changed())
	for rest := patch.Applied; len(rest) > 0; {
		before := rounds[rest[0].Finding.Fix]
		n := slices.IndexFunc(rest, func(a fixers.Applied) bool { return rounds[a.Finding.Fix] != before })
		after := final
		if n < 0 {
			n = len(rest)
		} else {
			after = rounds[rest[n].Finding.Fix]
		}
		j.round(about, before, after, rest[:n])
		rest = rest[n:]
	}
}

// round has the files of one round compared.
func (j *comparer) round(about string, before, after *schema.Project, made []fixers.Applied) {
	declared := map[string][]finding.Change{}
	for _, a := range made {
		for _, c := range a.Finding.Fix.Changes {
			declared[c.File] = append(declared[c.File], c)
		}
	}
	for _, f := range after.Files {
		old, changes := before.File(f.Path), declared[f.Path]
		switch {
		case old != nil && len(changes) == 0:
			if string(old.Source.Text) != string(f.Source.Text) {
				j.t.Errorf("%s: %s has changed, and no fix declares it:\n%s\n-- new --\n%s", about, f.Path, old.Source.Text, f.Source.Text)
			}
		case old != nil:
			readers := []string{"libyaml"}
			if n := len(j.asked); n%8 == 0 {
				readers = allReaders
			}
			j.ask(about+"\n"+f.Path, old.Source.Text, f.Source.Text, changes, readers)
		case len(changes) == 0 && onDisk(f):
			// A path that was repaired now leads to the file.
		case len(changes) != 1:
			j.t.Errorf("%s: %s is new, and %d changes declare it", about, f.Path, len(changes))
		case changes[0].Op == finding.CopyFile:
			j.ops[finding.CopyFile]++
			j.ask(about+"\n"+f.Path, before.File(changes[0].From).Source.Text, f.Source.Text, changes[0].Changes, allReaders)
		case string(f.Source.Text) != changes[0].Value.Text:
			j.t.Errorf("%s: %s does not hold the declared text", about, f.Path)
		}
		delete(declared, f.Path)
	}
	for path := range declared {
		j.t.Errorf("%s: %s is not there, but changes are declared", about, path)
	}
}

// onDisk reports whether a file is unchanged on disk, where no repair is written.
func onDisk(f *schema.File) bool {
	text, err := os.ReadFile(f.Path)
	return err == nil && bytes.Equal(text, f.Source.Text)
}
