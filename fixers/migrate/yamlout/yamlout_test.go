package yamlout

import (
	"strings"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestBytes(t *testing.T) {
	got := string(Bytes([]string{"head"}, Map{
		{Key: "name", Value: "x", Beside: "beside"},
		{Key: "count", Value: 2, Above: []string{"above", ""}},
		{Key: "on", Value: true},
		{Key: "map", Value: Map{{Key: "a b", Value: nil}, {Key: "empty", Value: Map{}}}},
		{Key: "list", Value: List{"1", Item{Value: "y: z", Above: []string{"why"}, Beside: "so"},
			Map{{Key: "pip", Value: List{"q"}}, {Key: "other", Value: "1"}}}, Beside: "head of a list"},
		{Key: "none", Value: List{}},
		{Key: "flow", Value: Flow{"gpu", "a,b"}},
	}))
	want := `# head
name: x # beside
# above
#
count: 2
'on': true
map:
  a b: null
  empty: {}
list: # head of a list
  - '1'
  # why
  - 'y: z' # so
  - pip:
      - q
    other: '1'
none: []
flow: [gpu, 'a,b']
`
	testkit.Same(t, want, got)
}

func TestScalar(t *testing.T) {
	tests := map[string]string{
		"":                                 "''",
		"python train.py '$5'":             "python train.py '$5'",
		"python train.py 'key: value'":     "'python train.py ''key: value'''",
		"python train.py '#x'":             "python train.py '#x'",
		"python train.py #x":               "'python train.py #x'",
		"a\nb":                             `"a\nb"`,
		"tab\t\"x\"":                       `"tab\t\"x\""`,
		"yes":                              "'yes'",
		"010":                              "'010'",
		"1:30":                             "'1:30'",
		"3.4":                              "'3.4'",
		"null":                             "'null'",
		"-":                                "'-'",
		"--x":                              "--x",
		"trailing ":                        "'trailing '",
		"${{inputs.x}}":                    "${{inputs.x}}",
		"azureml:gpu-cluster":              "azureml:gpu-cluster",
		"C:":                               "'C:'",
		"\u2028":                           `"\u2028"`,
		"\u0085":                           `"\x85"`,
		"a\u202eb":                         `"a\u202Eb"`,
		"2018-01-01":                       "'2018-01-01'",
		"=":                                "'='",
		"standard_e4s_v3":                  "standard_e4s_v3",
		"/subscriptions/<SUBSCRIPTION_ID>": "/subscriptions/<SUBSCRIPTION_ID>",
	}
	for text, want := range tests {
		testkit.Same(t, want, scalar(text), "scalar(%q)", text)
	}
}

func FuzzScalar(f *testing.F) {
	for _, seed := range []string{"", "a: b", "- x", "'", "\"", "\n", "1e3", "~", "? x", "é\u2028", "a #b", "!!x", "0x1F", "1_000", "a\u00a0b", "\u200b", "true", "Null", "yes", "y", "ON", "a  b", "a/b.c_d-e=f"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 200 {
			t.Skip("files hold UTF-8 alone, and keys end within 1024 bytes")
		}
		doc := Bytes(nil, Map{{Key: text, Value: text, Beside: text, Above: []string{text}}, {Key: "list", Value: List{text}}, {Key: "block", Value: Map{{Key: "x", Value: Block(text)}}}})
		var n yaml.Node
		if err := yaml.Unmarshal(doc, &n); err != nil {
			t.Fatalf("%q does not parse: %v", doc, err)
		}
		m := n.Content[0]
		for _, node := range []*yaml.Node{m.Content[0], m.Content[1], m.Content[3].Content[0], m.Content[5].Content[1]} {
			if node.Value != text || node.ShortTag() != "!!str" {
				t.Fatalf("%q is read as %s %q from:\n%s", text, node.ShortTag(), node.Value, doc)
			}
		}
		if lines := strings.Count(string(doc), "\n") - max(0, strings.Count(text, "\n")); text != "" && lines > 7-1 {
			t.Errorf("%q takes more lines than it should:\n%s", text, doc)
		}
	})
}
