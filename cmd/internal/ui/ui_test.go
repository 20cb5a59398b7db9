package ui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain text":          "plain text",
		"größer α 日本":         "größer α 日本",
		"\x1b[31mred\x1b[0m":  `\x1b[31mred\x1b[0m`,
		"a\tb\nc\rd\x00":      `a\x09b\x0ac\x0dd\x00`,
		"\u009b31m":           `\u009b31m`,
		"abc\u202egpj.exe":    `abc\u202egpj.exe`,
		"zero\u200bwidth":     `zero\u200bwidth`,
		"bad\xffbyte":         `bad\xffbyte`,
		"full\u3000width":     "full\u3000width",
		"no-break\u00a0space": `no-break\u00a0space`,
		"tag \U000e0041":      `tag \U000e0041`,
	} {
		testkit.Same(t, want, Printable(in), "Printable(%q)", in)
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b]0;title\x07b")
	f.Add("\u202e\xff\u0085")
	f.Fuzz(func(t *testing.T, text string) {
		out := Printable(text)
		for _, r := range out {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u2066' {
				t.Errorf("Printable(%q) lets %U through", text, r)
			}
		}
		if Printable(out) != out {
			t.Errorf("Printable(%q) is not stable", text)
		}
	})
}

func TestSnippet(t *testing.T) {
	type hide = []Mark
	tests := []struct {
		name   string
		line   string
		at     Mark
		hidden hide
		limit  int
		want   string
	}{
		{"a value", "type: loal", Mark{6, 10}, nil, 80, "type: loal\n      ^~~~"},
		{"one letter", "a: b", Mark{3, 4}, nil, 80, "a: b\n   ^"},
		{"nothing, inside", "a: b", Mark{1, 1}, nil, 80, "a: b\n ^"},
		{"behind the end", "a:", Mark{2, 2}, nil, 80, "a:\n  ^"},
		{"beyond the line", "a: bc", Mark{3, 99}, nil, 80, "a: bc\n   ^~"},
		{"an empty line", "", Mark{0, 0}, nil, 80, "\n^"},
		{"tabs stay tabs", "\ta:\tb", Mark{4, 5}, nil, 80, "\ta:\tb\n\t  \t^"},
		{"pointing at a tab", "a:\tb", Mark{2, 3}, nil, 80, "a:\tb\n  ^"},
		{"a tab inside", "a\tb", Mark{0, 3}, nil, 80, "a\tb\n^\t~"},
		{"umlauts take one column", "grün: x", Mark{7, 8}, nil, 80, "grün: x\n      ^"},
		{"wide characters take two columns", "名前: x", Mark{8, 9}, nil, 80, "名前: x\n      ^"},
		{"pointing at a wide character", "a: 名", Mark{3, 6}, nil, 80, "a: 名\n   ^~"},
		{"combining marks take no column", "e\u0301: x", Mark{5, 6}, nil, 80, "e\u0301: x\n   ^"},
		{"escape sequences are shown", "a: \x1b[1mx", Mark{7, 8}, nil, 80, "a: \\x1b[1mx\n          ^"},
		{"a bad byte", "\xff: x", Mark{0, 1}, nil, 80, "\\xff: x\n^~~~"},
		{"a secret before", "password: hunter2 # x", Mark{18, 21}, hide{{10, 17}}, 80, "password: *** # x\n              ^~~"},
		{"a secret pointed at", "password: hunter2", Mark{10, 17}, hide{{10, 17}}, 80, "password: ***\n          ^~~"},
		{"inside a secret", "password: hunter2", Mark{12, 14}, hide{{10, 17}}, 80, "password: ***\n          ^~~"},
		{"cut on both sides", strings.Repeat("x", 50) + "HERE" + strings.Repeat("y", 50), Mark{50, 54}, nil, 12, "…xxxxHEREyyyy…\n     ^~~~"},
		{"cut behind", "HERE" + strings.Repeat("y", 50), Mark{0, 4}, nil, 12, "HEREyyyyyyyy…\n^~~~"},
		{"cut before", strings.Repeat("x", 50) + "HERE", Mark{50, 54}, nil, 12, "…xxxxxxxxHERE\n         ^~~~"},
		{"the range itself is cut", strings.Repeat("x", 50), Mark{10, 50}, nil, 12, "…xxxxxxxxxxxx…\n   ^~~~~~~~~~"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewSnippet(tt.line, tt.at, tt.hidden, tt.limit)
			testkit.Same(t, tt.want, got.Text+"\n"+got.Pointer)
		})
	}
}

