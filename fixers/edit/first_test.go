package edit_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFirst puts an entry before all others.
func TestFirst(t *testing.T) {
	for before, want := range map[string]string{
		"b: 1\n":                    "a: 2\nb: 1\n",
		"# top\n\nb: 1 # c\r\nc: 2": "# top\n\na: 2\r\nb: 1 # c\r\nc: 2",
		"---\nb: 1":                 "---\na: 2\nb: 1",
		"\ufeffb: 1\n":              "\ufeffa: 2\nb: 1\n",
		"  b: 1\n  c: 2\n":          "  a: 2\n  b: 1\n  c: 2\n",
		"{b: 1}\n":                  "!nothing can be inserted before the first entry in brackets",
		"--- {b: 1}\n":              "!nothing can be inserted before the first entry in brackets",
	} {
		got, err := run(before, changes{{Op: finding.InsertEntry, File: path, Key: "a", Value: finding.Scalar{Kind: finding.Int, Text: "2"}, First: true}})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Same(t, want, got, "%q", before)
	}
}
