package baseline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// at returns a finding at each occurrence of a word.
func at(rule, text, word string) (list []finding.Finding) {
	src := source.New("team/a/x.compute", []byte(text))
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return list
		}
		span := source.Span{Start: from + i, End: from + i + len(word)}
		list = append(list, finding.Finding{Rule: rule, Location: finding.Location{Source: src, Span: span, Message: "wrong"}})
		from = span.End
	}
}

func read(t testing.TB, text []byte) *baseline.Baseline {
	t.Helper()
	b, faults := baseline.Read(document.Parse(source.New("team/.amlfix-baseline.yaml", text)))
	for _, f := range faults {
		t.Errorf("%s: %s", f.Rule, f.Message)
	}
	return b
}

// known returns which findings in a later text are marked by a baseline of an earlier one.
func known(t *testing.T, rule, before, after, word, day string, fresh baseline.Entry) string {
	t.Helper()
	entries := baseline.Entries("team", at(rule, before, word))
	entries, _, _ = (*baseline.Baseline)(nil).Update(entries, func(string) bool { return true }, fresh, day)
	var out []string
	for _, f := range read(t, baseline.Text(entries)).Mark(at(rule, after, word), day) {
		switch {
		case f.Suppression != nil:
			out = append(out, "known:"+f.Suppression.Justification)
		default:
			out = append(out, f.Message)
		}
	}
	return strings.Join(out, "; ")
}

func TestMark(t *testing.T) {
	for _, c := range []struct{ name, rule, before, after, want string }{
		{"the same", "x/y", "a: bad\n", "a: bad\n", "known:why"},
		{"the line has moved", "x/y", "a: bad\n", "# new\nz: 1\n\n  a: bad\r\n", "known:why"},
		{"the line has changed", "x/y", "a: bad\n", "b: bad\n", "wrong"},
		{"one more of the same", "x/y", "- bad\n", "- bad\n- bad\n", "known:why; wrong"},
		{"one fewer of the same", "x/y", "- bad\n- bad\n", "- bad\n", "known:why"},
		{"a secret on the line has changed", "x/y", "password: hunter2 # bad\n", "password: other # bad\n", "known:why"},
		{"what a rule about secrets points to has changed", "secret/env", "X: bad1\n", "X: bad2\n", "known:why"},
		{"another variable", "secret/env", "X: bad1\n", "Y: bad1\n", "wrong"},
	} {
		testkit.Same(t, c.want, known(t, c.rule, c.before, c.after, "bad", "2026-05-01", baseline.Entry{Reason: "why"}), c.name)
	}
	for day, want := range map[string]string{
		"2026-04-30": "known:", "2026-05-01": "known:", "2026-05-02": "wrong (the baseline accepted this until 2026-05-01)",
	} {
		testkit.Same(t, want, known(t, "x/y", "a: bad\n", "a: bad\n", "bad", day, baseline.Entry{Expires: "2026-05-01"}), "on %s", day)
	}
	ignored := at("x/y", "a: bad\n", "bad")
	b := read(t, baseline.Text(baseline.Entries("team", ignored)))
	ignored[0].Suppression = &finding.Suppression{Kind: finding.InSource}
	if got := b.Mark(ignored, ""); got[0].Suppression.Kind != finding.InSource {
		t.Error("a comment in the file does not go before the baseline")
	}
	found := at("x/y", "a: bad\n", "bad")
	if b.Mark(found, ""); found[0].Suppression != nil {
		t.Error("the list that was passed has changed")
	}
}

// TestText checks that what is written is sorted and said once, that any text survives, and that the entries are left.
// TestNames checks that entries are found again whatever their file is called.
func TestNames(t *testing.T) {
	for _, name := range []string{"a/x.yml", "a/\xff\xfe.yml", "a\nb: \"c\".yml", "\ufffd.yml", `a\b.yml`} {
		list := []finding.Finding{{Rule: "x/y", Location: finding.Location{Source: source.New("team/"+name, []byte("a"))}}}
		if got := read(t, baseline.Text(baseline.Entries("team", list))).Mark(list, "2026-01-01"); got[0].Suppression == nil {
			t.Errorf("%q is not known", name)
		}
	}
}