// TestSnippetOfManySecrets checks that of thousands of secrets in a line, those near the range are hidden.
func TestSnippetOfManySecrets(t *testing.T) {
	const part = "名=secret, "
	line, hidden := strings.Repeat(part, 2000), make([]Mark, 2000)
	for i := range hidden {
		hidden[i] = Mark{i*len(part) + 4, i*len(part) + 10}
	}
	for at := 0; at < len(line); at += 11 {
		text := NewSnippet(line, Mark{at, at + 3}, hidden, 40).Text
		if shown := strings.NewReplacer("名=***, ", "", "…", "").Replace(text); len(shown) > 2*len("名=***, ") || strings.ContainsAny(text, "sect") {
			t.Errorf("at %d: %q", at, text)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("password: hunter2\t#", 3, 9, 10, 17, 12)
	f.Add("\x1b名\u202e", -1, 99, 2, 1, 0)
	f.Add("0", 0, 0, 0, 0, -74)
	f.Add(strings.Repeat("名", 999), 2000, 9000, -5, 99999, 1)
	f.Fuzz(func(t *testing.T, line string, start, end, from, to, limit int) {
		s := NewSnippet(line, Mark{start, end}, []Mark{{from, to}}, limit)
		if strings.ContainsAny(s.Text+s.Pointer, "\x1b\n\r\x00\u202e") {
			t.Errorf("%q has control characters", s)
		}
		if strings.Count(s.Pointer, "^") != 1 {
			t.Errorf("%q has not one caret", s.Pointer)
		}
	})
}

func TestColoured(t *testing.T) {
	none := func(string) string { return "" }
	noColour := func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }
	if Coloured(ColourAuto, io.Discard, none) {
		t.Error("auto colours what is no terminal")
	}
	if !Coloured(ColourAlways, io.Discard, noColour) {
		t.Error("the user's word counts more than the environment's")
	}
	if Coloured(ColourNever, os.Stdout, none) {
		t.Error("never colours")
	}
	if _, err := ParseColourMode("purple"); err == nil || !strings.Contains(err.Error(), "auto, always, never") {
		t.Errorf("ParseColourMode: %v", err)
	}
}

func TestOutput(t *testing.T) {
	for name, tt := range map[string]struct{ cause, want error }{
		"a reader that left": {&os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}, nil},
		"a full disk":        {syscall.ENOSPC, syscall.ENOSPC},
	} {
		t.Run(name, func(t *testing.T) {
			out := NewOutput(&failing{left: 2, err: tt.cause})
			for range 5 {
				if n, err := out.Write([]byte("x")); n != 1 || err != nil {
					t.Errorf("Write = %d, %v", n, err)
				}
			}
			if !out.Closed() || !errors.Is(out.Err(), tt.want) {
				t.Errorf("Closed = %v, Err = %v, want %v", out.Closed(), out.Err(), tt.want)
			}
		})
	}
}

type failing struct {
	left int
	err  error
}

func (f *failing) Write(p []byte) (int, error) {
	if f.left == 0 {
		return 0, f.err
	}
	f.left--
	return len(p), nil
}

