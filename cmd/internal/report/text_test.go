package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// on returns a place with a line of the file to show.
func on(path string, line int) Place {
	return Place{Path: path, Region: Region{Line: line, Column: 3, EndLine: line, EndColumn: 4}, Snippet: ui.NewSnippet("a: b", ui.Mark{Start: 3, End: 4}, nil, 80)}
}

// notes returns n notes, on lines from first on.
func notes(first, n int) (list []Note) {
	for i := range n {
		list = append(list, Note{on("n.compute", first+i), fmt.Sprintf("note %d", first+i)})
	}
	return list
}

func answersOf(n int) (list []Answer) {
	for i := range n {
		list = append(list, Answer{fmt.Sprintf("--choose cuda=%d.0", 8+i), "take it"})
	}
	return list
}

// shown returns the text of findings, each with its own line unless it sets one.
func shown(opts Options, list ...Finding) string {
	var b strings.Builder
	w := New(Text, &b, opts)
	s := Summary{Projects: 1, Files: 1}
	for i, f := range list {
		f.Rule, f.Severity, f.Message = "a/b", finding.Error, "wrong"
		if f.Path == "" {
			f.Place = on("x.yml", i+1)
		}
		s.Count(f)
		w.Finding(f)
	}
	w.Close(s)
	text, _, _ := strings.Cut(b.String(), "\n\n"+fmt.Sprint(len(list))+" error")
	return strings.TrimSuffix(text, "\n") + "\n"
}

// TestEightLines checks that a finding takes at most eight lines and says what was cut, and that it is complete with
// --verbose.
func TestEightLines(t *testing.T) {
	for n := range 12 {
		for a := range 10 {
			for _, notice := range []string{"", "a licence"} {
				for _, seen := range []int{0, 1, n} {
					first := Finding{Related: notes(1, seen)}
					f := Finding{Related: notes(1, n)}
					if a > 0 {
						f.Fix = &Fix{ID: "1", Title: "decide", Applicability: finding.Choice, Answers: answersOf(a), Notice: notice}
					}
					_, text, _ := strings.Cut(shown(Options{}, first, f), "\n\n")
					if lines := strings.Count(text, "\n"); lines > mostLines {
						t.Fatalf("%d notes, %d of them seen, %d answers: %d lines:\n%s", n, seen, a, lines, text)
					}
					said := strings.Count(text, "--choose") + strings.Count(text, "note: ") + strings.Count(text, "n.compute:") - strings.Count(text, "note: ")
					for line := range strings.Lines(text) {
						var x, y int
						if strings.HasSuffix(line, ": --verbose\n") {
							switch {
							case strings.Contains(line, "answer") && strings.Contains(line, "note"):
								line = strings.NewReplacer("answers", "answer", "notes", "note").Replace(line)
								_, _ = fmt.Sscanf(line, "  %d more answer, %d more note", &x, &y)
							default:
								_, _ = fmt.Sscanf(line, "  %d more", &x)
							}
						}
						said += x + y
						if _, rest, ok := strings.Cut(line, ", and "); ok {
							_, _ = fmt.Sscanf(rest, "%d more", &x)
							said += x
						}
					}
					if said != n+a {
						t.Fatalf("%d notes, %d of them seen, %d answers: %d are accounted for:\n%s", n, seen, a, said, text)
					}
					_, all, _ := strings.Cut(shown(Options{Verbose: true}, first, f), "\n\n")
					if strings.Count(all, "note: ") != n || strings.Count(all, "--choose") != a || strings.Contains(all, "--verbose") {
						t.Fatalf("--verbose:\n%s", all)
					}
				}
			}
		}
	}
}

