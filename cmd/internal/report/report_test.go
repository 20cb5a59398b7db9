package report

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

var (
	compute = source.New("p/aml_config/vm.compute", []byte("# größer\ntype: remotedocker\npassword: hunter2\nbaseDockerImage:\tmicrosoft/mmlspark:plus-0.9.9\nnvidiaDocker: true\n"))
	evil    = source.New("p/aml_config/\x1b[31m.compute", []byte("a: \x1b]0;x\x07\n"))
	missing = source.New("p/aml_config/x.compute", nil)
)

// at returns the location of a word in a source.
func at(src *source.Source, word, message string) finding.Location {
	i := strings.Index(string(src.Text), word)
	return finding.Location{Source: src, Span: source.Span{Start: i, End: i + len(word)}, Message: message}
}

var findings = []finding.Finding{
	{
		Rule: "gpu/base-image", Severity: finding.Error, Location: at(compute, "microsoft/mmlspark:plus-0.9.9", "this is a <CPU> image"),
		Related: []finding.Location{at(compute, "nvidiaDocker: true", "nvidiaDocker asks for GPUs")},
		Fix:     &finding.Fix{Title: "use plus-gpu-0.9.9", Applicability: finding.Safe},
	},
	{
		Rule: "schema/value", Severity: finding.Warning, Location: at(compute, "hunter2", `"hunter2" is a poor choice`),
		Fix: &finding.Fix{Title: "empty it", Applicability: finding.Unsafe},
	},
	{Rule: "schema/deprecated", Severity: finding.Info, Location: at(compute, "type", "old")},
	{Rule: "schema/value", Severity: finding.Error, Location: at(evil, "\x1b]0;x\x07", "\x1b]0;x\x07 is odd")},
	{Rule: "yaml/syntax", Severity: finding.Error, Location: finding.Location{Source: missing, Message: "cannot be read"}},
}

func write(format Format, opts Options, list []finding.Finding, repairs ...Repair) string {
	var b strings.Builder
	if opts.Version == nil {
		opts.Version = func() string { return "" }
	}
	w := New(format, &b, opts)
	s := Summary{Projects: 1, Files: 3}
	for _, r := range repairs {
		w.Repair(r)
		if r.Reason == "" {
			s.Repaired++
		} else {
			s.Refused++
		}
	}
	resolver := Resolver{Dir: "/", Snippets: format == Text}
	var sorter Sorter
	sorter.Add(resolver.Findings(list))
	for _, f := range sorter.Rest() {
		w.Finding(f)
		s.Count(f)
	}
	w.Close(s)
	return b.String()
}

func TestText(t *testing.T) {
	want := `p/aml_config/\x1b[31m.compute:1:4: error: \x1b]0;x\x07 is odd [schema/value]
   1 | a: \x1b]0;x\x07
     |    ^~~~~~~~~~~~

p/aml_config/vm.compute:3:11: warning: "***" is a poor choice [schema/value]
   3 | password: ***
     |           ^~~
  fix: empty it (amlfix --apply --unsafe)

p/aml_config/vm.compute:4:18: error: this is a <CPU> image [gpu/base-image]
   4 | baseDockerImage:	microsoft/mmlspark:plus-0.9.9
     |                 	^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
p/aml_config/vm.compute:5:1: note: nvidiaDocker asks for GPUs
   5 | nvidiaDocker: true
     | ^~~~~~~~~~~~~~~~~~
  fix: use plus-gpu-0.9.9 (amlfix --apply)

p/aml_config/x.compute:1:1: error: cannot be read [yaml/syntax]

3 errors, 1 warning in 1 project (3 files); 1 can be repaired: amlfix --apply; 1 more with --unsafe; 1 info hidden: --verbose
`
	testkit.Same(t, want, write(Text, Options{Command: "amlfix --apply"}, findings))
}

func TestTextShowsInfosOnlyWhenAsked(t *testing.T) {
	testkit.Same(t, "", write(Text, Options{}, findings[2:3]))
	want := `p/aml_config/vm.compute:2:1: info: old [schema/deprecated]
   2 | type: remotedocker
     | ^~~~

1 info in 1 project (3 files)
`
	testkit.Same(t, want, write(Text, Options{Verbose: true}, findings[2:3]))
}

