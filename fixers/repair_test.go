package fixers_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// rule is a small rule of these tests: what it has to say about one file.
type rule func(f *schema.File, report func(id, message string, span source.Span, changes ...finding.Change))

// lint returns a Recheck that runs rules over every file.
func lint(rules ...rule) func(*schema.Project) []finding.Finding {
	return func(p *schema.Project) (list []finding.Finding) {
		for _, f := range p.Files {
			for _, r := range rules {
				r(f, func(id, message string, span source.Span, changes ...finding.Change) {
					found := finding.Finding{Rule: id, Severity: finding.Error, Location: finding.Location{Source: f.Source, Span: span, Message: message}}
					if len(changes) > 0 {
						found.Fix = &finding.Fix{Title: "repair " + id, Applicability: finding.Safe, Changes: changes}
					}
					list = append(list, found)
				})
			}
		}
		return list
	}
}

// becomes is a rule that wants the value of a key to be another.
func becomes(id, key, from, to string) rule {
	return func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		if n := f.Root().Get(key); n != nil && n.Text() == from {
			report(id, key+" must be "+to, n.Span, finding.Change{Op: finding.SetScalar, File: f.Path, Pointer: n.Pointer(), Value: finding.Text(to)})
		}
	}
}

// needs is a rule that wants a key to follow another.
func needs(id, after, key string) rule {
	return func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		if n := f.Root().Get(after); n != nil && f.Root().Get(key) == nil {
			report(id, key+" is missing", n.Span, finding.Change{Op: finding.InsertEntry, File: f.Path, After: after, Key: key, Value: finding.True})
		}
	}
}

// never is a rule that reports a value as an error and knows no fix.
func never(id, key, value string) rule {
	return func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		if n := f.Root().Get(key); n != nil && n.Text() == value {
			report(id, key+" must not be "+value, n.Span)
		}
	}
}

// breaks is a rule whose fix makes a value one that does not parse.
func breaks(id, key string) rule {
	return func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		if n := f.Root().Get(key); n != nil {
			report(id, key+" is wrong", n.Span, finding.Change{Op: finding.SpliceText, File: f.Path, Offset: n.Span.Start, Value: finding.Text("[")})
		}
	}
}

// load writes files into a project and loads it.
func load(t *testing.T, files map[string]string) *schema.Project {
	t.Helper()
	return loaded.Project(t, testkit.Lay(t, files))
}

// repair repairs a project of one file and says what became of it, in lines.
func repair(t *testing.T, text string, rules ...rule) (after string, log []string) {
	t.Helper()
	patch, err := fixers.Repair(load(t, map[string]string{"aml_config/a.compute": text}), fixers.Options{Recheck: lint(rules...)})
	testkit.OK(t, err)
	after = text
	for _, f := range patch.Files {
		after = string(f.New)
	}
	for _, a := range patch.Applied {
		log = append(log, fmt.Sprintf("applied %s, line %d", a.Finding.Rule, a.Line))
	}
	for _, r := range patch.Refused {
		log = append(log, fmt.Sprintf("refused %s (%s) %s", r.Finding.Rule, r.Clause, strings.ReplaceAll(r.Reason, filepath.Dir(r.Finding.Source.Path), "")))
	}
	for _, f := range patch.Remaining {
		log = append(log, "remaining "+f.Rule)
	}
	return after, log
}