func TestNotesAreSaidOnce(t *testing.T) {
	safe := func(id string) *Fix { return &Fix{ID: id, Title: "write it", Applicability: finding.Safe} }
	want := `x.yml:1:3: error: wrong [a/b]
   1 | a: b
     |    ^
n.compute:1:3: note: note 1
   1 | a: b
     |    ^
  fix: write it (amlfix --apply)

x.yml:1:3: error: wrong [a/b]
n.compute:2:3: note: note 2
   2 | a: b
     |    ^
  see above: n.compute:1
  fix: write it (same fix as above)

x.yml:3:3: error: wrong [a/b]
   3 | a: b
     |    ^
  see above: n.compute:1, n.compute:2
  fix: write it (amlfix --apply)

q/x.yml:1:3: error: wrong [a/b]
   1 | a: b
     |    ^
n.compute:1:3: note: note 1
   1 | a: b
     |    ^
  fix: write it (amlfix --apply)
`
	got := shown(Options{Command: "amlfix --apply"},
		Finding{Related: notes(1, 1), Fix: safe("1")},
		Finding{Place: on("x.yml", 1), Related: notes(1, 2), Fix: safe("1")},
		Finding{Related: notes(1, 2), Fix: safe("2")},
		Finding{Place: on("q/x.yml", 1), Project: "q", Related: notes(1, 1), Fix: safe("1")})
	testkit.Same(t, want, got)
}

func TestConcise(t *testing.T) {
	want := `p/aml_config/\x1b[31m.compute:1:4: error schema/value \x1b]0;x\x07 is odd [to 1:10]
p/aml_config/vm.compute:3:11: warning schema/value "***" is a poor choice [to 3:18] [unsafe fix eaa65708f7]
p/aml_config/vm.compute:4:18: error gpu/base-image this is a <CPU> image [to 4:47] [fix fc9c49a91f]
p/aml_config/x.compute:1:1: error yaml/syntax cannot be read [to 1:1]
3 errors, 1 warning in 1 project (3 files); 1 can be repaired: amlfix --apply; 1 more with --unsafe; 1 info hidden: --verbose
`
	testkit.Same(t, want, write(Concise, Options{Command: "amlfix --apply"}, findings))
	testkit.Same(t, "", write(Concise, Options{}, findings[2:3]), "only an info")
}

func TestStatistics(t *testing.T) {
	want := `COUNT  SEVERITY  RULE            CAN BE REPAIRED
    2  error     gpu/base-image  2
    1  error     schema/value    -
    1  error     yaml/syntax     -
    1  warning   schema/value    1 with --unsafe

4 errors, 1 warning in 1 project (3 files); 2 can be repaired: amlfix --apply; 1 more with --unsafe; 1 info hidden: --verbose
`
	twice := findings[0]
	twice.Message = "once more"
	list := append(slices.Clone(findings), twice)
	for _, format := range []Format{Text, Concise} {
		testkit.Same(t, want, write(format, Options{Command: "amlfix --apply", Statistics: true}, list), format)
	}
	const inJSON = `"fixable":2},"statistics":[` +
		`{"rule":"gpu/base-image","severity":"error","count":2,"fixable":2,"unsafe":0},` +
		`{"rule":"schema/value","severity":"error","count":1,"fixable":0,"unsafe":0},` +
		`{"rule":"yaml/syntax","severity":"error","count":1,"fixable":0,"unsafe":0},` +
		`{"rule":"schema/value","severity":"warning","count":1,"fixable":0,"unsafe":1},` +
		`{"rule":"schema/deprecated","severity":"info","count":1,"fixable":0,"unsafe":0}]}` + "\n"
	if got := write(JSON, Options{Statistics: true}, list); !strings.HasSuffix(got, inJSON) {
		t.Errorf("%s", got)
	}
	if got := write(JSON, Options{Statistics: true}, nil); !strings.HasSuffix(got, `,"statistics":[]}`+"\n") {
		t.Errorf("%s", got)
	}
}