func TestTextOfHiddenRepairs(t *testing.T) {
	info := findings[0]
	info.Severity, info.Location = finding.Info, findings[2].Location
	for _, format := range []Format{Text, Concise} {
		testkit.Has(t, write(format, Options{Command: "amlfix --apply"}, []finding.Finding{findings[0], info}),
			"\n1 error in 1 project (3 files); 2 can be repaired: amlfix --apply; 1 info hidden, 1 with a repair: --verbose\n")
		testkit.Has(t, write(format, Options{Applied: true}, []finding.Finding{findings[1], info}), "; 1 info hidden: --verbose\n")
	}
}

func TestTextWithColour(t *testing.T) {
	got := write(Text, Options{Style: ui.NewStyle(true), Command: "amlfix --apply"}, findings[:1])
	testkit.Has(t, got, "\x1b[1;31merror:\x1b[0m", "\x1b[1;31m^~~~", "\x1b[36mnote:\x1b[0m", "\x1b[32mfix:\x1b[0m")
	plain := write(Text, Options{Command: "amlfix --apply"}, findings[:1])
	if strings.Contains(plain, "\x1b") {
		t.Errorf("colour in %q", plain)
	}
}

var repairs = []Repair{
	{Path: "p/a.compute", Line: 3, Rule: "gpu/base-image", Title: "use plus-gpu-0.9.9"},
	{Path: "p/b.yml", Line: 1, Rule: "yaml/syntax", Title: "repair the syntax", Reason: "it conflicts"},
}

func TestTextOfRepairs(t *testing.T) {
	want := `p/a.compute:3: repaired: use plus-gpu-0.9.9 [gpu/base-image]
p/b.yml:1: not repaired: repair the syntax: it conflicts [yaml/syntax]

1 repaired; 1 not repaired; nothing is left to repair in 1 project (3 files)
`
	testkit.Same(t, want, write(Text, Options{Applied: true}, nil, repairs...))
}

// TestJSON compares bytes rather than values: the JSON report is a stable interface.
func TestJSON(t *testing.T) {
	want := `{"version":"1.2.3","findings":[
{"rule":"schema/deprecated","severity":"info","message":"old","path":"p/aml_config/vm.compute","line":2,"column":1,"endLine":2,"endColumn":5,"related":[],"fix":null,"url":"https://github.com/amlfix/amlfix/blob/main/docs/rules/schema-deprecated.md"},
{"rule":"schema/value","severity":"warning","message":"\"***\" is a poor choice","path":"p/aml_config/vm.compute","line":3,"column":11,"endLine":3,"endColumn":18,"related":[],"fix":{"title":"empty it","applicability":"unsafe","id":"eaa65708f7","edits":null,"editsReason":"this run repairs: check again for the edits of what is left"},"url":"https://github.com/amlfix/amlfix/blob/main/docs/rules/schema-value.md"},
{"rule":"gpu/base-image","severity":"error","message":"this is a <CPU> image","path":"p/aml_config/vm.compute","line":4,"column":18,"endLine":4,"endColumn":47,"related":[{"path":"p/aml_config/vm.compute","line":5,"column":1,"message":"nvidiaDocker asks for GPUs"}],"fix":{"title":"use plus-gpu-0.9.9","applicability":"safe","id":"fc9c49a91f","edits":null,"editsReason":"this run repairs: check again for the edits of what is left"},"url":"https://github.com/amlfix/amlfix/blob/main/docs/rules/gpu-base-image.md"}
],"summary":{"projects":1,"files":3,"errors":1,"warnings":1,"infos":1,"fixable":1}}
`
	got := write(JSON, Options{Version: func() string { return "1.2.3" }}, findings[:3])
	testkit.Same(t, want, got)
}

func TestJSONIsValid(t *testing.T) {
	for name, got := range map[string]string{
		"with odd characters": write(JSON, Options{}, findings),
		"without findings":    write(JSON, Options{}, nil),
		"with repairs":        write(JSON, Options{Applied: true}, nil, repairs...),
	} {
		if !json.Valid([]byte(got)) {
			t.Errorf("%s: not valid JSON: %s", name, got)
		}
	}
	want := `{"version":"","findings":[],"summary":{"projects":1,"files":3,"errors":0,"warnings":0,"infos":0,"fixable":0},` +
		`"applied":[{"path":"p/a.compute","line":3,"rule":"gpu/base-image","title":"use plus-gpu-0.9.9","evidence":{"changes":[],"proved":["parses","values","bytes","mended","settled"]}}],` +
		`"refused":[{"path":"p/b.yml","line":1,"rule":"yaml/syntax","title":"repair the syntax","reason":"it conflicts"}]}` + "\n"
	testkit.Same(t, want, write(JSON, Options{Applied: true}, nil, repairs...))
	want = `{"version":"1.2.3","findings":[],"summary":{"projects":1,"files":4,"errors":0,"warnings":0,"infos":0,"fixable":0},"problems":["x: no \"such\" file"]}` + "\n"
	testkit.Same(t, want, string(report(JSON, nil, `x: no "such" file`)))
}

