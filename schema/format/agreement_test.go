package format

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// agree validates one document against one schema in both ways: if the quick walk finds no fault, neither may the
// library. It returns the result of the quick walk.
func agree(t *testing.T, kind Kind, src *source.Source, root *document.Node) (quick bool) {
	t.Helper()
	if root.IsNull() || root.Kind != document.Mapping {
		return false
	}
	s := schemaFor(kind, root)
	fast := &validation{kind: kind, src: src, root: root}
	if !fast.conforms(s, nil, root) {
		return false
	}
	slow := &validation{kind: kind, src: src, root: root, places: map[string]*place{}}
	value := slow.convert(&place{schema: s, value: root}, "")
	for _, f := range slow.check(s, value) {
		slow.fault(f)
	}
	fast.findings = finding.Sort(fast.findings)
	slow.findings = finding.Sort(slow.findings)
	text := func(list []finding.Finding) (text string) {
		for _, f := range list {
			if f.Fix != nil {
				text += fmt.Sprint(*f.Fix)
			}
			f.Fix = nil // a pointer
			text += fmt.Sprint(f)
		}
		return text
	}
	if text(fast.findings) != text(slow.findings) {
		t.Errorf("%s %s: the quick walk notes %v, the library %v", kind, src.Path, fast.findings, slow.findings)
	}
	return true
}

// heldKinds returns the formats to validate texts against: v2 formats that a key selects from stand for all that can be
// selected.
func heldKinds() []string {
	return append(ownKinds(), "v2-job", "v2-component", "v2-compute", "v2-environment", "v2-online-deployment", "v2-schedule")
}

// TestQuickWalkAgrees validates real files against all schemas, most of which they do not match, and checks that files
// that match their own do not need the library.
func TestQuickWalkAgrees(t *testing.T) {
	files := testkit.Files(t, testkit.Corpus(t))
	quick, valid := 0, 0
	for _, path := range slices.Sorted(maps.Keys(files)) {
		src := source.New(path, files[path])
		root := document.Parse(src).Root()
		for _, kind := range heldKinds() {
			fit := !slices.ContainsFunc(Validate(Kind(kind), src, root), func(f finding.Finding) bool { return f.Severity > finding.Info })
			if fit {
				valid++
			}
			if agree(t, Kind(kind), src, root) {
				quick++
			}
		}
	}
	t.Logf("%d fits, %d of them found quickly", valid, quick)
	if valid == 0 || quick < valid*95/100 {
		t.Errorf("only %d of %d fits were found quickly", quick, valid)
	}
}

// TestUncheckable checks that a file on which the library panics, or which it rejects, is reported.
func TestUncheckable(t *testing.T) {
	src := source.New("x.spark", []byte("version: 1\n"))
	root := document.Parse(src).Root()
	for name, value := range map[string]any{"panic": map[string]any{"version": json.Number("NaN")}, "no JSON": map[string]any{"version": struct{}{}}} {
		v := &validation{kind: Spark, src: src, root: root, places: map[string]*place{"": {schema: schemaFor(Spark, nil), value: root}}}
		faults := literal.Faults(schemaFor(Spark, nil), value)
		if len(faults) != 1 {
			t.Fatalf("%s: %d faults", name, len(faults))
		}
		v.fault(faults[0])
		if len(v.findings) != 1 || !strings.Contains(v.findings[0].Message, "could not be checked") {
			t.Errorf("%s: %v", name, v.findings)
		}
	}
}

// FuzzValidate validates arbitrary texts against every schema, and checks that findings point into the text, that fixes
// lead to nodes, and that both ways of validating agree.
func FuzzValidate(f *testing.F) {
	for _, seed := range []string{
		"", "- a", "type: local\npythonLocation: 3.5\n", "type: remotedocker\naddress: [VM FQDN]\n", "nvidiaDocker: yes\n? [a]\n: b\n",
		"Target: docker\nArgumentVector: [$file]\nFramework: python\nEnvironmentVariables: {a/b: [x], \"\": {}}\n",
		"{\"Target\": \"a\", \"CondaFile\": null}", "script: a\nenvironment: {docker: {gpu_support: true, Enabled: flase}}\nhistory: {foo: 1}\n",
		"dependencies:\n- python=3.5\n-\n- pip:\n  - a\n  - 1.0\n", "configuration: &a {b: *a}\n", "a: &a [x]\nb: &b [*a, *a]\n<<: *b\n",
		"version: .nan\npackages: [{version: 2001-01-01}]\n", "nodeCount: 1e999999999\n", "type: !!binary x\nname: !foo {a: b}\n",
		"Target: &a x\n<<: [{Target: y}, *a]\n", "type: \"lo\\u0000cal\"\n", "- \xff", "a: b\r\n\tc: d\r",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src := source.New("fuzz", text)
		stream := document.Parse(src)
		root := stream.Root()
		for _, kind := range heldKinds() {
			for _, found := range Validate(Kind(kind), src, root) {
				if s := found.Span; s.Start < 0 || s.End < s.Start || s.End > len(text) {
					t.Errorf("%s: span %v of a text of %d bytes: %s", kind, s, len(text), found.Message)
				}
				if found.Message == "" || len(found.Message) > 2000 {
					t.Errorf("%s: message of %d bytes", kind, len(found.Message))
				}
				if found.Fix != nil && root.Find(found.Fix.Changes[0].Pointer) == nil {
					t.Errorf("%s: the fix %v has no target", kind, found.Fix)
				}
			}
			if a, _ := boundlessAlias(firstNode(root)); a == nil {
				agree(t, Kind(kind), src, root)
			}
		}
	})
}

// firstNode returns root, or an empty node if there is none.
func firstNode(root *document.Node) *document.Node {
	if root == nil {
		return &document.Node{Kind: document.Scalar}
	}
	return root
}