// TestOverview writes one finding too many to be read at a glance.
func TestOverview(t *testing.T) {
	all := rules.All()
	for total, want := range map[int]string{fewFindings: "", fewFindings + 1: `COUNT  SEVERITY  RULE`} {
		var b strings.Builder
		w := New(Text, &b, Options{Command: "amlfix --apply"})
		s := Summary{Projects: 7, Files: 9}
		for i := range total {
			f := Finding{Place: on("x.yml", i+1), Rule: all[i%12].ID, Severity: finding.Error, Message: "wrong", Project: fmt.Sprintf("p%d", i%7)}
			s.Count(f)
			w.Finding(f)
		}
		w.Close(s)
		_, end, _ := strings.Cut(b.String(), fmt.Sprintf("%4d | a: b\n     |    ^\n\n", total))
		if want == "" {
			testkit.Same(t, "50 errors in 7 projects (9 files)\n", end)
			continue
		}
		for _, part := range []string{want, "    5  error     " + all[0].ID, "       and 2 other rules: --statistics\n", "COUNT  PROJECT\n    8  p0\n    8  p1\n    7  p2\n",
			"       and 2 other projects\n", "\n51 errors in 7 projects (9 files)\n"} {
			testkit.Has(t, end, part)
		}
	}
}

// TestLinks checks that links lead to the files and to the rules' pages, and that the names in them cannot end a link
// or begin another escape sequence.
func TestLinks(t *testing.T) {
	for _, format := range []Format{Text, Concise} {
		got := write(format, Options{Style: ui.NewStyle(false).Linking(true), Dir: "/home/me/a b"}, findings)
		for _, want := range []string{
			"/home/me/a%20b/p/aml_config/vm.compute\x1b\\p/aml_config/vm.compute:4:18:\x1b]8;;\x1b\\",
			"/home/me/a%20b/p/aml_config/%1B%5B31m.compute\x1b\\p/aml_config/\\x1b[31m.compute:1:4:\x1b]8;;\x1b\\",
			"\x1b]8;;https://github.com/amlfix/amlfix/blob/main/docs/rules/gpu-base-image.md\x1b\\gpu/base-image\x1b]8;;\x1b\\",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%q", format, want, got)
			}
		}
		if opened, ends := strings.Count(got, "\x1b]8;;"), strings.Count(got, "\x1b\\"); opened != ends || strings.Count(got, "\x1b") != opened+ends {
			t.Errorf("%s: %d beginnings, %d ends: %q", format, opened, ends, got)
		}
	}
}

func TestClean(t *testing.T) {
	for want, s := range map[string]Summary{
		"8 files checked, nothing found":                           {Files: 8},
		"1 file checked, nothing found; 2 infos hidden: --verbose": {Files: 1, Infos: 2},
	} {
		testkit.Same(t, want, Clean(s, false))
	}
	if got := Clean(Summary{Files: 1, Infos: 2}, true); strings.Contains(got, "hidden") {
		t.Errorf("%q", got)
	}
}

// TestManyPaths checks that a command can be copied, however many files were named, unless too many need it.
func TestManyPaths(t *testing.T) {
	given := strings.Fields("a b c d e f")
	fixed := func(opts Options, names ...string) string {
		var out bytes.Buffer
		w := New(Text, &out, opts)
		for _, name := range names {
			w.Finding(Finding{Place: on(name, 1), Severity: finding.Error, Rule: "a/b", Fix: &Fix{ID: name, Applicability: finding.Unsafe}})
		}
		w.Close(Summary{Errors: len(names), Unsafe: len(names)})
		return out.String()
	}
	for want, opts := range map[string]Options{
		"2 can be repaired: x a b c d --unsafe\n":         {Paths: given[:4]},
		"2 can be repaired: x 'e 1.yml' f.yml --unsafe\n": {Paths: given},
	} {
		opts.Command = "x"
		if got := fixed(opts, "e 1.yml", "f.yml"); !strings.HasSuffix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
		opts.Applied = true
		if got := fixed(opts, "e 1.yml", "f.yml"); !strings.HasSuffix(got, "left in 0 projects (0 files); "+want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := fixed(Options{Command: "x", Paths: given}, given...); !strings.Contains(got, "(x f --unsafe)") || !strings.HasSuffix(got, ": x PATH... --unsafe\n") {
		t.Error(got)
	}
}