func TestSorter(t *testing.T) {
	paths := func(list []Finding) (out []string) {
		for _, f := range list {
			out = append(out, f.Path)
		}
		return out
	}
	make := func(paths ...string) (list []Finding) {
		for _, p := range paths {
			list = append(list, Finding{Place: Place{Path: p}})
		}
		return list
	}
	var s Sorter
	s.Add(make("a/z.yml", "a/aml_config/x", "shared.yml"))
	testkit.Same(t, []string{"a/aml_config/x"}, paths(s.Before("a/b/")))
	s.Add(make("a/b/aml_config/y", "shared.yml"))
	testkit.Same(t, []string{"a/b/aml_config/y", "a/z.yml"}, paths(s.Before("b/")))
	testkit.Same(t, []string{"shared.yml"}, paths(s.Rest()))
}

func TestRel(t *testing.T) {
	for name, want := range map[string]string{
		"/home/a/b": "a/b", "/other/x": "../other/x", "a/./b": "a/b", "./a": "a", ".": ".", "/home": ".",
	} {
		testkit.Same(t, want, Rel("/home", name), "Rel(%q)", name)
	}
	// as filepath.Rel does, which takes longer
	paths := []string{"/", "/a", "/a/", "/a/b", "/a//b", "/a/.b", "/a/b/c", "/a/bc", "/ab/c", "/a/../b", "/b/a", "/b/a/b/c"}
	for _, dir := range paths {
		for _, name := range paths {
			want, err := filepath.Rel(dir, name)
			testkit.OK(t, err)
			testkit.Same(t, filepath.ToSlash(want), Rel(dir, name), "Rel(%q, %q)", dir, name)
		}
	}
}

// TestRelative: the root begins every path, so nothing is relative to it.
func TestRelative(t *testing.T) {
	testkit.Same(t, "a.yml and /b/c.yml", Relative("/home", "/home/a.yml and /b/c.yml"), "")
	testkit.Same(t, "/a/b.yml", Relative("/", "/a/b.yml"), "")
}

func TestParseFormat(t *testing.T) {
	for _, name := range Formats() {
		if f, err := parseFormat(name); err != nil || string(f) != name {
			t.Errorf("parseFormat(%q) = %q, %v", name, f, err)
		}
	}
	if _, err := parseFormat("xml"); err == nil || !strings.Contains(err.Error(), "text, concise, json") {
		t.Errorf("parseFormat: %v", err)
	}
}

// TestEvidence checks what --apply adds to the JSON report: why a fix was not made, and what was declared and proved
// for one that was.
func TestEvidence(t *testing.T) {
	var out bytes.Buffer
	w := New(JSON, &out, Options{Version: func() string { return "v" }, Applied: true})
	w.Finding(Finding{Rule: "a/b", Severity: finding.Error, Message: "m", Place: Place{Path: "p", Region: Region{Line: 1, Column: 2, EndLine: 1, EndColumn: 3}},
		Fix: &Fix{Title: "t", Applicability: finding.Safe, Refused: &Refusal{Clause: "b", Reason: "why"}}})
	w.Repair(Repair{Path: "p", Line: 1, Rule: "a/b", Title: "t", Clause: "b", Reason: "why"})
	w.Repair(Repair{Path: "q", Line: 2, Rule: "c/d", Title: "u", Changes: []Change{{Op: "set", Path: "q", Pointer: "/x"}}})
	w.Close(Summary{})
	want := `{"version":"v","findings":[
{"rule":"a/b","severity":"error","message":"m","path":"p","line":1,"column":2,"endLine":1,"endColumn":3,"related":[],"fix":{"title":"t","applicability":"safe","refused":{"clause":"b","reason":"why"},"id":"","edits":null},"url":"https://github.com/amlfix/amlfix/blob/main/docs/rules/a-b.md"}
],"summary":{"projects":0,"files":0,"errors":0,"warnings":0,"infos":0,"fixable":0},` +
		`"applied":[{"path":"q","line":2,"rule":"c/d","title":"u","evidence":{"changes":[{"op":"set","path":"q","pointer":"/x"}],"proved":["parses","values","bytes","mended","settled"]}}],` +
		`"refused":[{"path":"p","line":1,"rule":"a/b","title":"t","clause":"b","reason":"why"}]}
`
	testkit.Same(t, want, out.String())
}