func TestRepair(t *testing.T) {
	const (
		text   = "type: remotedocker\nimage: cpu  # the image\nport: 1\n"
		unread = "the repaired file could not be read: "
	)
	for _, c := range []struct {
		name, text string
		rules      []rule
		want       string
		log        []string
	}{
		{"nothing to do", text, []rule{never("x/x", "image", "gpu")}, text, nil},
		{"one fix", text, []rule{becomes("x/image", "image", "cpu", "gpu")}, "type: remotedocker\nimage: gpu  # the image\nport: 1\n", []string{"applied x/image, line 2"}},
		{"two side by side", text, []rule{becomes("x/image", "image", "cpu", "gpu"), becomes("x/port", "port", "1", "22")},
			"type: remotedocker\nimage: gpu  # the image\nport: \"22\"\n", []string{"applied x/image, line 2", "applied x/port, line 3"}},
		{"one uncovers the next", text, []rule{becomes("x/image", "image", "cpu", "gpu"), func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
			if f.Root().Get("image").Text() == "gpu" {
				needs("x/nvidia", "image", "nvidia")(f, report)
			}
		}}, "type: remotedocker\nimage: gpu  # the image\nnvidia: true\nport: 1\n", []string{"applied x/image, line 2", "applied x/nvidia, line 2"}},
		{"two in one place, one after the other", text, []rule{needs("x/a", "image", "a"), needs("x/b", "image", "b")},
			"type: remotedocker\nimage: cpu  # the image\nb: true\na: true\nport: 1\n", []string{"applied x/a, line 2", "applied x/b, line 2"}},
		{"two for the same", text, []rule{becomes("x/a", "image", "cpu", "gpu"), becomes("x/b", "image", "cpu", "gpu")},
			"type: remotedocker\nimage: gpu  # the image\nport: 1\n", []string{"applied x/a, line 2"}},
		{"a fix that does not help", text, []rule{becomes("x/port", "port", "1", "2"), func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
			report("x/never", "never content", f.Root().Get("image").Span, finding.Change{Op: finding.SetScalar, File: f.Path, Pointer: "/image", Value: finding.Text("gpu")})
		}}, "type: remotedocker\nimage: cpu  # the image\nport: \"2\"\n",
			[]string{"applied x/port, line 3", "refused x/never (d) x/never would still be reported: never content", "remaining x/never"}},
		{"fixes that break the file", text, []rule{becomes("x/image", "image", "cpu", "gpu"), breaks("x/type", "type"), breaks("x/port", "port")},
			"type: remotedocker\nimage: gpu  # the image\nport: 1\n",
			[]string{
				"applied x/image, line 2",
				"refused x/type (a) " + unread + "a bracket is not closed or a comma is missing in this list or mapping",
				"refused x/port (a) " + unread + "the file ends before this [ is closed: write ] at its end, or restore what is missing there",
				"remaining x/type", "remaining x/port",
			}},
		{"a fix that breaks the schema", text, []rule{becomes("x/image", "image", "cpu", "gpu"), becomes("x/port", "port", "1", "2"), never("schema/value", "image", "gpu")},
			"type: remotedocker\nimage: cpu  # the image\nport: \"2\"\n",
			[]string{"applied x/port, line 3", "refused x/image (d) schema/value would be reported where it was not before: image must not be gpu", "remaining x/image"}},
		{"a fix that brings a finding of another rule", text, []rule{becomes("x/image", "image", "cpu", "gpu"), never("y/value", "image", "gpu")},
			"type: remotedocker\nimage: gpu  # the image\nport: 1\n", []string{"applied x/image, line 2", "remaining y/value"}},
		{"a fix that another rule would make again", text, []rule{needs("x/a", "image", "a"), func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
			if f.Root().Get("a") != nil {
				report("x/b", "a is missing", f.Root().Get("image").Span, finding.Change{Op: finding.InsertEntry, File: f.Path, After: "image", Key: "a", Value: finding.True})
			}
		}}, text, []string{"refused x/a (e) x/b would make the same change again", "remaining x/a"}},
		{"a fix that cannot be made", text, []rule{func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
			report("x/gone", "gone", source.Span{}, finding.Change{Op: finding.SetScalar, File: f.Path, Pointer: "/gone"})
		}}, text, []string{"refused x/gone () there is nothing at /gone itself; its value may come through an alias or a merge key", "remaining x/gone"}},
		{"two rules that disagree", text, []rule{becomes("x/gpu", "image", "cpu", "gpu"), becomes("x/cpu", "image", "gpu", "cpu"), becomes("x/port", "port", "1", "2")},
			"type: remotedocker\nimage: cpu  # the image\nport: \"2\"\n",
			[]string{"applied x/port, line 3", "refused x/gpu () the fixes of x/cpu and x/gpu undo each other, so none of them was made", "remaining x/gpu"}},
		{"rules that never end", "a: x\nb: z\n", []rule{func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
			v := f.Root().Get("a").Text()
			report(fmt.Sprintf("x/%d", len(v)%2), v, f.Root().Get("a").Span, finding.Change{Op: finding.SetScalar, File: f.Path, Pointer: "/a", Value: finding.Text(v + "x")})
		}, becomes("x/b", "b", "z", "w")}, "a: x\nb: w\n", []string{"applied x/b, line 2",
			"refused x/1 () the fixes of x/0 and x/1 do not settle after 20 rounds, so none of them was made", "remaining x/1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			after, log := repair(t, c.text, c.rules...)
			testkit.Same(t, c.want, after, "text")
			testkit.Same(t, c.log, log, "log")
		})
	}
}

