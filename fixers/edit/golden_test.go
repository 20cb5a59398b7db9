package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

const path = "f.yml"

func set(pointer string, v finding.Scalar) finding.Change {
	return finding.Change{Op: finding.SetScalar, File: path, Pointer: pointer, Value: v}
}

func rename(pointer, key string) finding.Change {
	return finding.Change{Op: finding.RenameKey, File: path, Pointer: pointer, Key: key}
}

func insert(pointer, after, key string, v finding.Scalar) finding.Change {
	return finding.Change{Op: finding.InsertEntry, File: path, Pointer: pointer, After: after, Key: key, Value: v}
}

func remove(pointer string) finding.Change {
	return finding.Change{Op: finding.RemoveEntry, File: path, Pointer: pointer}
}

func add(pointer string, v finding.Scalar) finding.Change {
	return finding.Change{Op: finding.AppendItem, File: path, Pointer: pointer, Value: v}
}

// addAfter adds an item after the one of an index.
func addAfter(pointer, index string, v finding.Scalar) finding.Change {
	return finding.Change{Op: finding.AppendItem, File: path, Pointer: pointer, After: index, Value: v}
}

var (
	str  = finding.Text
	null = finding.Scalar{Kind: finding.Null}
)

// changes makes the tables below shorter.
type changes = []finding.Change

// golden is one case: with want the text after, or the begin of the reason why the change is refused, after "!".
type golden struct {
	name, text string
	changes    changes
	want       string
}

// run makes the changes, proves them, and returns the new text, or "!" and why not.
func run(before string, list changes) (string, error) {
	stream := document.Parse(source.New(path, []byte(before)))
	edits, err := edit.New(stream).Edits(list)
	if refused, ok := errors.AsType[*edit.RefusedError](err); ok {
		return "!" + refused.Reason, nil
	}
	if err != nil {
		return "", err
	}
	after, err := text.Apply([]byte(before), edits)
	if err != nil {
		return "", err
	}
	return string(after), proof.Check(proof.File{Path: path, Old: []byte(before), New: after, Edits: edits, Changes: list})
}