func TestText(t *testing.T) {
	entries := []baseline.Entry{{Rule: "x/y", Path: "b"}, {Rule: "x/y", Path: "a: \"#\xff", Reason: "first"}, {Rule: "\t", Path: "b"}, {Rule: "x/y", Path: "a: \"#\xff", Reason: "second"}}
	kept := slices.Clone(entries)
	want := []baseline.Entry{{Rule: "x/y", Path: "a: \"#\ufffd", Reason: "first"}, {Rule: "\t", Path: "b"}, {Rule: "x/y", Path: "b"}}
	b, _ := baseline.Read(document.Parse(source.New("team/x", baseline.Text(entries))))
	testkit.Same(t, want, b.Entries)
	testkit.Same(t, kept, entries)
	_, text, _ := strings.Cut(string(baseline.Text(baseline.Entries("team", at("x/y", "bad", "bad")))), "version: 1\n")
	testkit.Same(t, "findings:\n  - rule: \"x/y\"\n    path: \"a/x.compute\"\n    fingerprint: ", text[:strings.LastIndex(text, ": ")+2])
	if text := string(baseline.Text(nil)); !strings.HasSuffix(text, "\nfindings: []\n") {
		t.Error(text)
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"version: 1\nfindings: []\n":     "",
		"version: 2\nfindings: []\n":     "schema/value",
		"version: 1\nfindings: [\n":      "yaml/syntax",
		"version: 2\nfindings: [a: b:\n": "yaml/syntax",
		"version: 2\nfindings: {}\n":     "schema/type",
	} {
		_, faults := baseline.Read(document.Parse(source.New("x", []byte(text))))
		var got []string
		for _, f := range faults {
			got = append(got, f.Rule)
		}
		testkit.Same(t, want, strings.Join(got, " "), "%q", text)
	}
}

func TestUpdate(t *testing.T) {
	entry := func(path, print, reason, expires string) baseline.Entry {
		return baseline.Entry{Rule: "x/y", Path: path, Fingerprint: print, Reason: reason, Expires: expires}
	}
	old := read(t, baseline.Text([]baseline.Entry{
		entry("a", "1", "my \"own\": reason\nof two lines", ""), entry("a", "2", "", ""), entry("b", "3", "elsewhere", "2026-01-01"),
		entry("gone", "4", "", ""), entry("a", "5", "", "2026-01-01"), entry("a", "7", "", "2026-05-01"),
	}))
	found := []baseline.Entry{entry("a", "1", "", ""), entry("a", "5", "", ""), entry("a", "6", "", ""), entry("a", "6", "", ""), entry("a", "7", "", "")}
	seen := func(path string) bool { return path != "b" }
	got, added, gone := old.Update(found, seen, baseline.Entry{Reason: "new"}, "2026-05-01")
	want := []baseline.Entry{
		entry("a", "1", "my \"own\": reason\nof two lines", ""), entry("a", "5", "", "2026-01-01"), entry("a", "7", "", "2026-05-01"),
		entry("b", "3", "elsewhere", "2026-01-01"), entry("a", "6", "new", ""),
	}
	if d := cmp.Diff(want, got); d != "" || added != 1 || gone != 2 {
		t.Errorf("%d added, %d gone (-want +got):\n%s", added, gone, d)
	}
	got, _, _ = old.Update(found, seen, baseline.Entry{Expires: "2026-12-31"}, "2026-05-01")
	want[1].Expires, want[4] = "2026-12-31", entry("a", "6", "", "2026-12-31")
	testkit.Same(t, want, got)
}

// FuzzBaseline reads arbitrary text as a baseline, and checks that what is read survives being written and read again.
func FuzzBaseline(f *testing.F) {
	for _, seed := range []string{
		"", "version: 1\nfindings:\n- rule: a/b\n  path: \"c\"\n  fingerprint: \"d\"\n  reason: \"e\\u00e9\\n\"\n  expires: \"2026-01-01\"\n",
		"version: 1\nfindings: {a: b}\n", "version: 1\nfindings: [x, {rule: [y]}, {rule: a/b, path: c, fingerprint: 1}]\n", "findings: &a [*a]\n", "\xff", "- a",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b, faults := baseline.Read(document.Parse(source.New("x", text)))
		for _, fault := range faults {
			if fault.Span.Start < 0 || fault.Span.End > len(text) || fault.Message == "" {
				t.Errorf("%+v", fault)
			}
		}
		if len(faults) > 0 {
			return
		}
		written := baseline.Text(b.Entries)
		back := read(t, written)
		testkit.Same(t, string(written), string(baseline.Text(back.Entries)), "%q", text)
		b.Mark(at("a/b", "c\n", "c"), "2026-01-01")
	})
}
