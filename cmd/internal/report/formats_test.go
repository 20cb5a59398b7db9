package report

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers"
	edits "github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// programFormats are the formats whose golden files are in testdata.
var programFormats = map[Format]string{SARIF: "sarif", GitHub: "txt", GitLab: "json", JUnit: "xml", Checkstyle: "xml", Markdown: "md"}

// written resolves findings and writes them with everything that a format can show.
func written(format Format, opts Options, list []finding.Finding) string {
	resolver := Resolver{Dir: "/", Fingerprints: "/", Edits: func(f finding.Finding) ([]fixers.FileEdits, error) {
		return []fixers.FileEdits{{Source: f.Source, Edits: []edits.Edit{{Span: f.Span, New: "new"}}}}, nil
	}}
	var b strings.Builder
	if opts.Version == nil {
		opts.Version = func() string { return "" }
	}
	w := New(format, &b, opts)
	sum := Summary{Projects: 1, Files: 3, Exit: 1}
	var sorter Sorter
	sorter.Add(resolver.Findings(list))
	for _, f := range sorter.Rest() {
		sum.Count(f)
		w.Finding(f)
	}
	w.Close(sum)
	return b.String()
}

func TestGoldenFormats(t *testing.T) {
	rule := &rules.Rule{ID: "gpu/base-image", Severity: finding.Error, Doc: "A CPU image.", Why: "It is no GPU image,\nso it does not work.", Remedy: "Another is named.",
		Bad: "\n-- a.compute --\nimage: cpu\n", Good: "\n-- a.compute --\nimage: gpu\n"}
	for format, extension := range programFormats {
		for name, list := range map[string][]finding.Finding{"findings": findings, "none": nil} {
			golden := "testdata/" + name + "." + string(format) + "." + extension
			got := written(format, Options{Version: func() string { return "1.2.3" }, Base: "team/a", Rules: []*rules.Rule{rule}}, list)
			if *update {
				testkit.OK(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			testkit.Same(t, testkit.Read(t, golden), got, "%s differs (-update rewrites it)", golden)
			if strings.Contains(got, "hunter2") {
				t.Errorf("%s shows a password", format)
			}
		}
	}
}

// TestEditsWithSecretsAreNotReported offers replacements that contain something that must not be shown, in three ways.
func TestEditsWithSecretsAreNotReported(t *testing.T) {
	for with, shown := range map[string]bool{
		"local": true, "": true, "hunter2": false, "password: x": false, "https://x.blob.core.windows.net/a?sig=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%3D": false,
	} {
		r := Resolver{Dir: "/", Edits: func(finding.Finding) ([]fixers.FileEdits, error) {
			return []fixers.FileEdits{{Source: compute, Edits: []edits.Edit{{Span: source.Span{Start: 0, End: 1}, New: with}}}}, nil
		}}
		if got := r.Finding(findings[0]).Fix.Edits != nil; got != shown {
			t.Errorf("an edit with %q is reported: %v", with, got)
		}
	}
}

// TestFingerprints checks that a finding keeps its fingerprint when lines around it are added or removed, and that
// identical findings have different ones.
func TestFingerprints(t *testing.T) {
	prints := func(text string) (list []string) {
		src := source.New("/p/x.compute", []byte(text))
		var all []finding.Finding
		for at := 0; ; at++ {
			i := strings.Index(text[at:], "bad")
			if i < 0 {
				break
			}
			at += i
			all = append(all, finding.Finding{Rule: "a/b", Location: finding.Location{Source: src, Span: source.Span{Start: at, End: at + 3}}})
		}
		r := Resolver{Dir: "/", Fingerprints: "/"}
		for _, f := range r.Findings(all) {
			list = append(list, f.Fingerprint)
		}
		return list
	}
	before := prints("a: bad\nb: bad\na: bad\n")
	if before[0] == before[1] || before[0] == before[2] || before[1] == before[2] {
		t.Errorf("not unique: %q", before)
	}
	testkit.Same(t, before, prints("# new\n\na: bad\n# in between\n  b: bad\r\na: bad"), "lines around it change the fingerprint")
	long := strings.Repeat("x, ", 10_000)
	if one, two := prints("[bad, "+long+"]"), prints("[bad, "+long+long+"]"); one[0] != two[0] {
		t.Error("the fingerprint depends on all of a long line, which thousands of findings may share")
	}
	if one, two := prints("["+long+"bad, a]"), prints("["+long+"bad, b]"); one[0] == two[0] {
		t.Error("the fingerprint does not depend on what is near in a long line")
	}
	if one, two := prints("password: bad1\n"), prints("password: bad2\n"); one[0] != two[0] {
		t.Error("the fingerprint depends on a password")
	}
}

func TestBasedAndURI(t *testing.T) {
	for _, tt := range [][3]string{
		{"", "a/b", "a/b"}, {"top", "a/b", "top/a/b"}, {"top", "../x", "x"}, {"", "../x", "../x"}, {"top", "/abs", "/abs"},
		{"", "a b/größer#?%.yml", "a%20b/gr%C3%B6%C3%9Fer%23%3F%25.yml"}, {"", "c:d", "./c:d"}, {"", "\xff", "%FF"},
	} {
		if got := uri(based(tt[0], tt[1])); got != tt[2] {
			t.Errorf("%q below %q: %q, want %q", tt[1], tt[0], got, tt[2])
		}
	}
}

// TestSuppressedFindings checks that only formats that can represent suppressed findings include them.
func TestSuppressedFindings(t *testing.T) {
	f := finding.Finding{Rule: "a/b", Severity: finding.Error, Location: at(compute, "type", "odd"),
		Suppression: &finding.Suppression{Kind: finding.External, Justification: "we live with it"}}
	for _, name := range Formats() {
		got := written(Format(name), Options{}, []finding.Finding{f})
		if shown := strings.Contains(got, "odd"); shown != strings.Contains(got, "we live with it") || shown != (name == "json" || name == "sarif") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestComparableVersion(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "1.2.3", "devel": "0.0.0-devel", "main": "0.0.0-main"} {
		testkit.Same(t, want, comparableVersion(version), "%q", version)
	}
}

func TestParseOutput(t *testing.T) {
	for text, want := range map[string]Output{"text": {Format: Text}, "sarif=a=b.sarif": {SARIF, "a=b.sarif"}, "json=-": {Format: JSON}} {
		if got, err := ParseOutput(text); err != nil || got != want {
			t.Errorf("ParseOutput(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "xml", "sarif=", "=file"} {
		if _, err := ParseOutput(text); err == nil {
			t.Errorf("ParseOutput(%q) takes it", text)
		}
	}
}
