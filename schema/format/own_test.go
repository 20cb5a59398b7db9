package format

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// same checks that the library finds the same faults in a document as a check without it, and returns their number.
func same(t *testing.T, kind Kind, src *source.Source, root *document.Node) int {
	t.Helper()
	s := schemaFor(kind, root)
	if a, _ := boundlessAlias(firstNode(root)); s == nil || a != nil || root.IsNull() || root.Kind != document.Mapping {
		return 0
	}
	v := &validation{kind: kind, src: src, root: root, places: map[string]*place{}}
	v.picked = append(v.picked, picked{schema: s, value: v.convert(&place{schema: s, value: root}, "")})
	n := 0
	for _, p := range v.picked {
		want, got := inOrder(literal.Library(p.schema, p.value)), inOrder(literal.Own(p.schema, p.value))
		if fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("%s %s: the library finds %q, a check without it %q", kind, src.Path, want, got)
		}
		n += len(want)
	}
	return n
}

func inOrder(faults []literal.Fault) []literal.Fault {
	slices.SortFunc(faults, func(a, b literal.Fault) int {
		return cmp.Or(strings.Compare(a.Location, b.Location), strings.Compare(a.Keyword, b.Keyword))
	})
	return faults
}

// TestOwnFaults validates real files, and variants of them with a changed byte, against all schemas, most of which they
// do not match.
func TestOwnFaults(t *testing.T) {
	files := testkit.Files(t, testkit.Corpus(t))
	random, faults := rand.New(rand.NewPCG(1, 2)), 0
	for _, path := range slices.Sorted(maps.Keys(files)) {
		text := slices.Clone(files[path])
		for range 2 {
			src := source.New(path, text)
			root := document.Parse(src).Root()
			for _, kind := range heldKinds() {
				faults += same(t, Kind(kind), src, root)
			}
			if len(text) == 0 {
				break
			}
			text = slices.Clone(text)
			text[random.IntN(len(text))] = ":-[]{}#'~1a \n/%"[random.IntN(15)]
		}
	}
	if t.Logf("%d faults", faults); faults < 10_000 {
		t.Errorf("only %d faults", faults)
	}
}

// FuzzOwnFaults does so for random texts.
func FuzzOwnFaults(f *testing.F) {
	for _, seed := range []string{
		"type: local\npythonLocation: 3.5\n", "nvidiaDocker: yes\n", "dependencies:\n- python=3.5\n- pip:\n  - 1.0\n", "? [a]\n: b\n",
		"EnvironmentVariables: {a/b: [x], \"\": {}, \"%\": 1, \"~\": .nan}\n", "$schema: commandJob\ncommand: [a]\ninputs: {a: {type: x, path: 1.5}}\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src := source.New("fuzz", text)
		root := document.Parse(src).Root()
		for _, kind := range heldKinds() {
			same(t, Kind(kind), src, root)
		}
	})
}
