package proof

import (
	"maps"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// value is what of a node counts in a proof.
type value struct {
	Kind     yaml.Kind
	Tag      string
	Value    string
	Children []value
}

func valuesOf(nodes []*yaml.Node) (list []value) {
	for _, n := range nodes {
		list = append(list, value{n.Kind, n.ShortTag(), n.Value, valuesOf(n.Content)})
	}
	return list
}

// converted holds that the values of a text are the same whether the located tree tells them or yaml.v3; it reports
// whether the tree could tell them.
func converted(t *testing.T, name string, text []byte) bool {
	t.Helper()
	b := Read(document.Parse(source.New("f.yml", text)))
	if !readable(b.stream) || !b.convert() {
		return false
	}
	want, err := decode(text)
	testkit.OK(t, err)
	testkit.Same(t, valuesOf(want), valuesOf(b.roots), "%s", name)
	return true
}

func TestConverted(t *testing.T) {
	for text, want := range map[string]bool{
		"a: [1, ~, true, 'x', \"y\\n\"]\nb: |\n  text\n? c\n: - 2018-01-01\n": true,
		"---\na: 1\n---\n- b\n":          true,
		"\xef\xbb\xbf{\"a\": 1.0}\r\n":   true,
		"a: !!str 1\nb: !own x # note\n": true,
		"":                               true,
		"a: &x 1\nb: *x\n":               false,
		"a:\n  <<: {b: 1}\n":             false,
		"a: [\n":                         false,
	} {
		testkit.Same(t, want, converted(t, text, []byte(text)), "%q", text)
	}
}

func TestConvertedRealFiles(t *testing.T) {
	files := testkit.Files(t, testkit.Corpus(t))
	maps.Copy(files, testkit.Files(t, testkit.CorpusV2(t)))
	n := 0
	for name, text := range files {
		if converted(t, name, text) {
			n++
		}
	}
	if n < len(files)/2 {
		t.Errorf("only %d of %d files were converted", n, len(files))
	}
}
