package suppression_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/suppression"
	"github.com/amlfix/amlfix/schema/testkit"
)

func read(text string) []suppression.Directive {
	return suppression.Read(document.Parse(source.New("f.yml", []byte(text))))
}

// show renders a directive: "verb line: names [rest] (reason)", where the line may be "file".
func show(d suppression.Directive) string {
	var names []string
	for _, n := range d.Names {
		names = append(names, n.Text)
	}
	where := fmt.Sprint(d.Line)
	if d.File {
		where = "file"
	}
	out := fmt.Sprintf("%s %s: %s", d.Verb.Text, where, strings.Join(names, " "))
	if d.Rest.Text != "" {
		out += " [" + d.Rest.Text + "]"
	}
	if d.Reason != "" {
		out += " (" + d.Reason + ")"
	}
	return out
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1 # amlfix: ignore x/y -- because\n":                          "ignore 1: x/y (because)",
		"# amlfix: ignore x/y, z/w --  because of -- dashes \na: 1\n":     "ignore 2: x/y z/w (because of -- dashes)",
		"# amlfix: ignore x/y\n# amlfix: ignore z/w\n# about a\na: 1\n":   "ignore 4: x/y\nignore 4: z/w",
		"# amlfix: ignore x/y\n\na: 1\n":                                  "ignore 0: x/y",
		"a: 1\n# amlfix: ignore x/y":                                      "ignore 0: x/y",
		"a: 1\n# amlfix: ignore-file x/y,z/w\n":                           "ignore-file file: x/y z/w",
		"# amlfix: ignore-file x/y\na: 1\n":                               "ignore-file file: x/y",
		"#amlfix:ignore\tx/y --\na: 1\n":                                  "ignore 2: x/y",
		"# amlfix: ignore x/y we like it so \r\na: 1\r\n":                 "ignore 2: x/y [we like it so]",
		"# amlfix: ignore x/y reason -- and more\na: 1\n":                 "ignore 2: x/y [reason -- and more]",
		"# amlfix: ignore\na: 1\n":                                        "ignore 2: ",
		"# amlfix: ignore unpinned\na: 1\n":                               "ignore 2: unpinned",
		"# amlfix: ign\na: 1\n":                                           "ign 2: ",
		"# amlfix: ignore x/y\n \t\na: 1\n":                               "ignore 0: x/y",
		"# amlfix: ignored x/y\na: 1\n":                                   "ignored 2: x/y",
		"# amlfix: see ignore x/y\na: 1\n":                                "",
		"# x amlfix: ignore x/y\na: 1\n":                                  "",
		"# amlfix ignore x/y\na: 1\n":                                     "amlfix ignore 2: x/y",
		"# amlfix : ignore-file x/y\na: 1\n":                              "amlfix : ignore-file 2: x/y",
		"# amlfix-ignore x/y -- why\na: 1\n":                              "amlfix-ignore 2: x/y (why)",
		"# amlfix: ignore=x/y,z/w\na: 1\n":                                "ignore= 2: x/y z/w",
		"# amlfix: disable=x/y\n# amlfix: noqa: x/y -- so\na: 1\n":        "disable= 3: x/y\nnoqa: 3: x/y (so)",
		"a: 1 # amlfix: ignore[x/y, z/w] so\n":                            "ignore[x/y, z/w] 1: ",
		"# amlfix: ignore-file(x/y)\n# amlfix: off: see x/y\na: 1\n":      "ignore-file(x/y) 3: ",
		"# amlfix: ignore[x/y\n# amlfix: ignore[]\na: 1\n":                "ignore[x/y 3: \nignore[] 3: ",
		"# amlfix: disable x/y\na: 1\n":                                   "disable 2: x/y",
		"# amlfix: disable this\n# amlfix disable x/y\na: 1\n":            "",
		"# amlfix ignore this\n# amlfix ignores x/y\n# amlfix\na: 1\n":    "",
		"# amlfix-ignorant x/y\n# amlfixed ignore x/y\na: 1\n":            "",
		"a: '# amlfix: ignore x/y'\nb: x#amlfix: ignore x/y\n":            "",
		"a: |\n  # amlfix: ignore x/y\n  b\n":                             "",
		"x: [ # amlfix: ignore x/y -- one\n  b,# amlfix: ignore z/w\n]\n": "ignore 1: x/y (one)\nignore 2: z/w",
		"\ufeff# amlfix: ignore x/y\na: 1\n":                              "ignore 2: x/y",
		"# amlfix: ignore x/y\r\r\na: 1\r\r\n":                            "ignore 2: x/y",
		"{\"a\": 1}":                                                      "",
	} {
		var got []string
		for _, d := range read(text) {
			got = append(got, show(d))
		}
		testkit.Same(t, want, strings.Join(got, "\n"), "%q", text)
	}
}