// TestRepairBroken repairs a file that does not parse: two faults, each with a fix of its own, of which neither is
// enough; then what they hid comes up.
func TestRepairBroken(t *testing.T) {
	glued := func(f *schema.File, report func(string, string, source.Span, ...finding.Change)) {
		for _, key := range []string{"a:true", "b:true"} {
			if at := bytes.Index(f.Source.Text, []byte(key)); at >= 0 {
				report("yaml/glued", "no space", source.Span{Start: at, End: at + 6}, finding.Change{Op: finding.SpliceText, File: f.Path, Offset: at + 2, Value: finding.Text(" ")})
			}
		}
	}
	after, log := repair(t, "x: 1\na:true\nb:true\n", glued, never("schema/value", "a", "true"), becomes("x/x", "x", "1", "2"))
	testkit.Same(t, "x: \"2\"\na: true\nb: true\n", after, "text")
	want := []string{"applied yaml/glued, line 2", "applied yaml/glued, line 3", "applied x/x, line 1", "remaining schema/value"}
	testkit.Same(t, want, log, "log")
}

// TestBrokenInOneFile checks that a fix that does not hold keeps none of another file from being made.
func TestBrokenInOneFile(t *testing.T) {
	p := load(t, map[string]string{"aml_config/a.compute": "a: x\n", "aml_config/b.compute": "b: x\nc: x\n", "aml_config/c.compute": "a: x\n"})
	patch, err := fixers.Repair(p, fixers.Options{Recheck: lint(becomes("x/a", "a", "x", "z"), breaks("x/b", "b"), becomes("x/c", "c", "x", "z"))})
	testkit.OK(t, err)
	got := map[string]string{}
	for _, f := range patch.Files {
		got[filepath.Base(f.Path)] = string(f.New)
	}
	testkit.Same(t, map[string]string{"a.compute": "a: z\n", "b.compute": "b: x\nc: z\n", "c.compute": "a: z\n"}, got)
	if len(patch.Applied) != 3 || len(patch.Refused) != 1 || patch.Refused[0].Finding.Rule != "x/b" {
		t.Errorf("%+v, %+v", patch.Applied, patch.Refused)
	}
}

func TestAllow(t *testing.T) {
	p := load(t, map[string]string{"aml_config/a.compute": "a: x\n"})
	recheck := func(p *schema.Project) []finding.Finding {
		list := lint(becomes("x/a", "a", "x", "z"))(p)
		for i := range list {
			list[i].Fix.Applicability = finding.Unsafe
		}
		return list
	}
	patch, err := fixers.Repair(p, fixers.Options{Recheck: recheck})
	if err != nil || len(patch.Files) > 0 || len(patch.Refused) > 0 || len(patch.Remaining) != 1 {
		t.Errorf("an unsafe fix by default: %+v, %v", patch, err)
	}
	patch, err = fixers.Repair(p, fixers.Options{Recheck: recheck, Allow: func(f finding.Finding) bool { return f.Rule == "x/a" }})
	if err != nil || len(patch.Files) != 1 || len(patch.Remaining) != 0 {
		t.Errorf("an unsafe fix on demand: %+v, %v", patch, err)
	}
	if _, err := fixers.Repair(p, fixers.Options{}); err == nil {
		t.Error("no error without a Recheck")
	}
}

// both is a rule whose fix changes two files, and creates a third.
func both(p *schema.Project) (list []finding.Finding) {
	a, b := p.FileAt("aml_config/a.compute"), p.FileAt("aml_config/b.runconfig")
	if a.Root().Get("type").Text() == "remotedocker" {
		list = append(list, finding.Finding{Rule: "x/both", Severity: finding.Error, Location: finding.Location{Source: a.Source, Message: "both"},
			Fix: &finding.Fix{Title: "change both", Applicability: finding.Safe, Changes: []finding.Change{
				{Op: finding.SetScalar, File: a.Path, Pointer: "/type", Value: finding.Text("localdocker")},
				{Op: finding.SetScalar, File: b.Path, Pointer: "/Target", Value: finding.Text("b")},
				{Op: finding.NewFile, File: filepath.Join(filepath.Dir(a.Path), "c.yml"), Value: finding.Text("c: 1\n")},
			}}})
	}
	return list
}