// lineStyles are how one text is saved by different editors.
var lineStyles = map[string]func(string) string{
	"LF":                 func(s string) string { return s },
	"CRLF":               func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"CRCRLF":             func(s string) string { return strings.ReplaceAll(s, "\n", "\r\r\n") },
	"CR":                 func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
	"byte order mark":    func(s string) string { return "\xef\xbb\xbf" + s },
	"no final newline":   func(s string) string { return strings.TrimSuffix(s, "\n") },
	"CRLF, none at last": func(s string) string { return strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\r\n") },
}

func runGolden(t *testing.T, cases []golden) {
	t.Helper()
	for _, c := range cases {
		for style, save := range lineStyles {
			t.Run(c.name+"/"+style, func(t *testing.T) {
				before, want := save(c.text), c.want
				if !strings.HasPrefix(want, "!") {
					want = save(want)
				}
				if !strings.Contains(before, "\n") { // nothing says which line end the file prefers
					want = strings.ReplaceAll(want, "\r\n", "\n")
				}
				got, err := run(before, c.changes)
				if err != nil {
					t.Fatalf("%v\nedited to:\n%q", err, got)
				}
				if strings.HasPrefix(want, "!") {
					if !strings.HasPrefix(got, want) {
						t.Errorf("got %q, want a refusal that begins %q", got, want)
					}
					return
				}
				testkit.Same(t, want, got)
			})
		}
	}
}

func TestSetScalar(t *testing.T) {
	runGolden(t, []golden{
		{"plain", "a: x  # why\nb: 1\n", changes{set("/a", str("yo"))}, "a: yo  # why\nb: 1\n"},
		{"double quotes are kept", "a: \"x\" # c\n", changes{set("/a", str(`y "z" \`))}, "a: \"y \\\"z\\\" \\\\\" # c\n"},
		{"single quotes are kept", "a: 'x'\n", changes{set("/a", str("it's"))}, "a: 'it''s'\n"},
		{"single quotes cannot hold a tab", "a: 'x'\n", changes{set("/a", str("x\ty"))}, "a: \"x\\ty\"\n"},
		{"booleans lose their quotes", "a: \"false\"   \n", changes{set("/a", finding.True)}, "a: true   \n"},
		{"null loses its quotes", "a: 'x'\n", changes{set("/a", null)}, "a: null\n"},
		{"tab after the colon stays", "a:\tx\n", changes{set("/a", str("yo"))}, "a:\tyo\n"},
		{"empty value", "a:\nb: 1\n", changes{set("/a", str("yo"))}, "a: yo\nb: 1\n"},
		{"empty value with trailing spaces", "a:  \nb: 1\n", changes{set("/a", str("yo"))}, "a: yo  \nb: 1\n"},
		{"empty value with comment", "a: # c\nb: 1\n", changes{set("/a", finding.True)}, "a: true # c\nb: 1\n"},
		{"empty item", "- a\n-\n- # c\n", changes{set("/1", str("b")), set("/2", str("c"))}, "- a\n- b\n- c # c\n"},
		{"tilde", "a: ~\n", changes{set("/a", str("x"))}, "a: x\n"},
		{"read as something else", "a: x\nb: x\nc: x\nd: x\ne: x\nf: x\n", changes{
			set("/a", str("yes")), set("/b", str("1.10")), set("/c", str("1:30")), set("/d", str("2020-01-01")), set("/e", str("1e3")), set("/f", str(""))},
			"a: \"yes\"\nb: \"1.10\"\nc: \"1:30\"\nd: \"2020-01-01\"\ne: \"1e3\"\nf: \"\"\n"},
		{"no quotes where none are needed", "a: x\nb: x\nc: x\nd: x\n", changes{
			set("/a", str("microsoft/mmlspark:plus-gpu-0.9.9")), set("/b", str("1.0.3")), set("/c", str("tensorflow-gpu==1.4.1")), set("/d", str("~/.ssh/id_rsa"))},
			"a: microsoft/mmlspark:plus-gpu-0.9.9\nb: 1.0.3\nc: tensorflow-gpu==1.4.1\nd: ~/.ssh/id_rsa\n"},
		{"not plain", "a: x\nb: x\nc: x\nd: x\n", changes{
			set("/a", str("x: y")), set("/b", str("x #y")), set("/c", str("- x")), set("/d", str(`@"`))},
			"a: \"x: y\"\nb: \"x #y\"\nc: \"- x\"\nd: '@\"'\n"},
		{"beyond ASCII", "a: größer # ä\n", changes{set("/a", str("日本 \u00a0"))}, "a: \"日本 \\u00a0\" # ä\n"},
		{"JSON", "{\n  \"a\": \"x\",\n  \"b\": null,\n  \"c\": 1\n}\n", changes{set("/a", str("yo")), set("/b", str("z")), set("/c", finding.False)},
			"{\n  \"a\": \"yo\",\n  \"b\": \"z\",\n  \"c\": false\n}\n"},
		{"JSON on one line", `{"a":"x","b":null}` + "\n", changes{set("/a", finding.True), set("/b", str("yo"))}, `{"a":true,"b":"yo"}` + "\n"},
		{"flow", "a: [x, {b: y}]\n", changes{set("/a/0", str("p,q")), set("/a/1/b", str("a:b"))}, "a: [\"p,q\", {b: \"a:b\"}]\n"},
		{"flow, empty", "{a: , b: }\n", changes{set("/a", str("x")), set("/b", str("yo"))}, "{a: x, b: yo}\n"},
		{"text block", "a: |\n  one\n  two\nb: 1\n", changes{set("/a", str("one"))}, "a: one\nb: 1\n"},
		{"plain over lines", "a: one\n  two\nb: 1\n", changes{set("/a", str("one"))}, "a: one\nb: 1\n"},
		{"pointer with slash and tilde", "a/b:\n  c~d: 1\n", changes{set("/a~1b/c~0d", str("x"))}, "a/b:\n  c~d: x\n"},
		{"second document", "a: 1\n---\na: x\n", changes{{Op: finding.SetScalar, File: path, Document: 1, Pointer: "/a", Value: str("yo")}}, "a: 1\n---\na: yo\n"},
		{"anchor nobody uses", "a: &x 1\n", changes{set("/a", str("yo"))}, "a: &x yo\n"},

		{"text block with comment", "a: | # c\n  one\nb: 1\n", changes{set("/a", str("x"))}, "!there is a comment"},
		{"mapping", "a:\n  b: 1\n", changes{set("/a", str("x"))}, "!/a is a mapping"},
		{"nothing there", "a: 1\n", changes{set("/b", str("x"))}, "!there is nothing at /b"},
		{"no such item", "- a\n", changes{set("/1", str("x"))}, "!there is nothing at /1"},
		{"an item before all", "- a\n", changes{set("/-1", str("x"))}, "!there is nothing at /-1"},
		{"a name of an item", "- a\n", changes{set("/a", str("x"))}, "!there is nothing at /a"},
		{"below a value", "a: 1\n", changes{set("/a/b", str("x"))}, "!there is nothing at /a/b"},
		{"no pointer", "a: 1\n", changes{set("a", str("x"))}, "!\"a\" is not a pointer"},
		{"a document before all", "a: 1\n", changes{{Op: finding.SetScalar, File: path, Document: -1, Pointer: "/a"}}, "!the file has no document number 0"},
		{"alias", "a: &x 1\nb: *x\n", changes{set("/b", str("x"))}, "!the value at /b is an alias"},
		{"anchored", "a: &x 1\nb: *x\n", changes{set("/a", str("x"))}, "!the value is shared"},
		{"inside an anchor", "a: &x\n  b: 1\nc: *x\n", changes{set("/a/b", str("x"))}, "!the value is shared"},
		{"through an alias", "a: &x\n  b: 1\nc: *x\n", changes{set("/c/b", str("x"))}, "!there is nothing at /c/b itself"},
		{"through a merge", "a: &x\n  b: 1\nc:\n  <<: *x\n  d: 1\n", changes{set("/c/b", str("x"))}, "!there is nothing at /c/b itself"},
		{"tag", "a: !!str 1\n", changes{set("/a", str("x"))}, "!the value at /a carries a tag"},
		{"key twice", "a: 1\na: 2\n", changes{set("/a", str("x"))}, "!the key \"a\" is in its mapping twice"},
		{"no document", "# nothing\n", changes{set("/a", str("x"))}, "!the file has no document number 1"},
		{"broken file", "a: \"x\n", changes{set("/a", str("x"))}, "!the file"},
		{"no boolean", "a: 1\n", changes{set("/a", finding.Scalar{Kind: finding.Bool, Text: "yes"})}, "!\"yes\" is not a boolean"},
		{"set and removed", "a: 1\nb: 1\n", changes{set("/a", str("x")), remove("/a")}, "!two changes of one fix affect the same bytes"},
		{"other file", "a: 1\n", changes{{Op: finding.SetScalar, File: "other.yml", Pointer: "/a"}}, "!the change is meant for a different file"},
	})
}

func TestRenameKey(t *testing.T) {
	runGolden(t, []golden{
		{"plain", "a: 1 # c\nb: 2\n", changes{rename("/a", "x")}, "x: 1 # c\nb: 2\n"},
		{"quotes are kept", "\"a\": 1\n'b': 2\n", changes{rename("/a", "x"), rename("/b", "y")}, "\"x\": 1\n'y': 2\n"},
		{"needs quotes", "a: 1\n", changes{rename("/a", "on")}, "\"on\": 1\n"},
		{"in an item", "- a: 1\n  b: 2\n", changes{rename("/0/a", "x")}, "- x: 1\n  b: 2\n"},
		{"with a nested value", "a:\n  b: 1\n", changes{rename("/a", "x"), rename("/a/b", "z")}, "x:\n  z: 1\n"},
		{"JSON", "{\"a\": 1}\n", changes{rename("/a", "x")}, "{\"x\": 1}\n"},
		{"into the place of a removed key", "a: 1\nb: 2\n", changes{remove("/b"), rename("/a", "b")}, "b: 1\n"},
		{"there already", "a: 1\nb: 2\n", changes{rename("/a", "b")}, "!the key \"b\" already exists"},
		{"of an entry that another change sets", "a: 1\nb: 2\n", changes{set("/b", str("x")), rename("/a", "b")}, "!the key \"b\" already exists"},
		{"of an entry that goes from another document", "a: 1\nb: 2\n---\nb: 1\nc: 2\n",
			changes{rename("/a", "b"), {Op: finding.RemoveEntry, File: path, Document: 1, Pointer: "/b"}}, "!the key \"b\" already exists"},
		{"of an entry that goes from no document", "a: 1\nb: 2\n", changes{rename("/a", "b"), {Op: finding.RemoveEntry, File: path, Document: 1, Pointer: "/b"}}, "!the key \"b\" already exists"},
		{"of an entry that goes from a document before all", "a: 1\nb: 2\n", changes{rename("/a", "b"), {Op: finding.RemoveEntry, File: path, Document: -1, Pointer: "/b"}}, "!the key \"b\" already exists"},
		{"item", "- a\n", changes{rename("/0", "b")}, "!/0 is not an entry"},
		{"tag", "{!!str a: 1}\n", changes{rename("/a", "b")}, "!the key carries a tag"},
		{"shared", "&x a: 1\nb: *x\n", changes{rename("/a", "c")}, "!the key is shared"},
		{"merged below", "a: &x {b: 1}\nc: {<<: *x, b: 2}\n", changes{rename("/c/b", "d")}, "!a merge key would bring \"b\" back"},
		{"merge key", "a: &x {b: 1}\nc: {<<: *x}\n", changes{rename("/c/<<", "b")}, "!a merge key cannot be renamed"},
		{"over lines", "a: 1\n", changes{rename("/a", strings.Repeat("x", 2000))}, "!the new key is too long"},
	})
}

func TestAppendItem(t *testing.T) {
	runGolden(t, []golden{
		{"same column", "a:\n- x # c\n# end\nb: 1\n", changes{add("/a", str("yo"))}, "a:\n- x # c\n- yo\n# end\nb: 1\n"},
		{"two spaces, wide gap", "a:\n  -   x\nb: 1\n", changes{add("/a", str("yo"))}, "a:\n  -   x\n  -   yo\nb: 1\n"},
		{"four spaces", "a:\n    - \"x\"\n", changes{add("/a", str("yo"))}, "a:\n    - \"x\"\n    - \"yo\"\n"},
		{"two at once", "- x\n", changes{add("", str("yo")), add("", str("z"))}, "- x\n- yo\n- z\n"},
		{"quotes of the nearest string", "- 'x'\n- k: v\n", changes{add("", str("yo"))}, "- 'x'\n- k: v\n- 'yo'\n"},
		{"nested item", "a:\n  - pip:\n    - x\n  - y\n", changes{add("/a/0/pip", str("z"))}, "a:\n  - pip:\n    - x\n    - z\n  - y\n"},
		{"inner and outer at one place", "- pip:\n  - x\n", changes{add("", str("yo")), add("/0/pip", str("z"))}, "- pip:\n  - x\n  - z\n- yo\n"},
		{"list in a list", "- - x\n", changes{add("/0", str("yo"))}, "- - x\n  - yo\n"},
		{"empty item", "-\n", changes{add("", str("yo"))}, "-\n- yo\n"},
		{"flow", "a: [x, y] # c\n", changes{add("/a", str("z"))}, "a: [x, y, z] # c\n"},
		{"flow, empty", "a: []\n", changes{add("/a", str("z"))}, "a: [z]\n"},
		{"JSON over lines", "{\"a\": [\n  \"x\"\n]}\n", changes{add("/a", str("yo"))}, "{\"a\": [\n  \"x\",\n  \"yo\"\n]}\n"},
		{"JSON compact", "[\"x\",\"y\"]\n", changes{add("", finding.True)}, "[\"x\",\"y\",true]\n"},
		{"after an item", "a:\n  - x # c\n  - y:\n    - z\n", changes{addAfter("/a", "0", str("yo"))}, "a:\n  - x # c\n  - yo\n  - y:\n    - z\n"},
		{"after an item, flow", "a: [x, y]\n", changes{addAfter("/a", "0", str("yo"))}, "a: [x, yo, y]\n"},
		{"after no item", "a: [x]\n", changes{addAfter("/a", "1", str("yo"))}, "!there is no item \"1\""},
		{"not a list", "a: 1\n", changes{add("/a", str("z"))}, "!/a is not a list"},
		{"nothing yet", "a:\n", changes{add("/a", str("z"))}, "!/a is not a list"},
	})
}
