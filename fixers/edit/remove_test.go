package edit_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/finding"
)

func TestRemoveEntry(t *testing.T) {
	runGolden(t, []golden{
		{"first", "a: 1 # one\nb: 2\n", changes{remove("/a")}, "b: 2\n"},
		{"middle", "a: 1\nb: 2 # two\nc: 3\n", changes{remove("/b")}, "a: 1\nc: 3\n"},
		{"last", "a: 1\nb: 2\n", changes{remove("/b")}, "a: 1\n"},
		{"comments above stay", "a: 1\n# about b\nb: 2\nc: 3\n", changes{remove("/b")}, "a: 1\n# about b\nc: 3\n"},
		{"nested", "a:\n  b:\n    - 1 # x\n  # in a\n  c: 2\nd: 3\n", changes{remove("/a")}, "d: 3\n"},
		{"two", "a: 1\nb: 2\nc: 3\n", changes{remove("/b"), remove("/c")}, "a: 1\n"},
		{"item", "a:\n  - x\n  - y # c\n  - z\n", changes{remove("/a/1")}, "a:\n  - x\n  - z\n"},
		{"item with mapping", "- a: 1\n  b: 2\n- c\n", changes{remove("/0")}, "- c\n"},
		{"empty item", "- a\n-\n- b\n", changes{remove("/1")}, "- a\n- b\n"},
		{"empty value", "a:\nb: 1\n", changes{remove("/a")}, "b: 1\n"},
		{"first key of an item", "- a: 1 # c\n  b: 2\n", changes{remove("/0/a")}, "- b: 2\n"},
		{"first item of an item", "- - a\n  - b\n", changes{remove("/0/0")}, "- - b\n"},
		{"text block", "a: |\n  x\n  y\nb: 1\n", changes{remove("/a")}, "b: 1\n"},
		{"whole list", "a: # c\n  - x\n  - y\nb: 1\n", changes{remove("/a/0"), remove("/a/1")}, "a: [] # c\nb: 1\n"},
		{"whole mapping", "a:\n  # c\n  x: 1\nb: 1\n", changes{remove("/a/x")}, "a: {}\n  # c\nb: 1\n"},
		{"whole list in an item", "- pip:\n  - x\n", changes{remove("/0/pip/0")}, "- pip: []\n"},
		{"replaced item", "a:\n  - x\n", changes{remove("/a/0"), add("/a", str("yo"))}, "a:\n  - yo\n"},

		{"JSON over lines, first", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", changes{remove("/a")}, "{\n  \"b\": 2\n}\n"},
		{"JSON over lines, last", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", changes{remove("/b")}, "{\n  \"a\": 1\n}\n"},
		{"JSON over lines, sole", "{\n  \"a\": 1\n}\n", changes{remove("/a")}, "{\n}\n"},
		{"JSON over lines, nested", "{\n  \"a\": [\n    1\n  ],\n  \"b\": 2\n}\n", changes{remove("/a")}, "{\n  \"b\": 2\n}\n"},
		{"JSON on one line, first", "{\"a\": 1, \"b\": 2, \"c\": 3}\n", changes{remove("/a")}, "{\"b\": 2, \"c\": 3}\n"},
		{"JSON on one line, middle", "{\"a\": 1, \"b\": 2, \"c\": 3}\n", changes{remove("/b")}, "{\"a\": 1, \"c\": 3}\n"},
		{"JSON on one line, last", "{\"a\": 1, \"b\": 2}\n", changes{remove("/b")}, "{\"a\": 1}\n"},
		{"JSON on one line, last two", "{\"a\": 1, \"b\": 2, \"c\": 3}\n", changes{remove("/b"), remove("/c")}, "{\"a\": 1}\n"},
		{"JSON on one line, all", "{\"a\": 1, \"b\": 2}\n", changes{remove("/b"), remove("/a")}, "{}\n"},
		{"JSON, brace on the last line", "{\n  \"a\": 1,\n  \"b\": 2}\n", changes{remove("/b")}, "{\n  \"a\": 1}\n"},
		{"JSON, key on the first line", "{\"a\": 1,\n \"b\": 2}\n", changes{remove("/a")}, "{\n \"b\": 2}\n"},
		{"JSON list", "[\"a\", \"b\"]\n", changes{remove("/0")}, "[\"b\"]\n"},
		{"flow, trailing comma", "[a, b,]\n", changes{remove("/1")}, "[a,]\n"},
		{"flow, trailing comma on a line", "[\n  a,\n  b,\n]\n", changes{remove("/1")}, "[\n  a,\n]\n"},
		{"flow, a comment before the last", "[a, # one\n b]\n", changes{remove("/1")}, "[a # one\n ]\n"},
		{"flow, a comment behind", "{a: 1,  b: 2, # two\n c: 3}\n", changes{remove("/b")}, "{a: 1, # two\n c: 3}\n"},
		{"flow, a comment behind the first", "{ a: 1, # one\n b: 2}\n", changes{remove("/a")}, "{ # one\n b: 2}\n"},
		{"flow, a comment before the comma", "{a: 1 # one\n , b: 2}\n", changes{remove("/a")}, "!there are comments between the entry and its comma"},
		{"flow, comments", "{\n  # about a\n  a: 1, # one\n  b: 2, # two\n  c: 3 # three\n}\n", changes{remove("/a"), remove("/c")}, "{\n  # about a\n  b: 2 # two\n}\n"},
		{"flow, leading commas", "{\n  a: 1\n  , b: 2\n}\n", changes{remove("/b")}, "{\n  a: 1\n}\n"},

		{"only entry", "a: 1\n", changes{remove("/a")}, "!it is the only content of the document"},
		{"only key of an item", "- a: 1\n", changes{remove("/0/a")}, "!nothing would be left"},
		{"root", "a: 1\n", changes{remove("")}, "!the whole document"},
		{"twice", "a: 1\nb: 2\n", changes{remove("/a"), remove("/a")}, "!/a would be removed twice"},
		{"anchor in use", "a: &x 1\nb: *x\n", changes{remove("/a")}, "!the value is shared"},
		{"anchor inside in use", "a: [&x 1]\nb: *x\n", changes{remove("/a")}, "!the anchor &x in it is used elsewhere"},
		{"merge key", "a: &x {b: 1}\nc: {<<: *x, d: 1}\n", changes{remove("/c/<<")}, "!a merge key contributes"},
		{"merged below", "a: &x {b: 1}\nc: {<<: *x, b: 2}\n", changes{remove("/c/b")}, "!a merge key contributes"},
		{"comment before the next key", "- a: 1\n  # about b\n  b: 2\n", changes{remove("/0/a")}, "!there are comments or empty lines between"},
		{"explicit key", "? a\n: 1\n? b\n: 2\n", changes{remove("/a")}, "!it shares its first line"},
		{"flow, comment between", "{\n  a: 1, # one\n  b: 2,\n  # about c\n  c: 3\n}\n", changes{remove("/b"), remove("/c")}, "!there are comments between"},
	})
}

func TestRemoveAtEnd(t *testing.T) {
	cases := []golden{
		{"keeps having no newline", "a: 1\nb: 2", changes{remove("/b")}, "a: 1"},
		{"two", "a: 1\r\nb: 2\r\nc: 3", changes{remove("/b"), remove("/c")}, "a: 1"},
		{"after a comment", "a: 1\n# c\nb: 2", changes{remove("/b")}, "a: 1\n# c"},
		{"after an empty line", "a: 1\n\nb: 2", changes{remove("/b")}, "a: 1\n"},
		{"after a text block", "a: |\n  x\nb: 2", changes{remove("/b")}, "a: |\n  x\n"},
	}
	for _, c := range cases {
		got, err := run(c.text, c.changes)
		if err != nil || got != c.want && (c.want[0] != '!' || len(got) < len(c.want) || got[:len(c.want)] != c.want) {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestRawText(t *testing.T) {
	splice := func(offset int, old, new string) finding.Change {
		return finding.Change{Op: finding.SpliceText, File: path, Offset: offset, Old: old, Value: str(new)}
	}
	cases := []golden{
		{"glued value", "a: 1\nb:true\n", changes{splice(7, "", " ")}, "a: 1\nb: true\n"},
		{"two", "a:true\nb:true\n", changes{splice(9, "", " "), splice(2, "", " ")}, "a: true\nb: true\n"},
		{"tab", "a:\t1\n", changes{splice(2, "\t", " ")}, "a: 1\n"},
		{"moved since", "a: 1\n", changes{splice(2, "\t", " ")}, "!the text to be replaced"},
		{"outside", "a: 1\n", changes{splice(99, "", " ")}, "!the text to be replaced"},
		{"with a change of values", "a:\t1\n", changes{splice(2, "\t", " "), set("/a", str("x"))}, "!a replacement of raw text cannot be joined"},
		{"new file", "", changes{{Op: finding.NewFile, File: path, Value: str("a: 1\n")}}, "a: 1\n"},
		{"new file that exists", "a: 2\n", changes{{Op: finding.NewFile, File: path, Value: str("a: 1\n")}}, "!the file already exists"},
		{"unknown change", "a: 1\n", changes{{Op: 99, File: path}}, "!there is no change of kind 99"},
	}
	for _, c := range cases {
		got, err := run(c.text, c.changes)
		if err != nil || got != c.want && (c.want[0] != '!' || len(got) < len(c.want) || got[:len(c.want)] != c.want) {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}
