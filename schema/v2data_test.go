package schema_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// TestLiteral compares with what azure-ai-ml 1.35 sends for such inputs.
func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{
		"yes": "True", "Off": "False", "true": "True", `"yes"`: "yes", "!!str yes": "yes", "&a yes": "True",
		"0x1F": "31", "1_000": "1000", "1:30": "90", "010": "8", "'010'": "010", "+5": "5", "-0": "0", "0b11": "3",
		"1e3": "1e3", ".5": "0.5", "1.0e-5": "1e-05", "1.": "1.0", "1.50": "1.5", "1.0e+20": "1e+20",
		"100000000000000000000": "100000000000000000000", "a b": "a b", "2024-01-01": "2024-01-01", "|\n  010\n": "010\n",
	} {
		root := document.Parse(source.New("a.yml", []byte("a: "+text+"\n"))).Root()
		n := root.Get("a")
		if got := (schema.Field{Node: n, Text: n.Text()}).Literal(); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