// TestNarrowTable checks how a table fits into fewer columns than it needs.
func TestNarrowTable(t *testing.T) {
	table := func(wrapped int) *Table {
		table := Heading(Style{}, "NAME", "GPU", "WHAT IT IS ABOUT", "STATE")
		table.Row("first", "", "a text of several words", "good")
		table.Row("second", "", "text", "")
		table.Wrap(wrapped)
		return table
	}
	list := func(text string) string {
		return "NAME              first\nWHAT IT IS ABOUT  " + text + "\nSTATE             good\n\nNAME              second\nWHAT IT IS ABOUT  text\n"
	}
	const gap = "\n                  "
	for _, test := range []struct {
		columns, wrapped int
		want             string
	}{
		{0, 0, "NAME    GPU  WHAT IT IS ABOUT         STATE\nfirst   -    a text of several words  good\nsecond  -    text                     -\n"},
		{43, 0, "NAME    GPU  WHAT IT IS ABOUT         STATE\nfirst   -    a text of several words  good\nsecond  -    text                     -\n"},
		{38, 0, "NAME    WHAT IT IS ABOUT         STATE\nfirst   a text of several words  good\nsecond  text                     -\n"},
		{37, 2, "NAME    WHAT IT IS ABOUT        STATE\nfirst   a text of several       good\n        words\nsecond  text                    -\n"},
		{31, 2, "NAME    WHAT IT IS ABOUT  STATE\nfirst   a text of         good\n        several words\nsecond  text              -\n"},
		{30, 2, list("a text of" + gap + "several" + gap + "words")},
		{37, 0, list("a text of several" + gap + "words")},
	} {
		var b strings.Builder
		table(test.wrapped).write(&b, "", test.columns)
		testkit.Same(t, test.want, b.String(), fmt.Sprint(test.columns, test.wrapped))
	}
	var b strings.Builder
	facts := new(Table)
	facts.Row("source", "a page of https://example.com/long that says so")
	facts.write(&b, "  ", 26)
	testkit.Same(t, "  source  a page of\n          https://example.com/long\n          that says so\n", b.String())
}

func TestPage(t *testing.T) {
	testkit.Same(t, widest, PageOf(io.Discard))
	const text = "let the job's container use at most N processors, such as 2 or 0.5, which is not more than there are"
	testkit.Same(t, "  --cpus N  let the job's container use at\n            most N processors, such as 2\n            or 0.5, which is not more than\n            there are\n", Page(42).Fill(text, "  --cpus N  ", "            "))
	testkit.Same(t, "  amlfix --plan    what would\n      run\n\n  x\n", Page(29).Fold("  amlfix --plan    what would run\n\n  x\n", "      "))
}

func TestFold(t *testing.T) {
	style := NewStyle(true).Linking(true)
	link := style.Link("https://example.com/a/long/address", "ij")
	for _, test := range []struct {
		columns    int
		line, want string
	}{
		{0, "ab cd" + NoBreak + "ef", "ab cd ef"},
		{8, "ab cd ef", "ab cd ef"},
		{7, "ab cd ef gh", "ab cd\n  ef gh"},
		{7, "ab cd" + NoBreak + "ef gh", "ab\n  cd ef\n  gh"},
		{7, "   ab cd ef", "   ab\n  cd ef"},
		{4, "https://a.b cd", "https://a.b\n  cd"},
		{6, "日本 日", "日本\n  日"},
		{7, style.Red("ab") + " " + link + " " + style.Bold("cd ef"), "\x1b[1;31mab\x1b[0m " + link + "\n  \x1b[1mcd ef\x1b[0m"},
	} {
		testkit.Same(t, test.want, Fold(test.line, test.columns, "  "), "%q", test.line)
	}
}

func TestTable(t *testing.T) {
	var table Table
	table.Row("NAME", "IMAGE", "VERDICT")
	table.Row("日本", "", "cpu")
	table.Row("a\x1bb", "x/y:1", "gpu ok")
	table.Paint(2, NewStyle(true).Green)
	var b strings.Builder
	table.Write(&b, "  ")
	want := "  NAME    IMAGE  VERDICT\n  日本    -      cpu\n  a\\x1bb  x/y:1  \x1b[32mgpu ok\x1b[0m\n"
	testkit.Same(t, want, b.String())
}