func TestWithout(t *testing.T) {
	text := "a: 1 # amlfix:  ignore a/b , c/d,e/f -- why, so\n"
	src := source.New("f.yml", []byte(text))
	d := read(text)[0]
	for i, want := range []string{"# amlfix:  ignore c/d, e/f -- why, so", "# amlfix:  ignore a/b, e/f -- why, so", "# amlfix:  ignore a/b, c/d -- why, so"} {
		testkit.Same(t, want, d.Without(src, i))
	}
	single := "# amlfix: ignore a/b -- why\na: 1\n"
	if d := read(single)[0]; d.Without(source.New("f.yml", []byte(single)), 0) != "" {
		t.Error("a comment without names is left")
	}
}

// FuzzSuppression reads comments out of any text. What is read lies in the text; a comment that amlfix writes is read
// back, and covers what it names.
func FuzzSuppression(f *testing.F) {
	for _, seed := range []string{
		"a: 1 # amlfix: ignore x/y -- because\n", "# amlfix: ignore-file ,, x/y z --\r\n\r\n", "# amlfix:ignore", "a: [\n# amlfix: ignore x", "#amlfix:\x00ignore a/b\n",
		"# amlfix: ignore \xff/\xfe rest\n", "# amlfix: ignored x/y rest \n", "# amlfix: ignore(x/y", "a: \"\n# amlfix: ignore x/y\n\"", "\ufeff# amlfix: ignore x/y\r# amlfix: ignore-file x/y\ra: b",
		"# amlfix ignore x/y, re/\n",
	} {
		f.Add(seed, "gpu/framework", "a reason")
	}
	f.Fuzz(func(t *testing.T, text, rule, reason string) {
		src := source.New("f.yml", []byte(text))
		for _, d := range suppression.Read(document.Parse(src)) {
			if d.Span.Start < 0 || d.Span.End > len(text) || text[d.Span.Start] != '#' {
				t.Errorf("%+v", d)
			}
			if d.Understood() != (d.Verb.Text == "ignore" || d.File) || d.File && d.Line != 0 {
				t.Errorf("%+v", d)
			}
			for i, name := range append(d.Names, d.Verb, d.Rest) {
				if i < len(d.Names) && name.Text == "" || string(src.Slice(name.Span)) != name.Text || name.Text != "" && (name.Span.Start < d.Span.Start || name.Span.End > d.Span.End) {
					t.Errorf("name %d: %+v of %+v", i, name, d)
				}
			}
			for i := range d.Names {
				// A comment that is only like a directive may need the name of a rule to be one.
				if left := d.Without(src, i); left != "" && d.Meant == "" && len(read(left+"\na: 1\n")) != 1 {
					t.Errorf("%q is no directive", left)
				}
			}
		}
		if strings.ContainsFunc(rule, func(r rune) bool { return r < 'a' || r > 'z' }) || rule == "" {
			return
		}
		written := suppression.Text([]string{"x/" + rule, "y/z"}, strings.ToValidUTF8(strings.Map(printable, reason), ""))
		back := read(written + "\na: 1\n")
		if len(back) != 1 || !back[0].Understood() || back[0].File || back[0].Line != 2 || len(back[0].Names) != 2 ||
			back[0].Names[0].Text != "x/"+rule || back[0].Names[1].Text != "y/z" {
			t.Errorf("%q is read as %+v", written, back)
		}
	})
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return -1
	}
	return r
}
