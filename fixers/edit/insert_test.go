package edit_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/finding"
)

func TestInsertEntry(t *testing.T) {
	nvidia := func(pointer, after string) changes {
		return changes{insert(pointer, after, "nvidiaDocker", finding.True)}
	}
	runGolden(t, []golden{
		{"in the middle", "type: x\nimage: y # why\naddress: z\n", nvidia("", "image"), "type: x\nimage: y # why\nnvidiaDocker: true\naddress: z\n"},
		{"at the end", "type: x\nimage: y # why\n", nvidia("", ""), "type: x\nimage: y # why\nnvidiaDocker: true\n"},
		{"trailing spaces", "image: y  \naddress: z\n", nvidia("", "image"), "image: y  \nnvidiaDocker: true\naddress: z\n"},
		{"comments below stay below", "image: y\n# about z\naddress: z\n", nvidia("", "image"), "image: y\nnvidiaDocker: true\n# about z\naddress: z\n"},
		{"a key that is commented out", "image: y\n#nvidiaDocker: true\naddress: z\n", nvidia("", "image"), "image: y\nnvidiaDocker: true\n#nvidiaDocker: true\naddress: z\n"},
		{"keys in quotes, strings in quotes", "# c\n\"image\": 'y'\n", changes{insert("", "image", "a", str("b")), insert("", "image", "c", finding.True)},
			"# c\n\"image\": 'y'\n\"a\": 'b'\n\"c\": true\n"},
		{"string after a boolean", "a: \"x\"\nb: true\n", changes{insert("", "b", "c", str("yo"))}, "a: \"x\"\nb: true\nc: \"yo\"\n"},
		{"after a nested value", "a:\n  b: 1\n  c:\n    - 2 # c\nd: 3\n", nvidia("", "a"), "a:\n  b: 1\n  c:\n    - 2 # c\nnvidiaDocker: true\nd: 3\n"},
		{"after a nested value's last comment", "a:\n  b: 1\n\n  # c: 2\n\n# d\nd: 3\n", nvidia("", "a"), "a:\n  b: 1\n\n  # c: 2\nnvidiaDocker: true\n\n# d\nd: 3\n"},
		{"inside", "a:\n    b: 1\nd: 3\n", nvidia("/a", "b"), "a:\n    b: 1\n    nvidiaDocker: true\nd: 3\n"},
		{"in an item", "- a: 1\n- b: 2\n", nvidia("/0", "a"), "- a: 1\n  nvidiaDocker: true\n- b: 2\n"},
		{"in an item in an item", "- - a: 1\n    b: 2\n", nvidia("/0/0", "a"), "- - a: 1\n    nvidiaDocker: true\n    b: 2\n"},
		{"inner and outer at one place", "a:\n  b: 1\n", changes{insert("", "a", "c", finding.True), insert("/a", "b", "d", finding.True)},
			"a:\n  b: 1\n  d: true\nc: true\n"},
		{"after an inserted key", "a: 1\nb: 2\n", changes{insert("", "a", "x", finding.True), insert("", "a", "z", finding.True), insert("", "x", "w", null)},
			"a: 1\nx: true\nw: null\nz: true\nb: 2\n"},
		{"after an empty value", "a:\nb: 1\n", nvidia("", "a"), "a:\nnvidiaDocker: true\nb: 1\n"},
		{"after a text block", "a: |\n  x\n\nb: 1\n", nvidia("", "a"), "a: |\n  x\nnvidiaDocker: true\n\nb: 1\n"},
		{"before a document end", "a: 1\n---\nb: 1\n", nvidia("", ""), "a: 1\nnvidiaDocker: true\n---\nb: 1\n"},
		{"in the place of another", "a: 1\nb: 2\n", changes{remove("/b"), insert("", "b", "c", finding.True)}, "a: 1\nc: true\n"},
		{"one that needs quotes", "a: x\n", changes{insert("", "a", "b", str("yes"))}, "a: x\nb: \"yes\"\n"},

		{"JSON over lines, middle", "{\n    \"a\": \"x\",\n    \"b\": 1\n}\n", changes{insert("", "a", "c", str("yo"))}, "{\n    \"a\": \"x\",\n    \"c\": \"yo\",\n    \"b\": 1\n}\n"},
		{"JSON over lines, last", "{\n\t\"a\": \"x\",\n\t\"b\": 1\n}\n", changes{insert("", "", "c", str("yo"))}, "{\n\t\"a\": \"x\",\n\t\"b\": 1,\n\t\"c\": \"yo\"\n}\n"},
		{"JSON over lines, trailing spaces", "{\n  \"a\": 1  \n}\n", nvidia("", "a"), "{\n  \"a\": 1,  \n  \"nvidiaDocker\": true\n}\n"},
		{"JSON over lines, two", "{\n  \"a\": 1\n}\n", changes{insert("", "a", "b", null), insert("", "a", "c", null)}, "{\n  \"a\": 1,\n  \"b\": null,\n  \"c\": null\n}\n"},
		{"JSON, brace on the last line", "{\n  \"a\": 1,\n  \"b\": 2}\n", nvidia("", "b"), "{\n  \"a\": 1,\n  \"b\": 2,\n  \"nvidiaDocker\": true}\n"},
		{"JSON, key on the first line", "{\"a\": 1,\n \"b\": 2}\n", nvidia("", "a"), "{\"a\": 1,\n \"nvidiaDocker\": true,\n \"b\": 2}\n"},
		{"JSON, nested", "{\n  \"a\": {\"b\": 1},\n  \"c\": 2\n}\n", changes{insert("", "a", "x", null), insert("/a", "b", "y", null)},
			"{\n  \"a\": {\"b\": 1, \"y\": null},\n  \"x\": null,\n  \"c\": 2\n}\n"},
		{"JSON on one line", "{\"a\": 1, \"b\": 2}\n", nvidia("", "a"), "{\"a\": 1, \"nvidiaDocker\": true, \"b\": 2}\n"},
		{"JSON on one line, compact", "{\"a\":1}\n", nvidia("", "a"), "{\"a\":1,\"nvidiaDocker\":true}\n"},
		{"JSON on one line, wide", "{ \"a\" : 1 }\n", nvidia("", "a"), "{ \"a\" : 1, \"nvidiaDocker\" : true }\n"},
		{"JSON, empty", "{}\n", changes{insert("", "", "a", str("x"))}, "{\"a\": \"x\"}\n"},
		{"JSON, empty, over lines", "{\n}\n", changes{insert("", "", "a", str("x"))}, "{\n  \"a\": \"x\"\n}\n"},
		{"JSON, empty inside", "{\"a\": { }}\n", changes{insert("/a", "", "b", str("x"))}, "{\"a\": { \"b\": \"x\" }}\n"},
		{"flow with comments", "{\n  a: 1, # one\n  b: 2 # two\n}\n", changes{insert("", "a", "x", null), insert("", "b", "z", null)},
			"{\n  a: 1, # one\n  x: null,\n  b: 2, # two\n  z: null\n}\n"},
		{"flow with trailing comma", "{\n  a: 1,\n  b: 2,\n}\n", nvidia("", "b"), "{\n  a: 1,\n  b: 2,\n  nvidiaDocker: true,\n}\n"},
		{"flow with trailing comma, two", "{\n  a: 1,\n}\n", changes{insert("", "a", "b", null), insert("", "a", "c", null)}, "{\n  a: 1,\n  b: null,\n  c: null,\n}\n"},
		{"flow with a comment before the next", "{a: 1, # one\n b: 2, c: 3}\n", nvidia("", "b"), "{a: 1, # one\n b: 2, nvidiaDocker: true, c: 3}\n"},
		{"JSON, empty, over lines, two", "{\n}\n", changes{insert("", "", "a", null), insert("", "", "b", null)}, "{\n  \"a\": null,\n  \"b\": null\n}\n"},
		{"flow, added and removed", "{a: 1, b: 2}\n", changes{remove("/a"), insert("", "b", "c", null)}, "!entries cannot be added to and removed from"},
		{"flow, a value that is not written", "{a: , b: 1}\n", nvidia("", "a"), "{a: , nvidiaDocker: true, b: 1}\n"},
		{"flow with leading commas", "{\n  a: 1\n  , b: 2\n}\n", nvidia("", "a"), "{\n  a: 1, nvidiaDocker: true\n  , b: 2\n}\n"},
		{"flow in block", "a: {b: 1} # c\nd: {}\n", changes{insert("/a", "b", "x", str("yo")), insert("/d", "", "z", finding.True)}, "a: {b: 1, x: yo} # c\nd: {z: true}\n"},

		{"there already", "a: 1\nb: 2\n", changes{insert("", "a", "b", finding.True)}, "!the key \"b\" already exists"},
		{"twice", "a: 1\n", changes{insert("", "a", "b", finding.True), insert("", "a", "b", finding.True)}, "!the key \"b\" would be added twice"},
		{"no sibling", "a: 1\n", changes{insert("", "x", "b", finding.True)}, "!there is not exactly one entry \"x\""},
		{"no mapping", "- a\n", nvidia("", ""), "!the top of the document is not a mapping"},
		{"null", "a:\n", nvidia("/a", ""), "!/a is not a mapping"},
		{"merged in", "a: &x\n  b: 1\nc:\n  <<: *x\n", changes{insert("/c", "", "b", finding.True)}, "!a merge key already provides \"b\""},
		{"merged in behind another key", "a: &x\n  b: 1\nc:\n  d: 1\n  <<: *x\n", changes{insert("/c", "", "b", finding.True)}, "!a merge key already provides \"b\""},
		{"merged in from the second of two", "a: &x\n  b: 1\nc: &y {}\nd:\n  <<: [*y, *x]\n", changes{insert("/d", "", "b", finding.True)}, "!a merge key already provides \"b\""},
		{"beside a merge", "a: &x\n  b: 1\nc: &y {}\nd:\n  e: {c: 1}\n  <<: [*y, *x]\n", changes{insert("/d", "", "c", finding.True)},
			"a: &x\n  b: 1\nc: &y {}\nd:\n  e: {c: 1}\n  <<: [*y, *x]\n  c: true\n"},
		{"shared", "a: &x\n  b: 1\nc: *x\n", changes{insert("/a", "b", "d", finding.True)}, "!the value is shared"},
		{"kept empty lines", "a: |+\n  x\n\nb: 1\n", nvidia("", "a"), "!the text block before it keeps"},
		{"explicit key", "? a\n: 1\n", nvidia("", "a"), "!the entry \"a\" does not begin its line"},
		{"mapping without braces", "[a: 1]\n", nvidia("/0", "a"), "!the mapping has no braces"},
	})
}