func TestSeveralFiles(t *testing.T) {
	p := load(t, map[string]string{"aml_config/a.compute": "type: remotedocker\n", "aml_config/b.runconfig": "Target: a\n"})
	patch, err := fixers.Repair(p, fixers.Options{Recheck: both})
	if err != nil || len(patch.Applied) != 1 {
		t.Fatalf("%+v, %v", patch, err)
	}
	want := "--- a/a.compute\n+++ b/a.compute\n@@ -1 +1 @@\n-type: remotedocker\n+type: localdocker\n" +
		"--- a/b.runconfig\n+++ b/b.runconfig\n@@ -1 +1 @@\n-Target: a\n+Target: b\n" +
		"--- /dev/null\n+++ b/c.yml\n@@ -0,0 +1 @@\n+c: 1\n"
	testkit.Same(t, want, string(patch.Diff(fixers.DiffOptions{Name: filepath.Base})), "diff")
	testkit.OK(t, commit(t, patch))
	text, err := os.ReadFile(filepath.Join(p.Root, "aml_config", "c.yml"))
	if err != nil || string(text) != "c: 1\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestFileThatAFixNames checks that a file that joins the project because a path was corrected is changed, not created.
func TestFileThatAFixNames(t *testing.T) {
	const conda = "dependencies: [python=3.11]\n"
	dir := testkit.Lay(t, map[string]string{
		"env.yml":         "name: e\nimage: ubuntu\nconda_file: conda.yml\n",
		"parts/conda.yml": conda,
	})
	patch, err := fixers.Repair(loaded.Project(t, dir), fixers.Options{Recheck: lint(
		becomes("path", "conda_file", "conda.yml", "parts/conda.yml"), needs("channels", "dependencies", "channels"))})
	testkit.OK(t, err)
	testkit.Same(t, 2, len(patch.Files))
	testkit.Same(t, conda, string(patch.Files[1].Old))
	testkit.OK(t, commit(t, patch))
	testkit.Same(t, conda+"channels: true\n", testkit.Read(t, filepath.Join(dir, "parts", "conda.yml")))
}

// TestCopyFile lets a fix split a file: a copy, changed, and a reference to it.
func TestCopyFile(t *testing.T) {
	p := load(t, map[string]string{"aml_config/a.runconfig": "Target: vm\r\nConda: c.yml\r\n", "aml_config/c.yml": "d:\r\n- cpu # c\r\n- x"})
	split := func(p *schema.Project) (list []finding.Finding) {
		a, c := p.FileAt("aml_config/a.runconfig"), p.FileAt("aml_config/c.yml")
		name := filepath.Join(filepath.Dir(c.Path), "c_gpu.yml")
		for _, item := range []string{"cpu", "x"} { // two findings of one fault, with one fix
			if a.Root().Get("Conda").Text() == "c.yml" {
				list = append(list, finding.Finding{Rule: "x/split", Severity: finding.Error, Location: finding.Location{Source: c.Source, Message: item},
					Fix: &finding.Fix{Title: "split", Applicability: finding.Safe, Changes: []finding.Change{
						{Op: finding.CopyFile, File: name, From: c.Path, Changes: []finding.Change{{Op: finding.SetScalar, File: name, Pointer: "/d/0", Value: finding.Text("gpu")}}},
						{Op: finding.SetScalar, File: a.Path, Pointer: "/Conda", Value: finding.Text("c_gpu.yml")},
					}}})
			}
		}
		for _, f := range p.Files { // a fault without a fix, which the copy inherits
			if items := f.Root().Get("d"); items != nil {
				list = append(list, finding.Finding{Rule: "x/split", Severity: finding.Error, Location: finding.Location{Source: f.Source, Span: items.Items()[1].Span, Message: "x"}})
			}
		}
		return list
	}
	patch, err := fixers.Repair(p, fixers.Options{Recheck: split})
	if err != nil || len(patch.Applied) != 1 || len(patch.Refused) > 0 || len(patch.Remaining) != 2 {
		t.Fatalf("%+v, %v", patch, err)
	}
	got := map[string]string{}
	for _, f := range patch.Files {
		got[filepath.Base(f.Path)] = string(f.New)
		if (f.Old == nil) != (filepath.Base(f.Path) == "c_gpu.yml") {
			t.Errorf("%s: created or not: %q", f.Path, f.Old)
		}
	}
	want := map[string]string{"a.runconfig": "Target: vm\r\nConda: c_gpu.yml\r\n", "c_gpu.yml": "d:\r\n- gpu # c\r\n- x"}
	testkit.Same(t, want, got)
}

// TestRefusedFiles gives fixes for files that cannot be had.
func TestRefusedFiles(t *testing.T) {
	for reason, changes := range map[string][]finding.Change{
		"none.yml: the file is not part of the project": {{Op: finding.SetScalar, File: "none.yml", Pointer: "/a"}},
		"a.compute: the file already exists":            {{Op: finding.NewFile, File: "a.compute"}},
		"b.yml: the file is not part of the project":    {{Op: finding.CopyFile, File: "none.yml", From: "b.yml"}},
		"c.yml: the copy of a file can only be changed": {{Op: finding.CopyFile, File: "c.yml", From: "a.compute", Changes: []finding.Change{{Op: finding.NewFile}}}},
		"d.yml: a file cannot be created and changed":   {{Op: finding.NewFile, File: "d.yml"}, {Op: finding.SetScalar, File: "d.yml"}},
	} {
		p := load(t, map[string]string{"aml_config/a.compute": "a: x\n"})
		dir := filepath.Dir(p.FileAt("aml_config/a.compute").Path)
		for i := range changes {
			changes[i].File = filepath.Join(dir, changes[i].File)
			if changes[i].From != "" {
				changes[i].From = filepath.Join(dir, changes[i].From)
			}
		}
		patch, err := fixers.Repair(p, fixers.Options{Recheck: lint(func(_ *schema.File, report func(string, string, source.Span, ...finding.Change)) {
			report("x/x", "x", source.Span{}, changes...)
		})})
		if err != nil || len(patch.Refused) != 1 || !strings.HasPrefix(patch.Refused[0].Reason, filepath.Join(dir, reason)) {
			t.Errorf("%+v, %v; want refused: %s", patch, err, reason)
		}
	}
}

// TestDiffAndWrite checks that git makes of the raw diff what Write writes, for every style of line ends, and that
// secrets show in the raw diff only.
func TestDiffAndWrite(t *testing.T) {
	for style, save := range map[string]func(string) string{
		"LF":               func(s string) string { return s },
		"CRLF":             func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"CRCRLF":           func(s string) string { return strings.ReplaceAll(s, "\n", "\r\r\n") },
		"CR":               func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
		"byte order mark":  func(s string) string { return "\xef\xbb\xbf" + s },
		"no final newline": func(s string) string { return strings.TrimSuffix(s, "\n") },
	} {
		t.Run(style, func(t *testing.T) {
			before, want := save("a: x # c\npassword: hunter2\nz: 1\n"), save("a: gpu # c\nnvidia: true\npassword: hunter2\nz: 1\nlast: true\n")
			p := load(t, map[string]string{"aml_config/a.compute": before})
			patch, err := fixers.Repair(p, fixers.Options{Recheck: lint(becomes("x/a", "a", "x", "gpu"), needs("x/b", "a", "nvidia"), needs("x/c", "z", "last"))})
			if err != nil || len(patch.Files) != 1 {
				t.Fatalf("%+v, %v", patch, err)
			}
			name := func(string) string { return "a.compute" }
			raw := patch.Diff(fixers.DiffOptions{Raw: true, Name: name})
			if shown := patch.Diff(fixers.DiffOptions{Name: name}); bytes.Contains(shown, []byte("hunter2")) || !bytes.Contains(shown, []byte("# a.compute: secrets are shown as ***")) {
				t.Errorf("a secret is shown, or not said to be hidden:\n%s", shown)
			}
			testkit.OK(t, commit(t, patch))
			got, err := os.ReadFile(patch.Files[0].Path)
			if err != nil || string(got) != want {
				t.Errorf("written %q, %v; want %q", got, err, want)
			}
			if err := commit(t, patch); err == nil || !strings.Contains(err.Error(), "changed on disk since") {
				t.Errorf("written twice: %v", err)
			}
			apply(t, before, want, raw)
		})
	}
}

// apply lets git apply a diff of the file a.compute.
func apply(t *testing.T, before, want string, diff []byte) {
	t.Helper()
	testkit.Program(t, "git")
	dir := t.TempDir()
	for name, text := range map[string]string{"a.compute": before, "p.diff": string(diff)} {
		testkit.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, args := range [][]string{{"init", "-q"}, {"apply", "--whitespace=nowarn", "p.diff"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		testkit.Output(t, cmd)
	}
	got, err := os.ReadFile(filepath.Join(dir, "a.compute"))
	if err != nil || string(got) != want {
		t.Errorf("git makes of it %q, %v; want %q", got, err, want)
	}
}

// commit writes a patch, with its journal in a folder of the test's own.
func commit(t *testing.T, patch *fixers.Patch) error {
	t.Helper()
	_, err := patch.Commit(t.TempDir())
	return err
}
