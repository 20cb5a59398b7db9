package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

func note(offset int, text string) finding.Change {
	return finding.Change{Op: finding.InsertComment, File: path, Offset: offset, Value: str(text)}
}

func reword(text, old, new string) finding.Change {
	return finding.Change{Op: finding.EditComment, File: path, Offset: strings.Index(text, old), Old: old, Value: str(new)}
}

func TestComments(t *testing.T) {
	const text = "# top\na: 1  # one\nb:\r\n  - x\r\n  # own\r\n  - y # last"
	at := func(s string) int { return strings.Index(text, s) }
	for _, c := range []golden{
		{"above a line", text, changes{note(at("a: 1"), "# n")}, "# top\n# n\na: 1  # one\nb:\r\n  - x\r\n  # own\r\n  - y # last"},
		{"above an indented line with CRLF", text, changes{note(at("x"), "# n")}, "# top\na: 1  # one\nb:\r\n  # n\r\n  - x\r\n  # own\r\n  - y # last"},
		{"above the last line, which has no end", text, changes{note(at("y"), "# n")}, "# top\na: 1  # one\nb:\r\n  - x\r\n  # own\r\n  # n\r\n  - y # last"},
		{"above the first line, behind the mark", "\ufeffa: 1\n", changes{note(3, "# n")}, "\ufeff# n\na: 1\n"},
		{"two", text, changes{note(at("a: 1"), "# n"), note(at("y"), "# m")}, "# top\n# n\na: 1  # one\nb:\r\n  - x\r\n  # own\r\n  # m\r\n  - y # last"},
		{"two above one line", "a: 1\n", changes{note(0, "# n"), note(0, "# m")}, "?"},
		{"above a line of a literal text", "a: |\n  b\n  c\n", changes{note(9, "# n")}, "?"},
		{"above the second line of a plain text", "a: b\n  c\n", changes{note(7, "# n")}, "?"},
		{"inside brackets", "a: [\n  b\n]\n", changes{note(7, "# n")}, "a: [\n  # n\n  b\n]\n"},
		{"in JSON", "{\n\"a\": 1\n}\n", changes{note(2, "# n")}, "?"},
		{"several lines", text, changes{note(0, "# n\nb: 2")}, "!"},
		{"no comment", text, changes{note(0, "n")}, "!"},
		{"a control character", text, changes{note(0, "# \x1b[31m")}, "!"},
		{"a deleted character", text, changes{note(0, "# \x7f")}, "!"},
		{"another end of a line", text, changes{note(0, "# \u0085b: 2")}, "!"},
		{"an end of a line to some", text, changes{note(0, "# \u2028b: 2")}, "!"},
		{"an end of a paragraph to some", text, changes{note(0, "# \u2029b: 2")}, "!"},
		{"bytes that are no text", text, changes{note(0, "# \xff")}, "!"},
		{"a tab", "a: 1\n", changes{note(0, "#\tn")}, "#\tn\na: 1\n"},
		{"reworded to no comment", text, changes{reword(text, "# one", "one")}, "!"},
		{"another one at its place", text, changes{{Op: finding.EditComment, File: path, Offset: at("# one"), Old: "# two"}}, "!"},
		{"reworded", text, changes{reword(text, "# one", "# two")}, "# top\na: 1  # two\nb:\r\n  - x\r\n  # own\r\n  - y # last"},
		{"gone from a line's end", text, changes{reword(text, "# one", "")}, "# top\na: 1\nb:\r\n  - x\r\n  # own\r\n  - y # last"},
		{"gone with its line", text, changes{reword(text, "# own", "")}, "# top\na: 1  # one\nb:\r\n  - x\r\n  - y # last"},
		{"gone from the top", text, changes{reword(text, "# top", "")}, "a: 1  # one\nb:\r\n  - x\r\n  # own\r\n  - y # last"},
		{"gone from the end", text, changes{reword(text, "# last", "")}, "# top\na: 1  # one\nb:\r\n  - x\r\n  # own\r\n  - y"},
		{"the only line goes", "# a", changes{reword("# a", "# a", "")}, ""},
		{"the last line goes", "a: 1\n# b", changes{reword("a: 1\n# b", "# b", "")}, "a: 1\n"},
		{"in a quoted text", "a: 'b # c'\n", changes{reword("a: 'b # c'\n", "# c", "")}, "!"},
		{"a part of a comment", text, changes{reword(text, "# o", "")}, "!"},
		{"beside a value", text, changes{reword(text, "# one", "# two"), set("/a", str("2"))}, "# top\na: \"2\"  # two\nb:\r\n  - x\r\n  # own\r\n  - y # last"},
		{"in a text that does not parse", "a: [\n# b\n", changes{reword("a: [\n# b\n", "# b", "")}, "!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := run(c.text, c.changes)
			switch {
			case strings.HasPrefix(got, "!"):
				got = "!"
			case err != nil:
				got = "?" // the proof refuses it
			}
			testkit.Same(t, c.want, got)
		})
	}
}

// FuzzComment adds, rewords and removes comments of any text: what the proof accepts has the same values for yaml.v3.
func FuzzComment(f *testing.F) {
	for _, seed := range []string{
		"# top\na: 1  # one\nb:\r\n  - x\r\n", "a: |\n  b # c\n\n# d\n", "a: b\n  c # d", "a: [ # x\n  b,# y\n]", "- 'a # b'\n# c\r- d\r", "a: \"b\n # c\n\"\n",
		"\ufeff# a\n---\n# b\n...\n", "? a # b\n: c\n", "a: >-\n  # b\n c\n", "%YAML 1.1 # x\n---\na: 1\n",
	} {
		for which := range 4 {
			f.Add(seed, uint8(which), "# amlfix: ignore x/y -- z")
		}
	}
	f.Fuzz(func(t *testing.T, content string, which uint8, comment string) {
		if len(content) > 4096 {
			return
		}
		src := source.New(path, []byte(content))
		stream := document.Parse(src)
		c := note(int(which), comment)
		if all := stream.Comments(); which%2 == 1 && len(all) > 0 {
			at := all[int(which)%len(all)]
			c = finding.Change{Op: finding.EditComment, File: path, Offset: at.Start, Old: string(src.Slice(at)), Value: str(comment)}
			if which%4 == 1 {
				c.Value.Text = ""
			}
		}
		after, err := run(content, changes{c})
		if err != nil || strings.HasPrefix(after, "!") {
			return
		}
		testkit.Same(t, values(content), values(after), "%q becomes %q", content, after)
	})
}

// values returns what yaml.v3 reads, as text, for any keys and numbers.
func values(content string) (list []string) {
	for d := yaml.NewDecoder(strings.NewReader(content)); ; {
		var n yaml.Node
		if d.Decode(&n) != nil {
			return list
		}
		list = append(list, flat(&n))
	}
}

func flat(n *yaml.Node) string {
	out := fmt.Sprintf("%d %s %q &%s", n.Kind, n.ShortTag(), n.Value, n.Anchor)
	for _, child := range n.Content {
		out += " (" + flat(child) + ")"
	}
	return out
}