func TestInsertAtEnd(t *testing.T) {
	cases := []golden{
		{"only line", "a: 1", changes{insert("", "a", "b", finding.True)}, "a: 1\nb: true"},
		{"comment last", "a: 1\r\nb: 2 # c", changes{insert("", "b", "c", finding.True)}, "a: 1\r\nb: 2 # c\r\nc: true"},
		{"two", "a: 1", changes{insert("", "a", "b", finding.True), insert("", "a", "c", finding.True)}, "a: 1\nb: true\nc: true"},
		{"mixed line ends", "a: 1\r\nb: 2\nc: 3\r\n", changes{insert("", "b", "x", null), insert("", "c", "z", null)}, "a: 1\r\nb: 2\nx: null\nc: 3\r\nz: null\r\n"},
		{"doubled line ends", "a: 1\r\r\nb: 2", changes{insert("", "b", "c", null)}, "a: 1\r\r\nb: 2\r\r\nc: null"},
		{"text block", "a: |\n  x", changes{insert("", "a", "b", null)}, "!the text block before it runs to the end"},
		{"text block without line end", "a: |-\n  x", changes{insert("", "a", "b", null)}, "a: |-\n  x\nb: null"},
		{"a break only YAML sees", "a: 1\u2028b: 2\nc: 3\n", changes{insert("", "a", "x", null)}, "!there is other text after it on the line"},
		{"tab in indentation", "a:\n  b: 1", changes{insert("/a", "b", "c", null)}, "a:\n  b: 1\n  c: null"},
	}
	for _, c := range cases {
		got, err := run(c.text, c.changes)
		if err != nil || len(c.want) > 0 && got != c.want && (c.want[0] != '!' || len(got) < len(c.want) || got[:len(c.want)] != c.want) {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}
