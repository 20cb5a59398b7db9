package source_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestPosition(t *testing.T) {
	type at struct{ Offset, Line, Column int }
	for name, test := range map[string]struct {
		text string
		want []at
	}{
		"empty":         {"", []at{{0, 1, 1}, {5, 1, 1}, {-1, 1, 1}}},
		"LF":            {"ab\nc\n", []at{{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 2, 2}, {5, 3, 1}}},
		"CRLF":          {"ab\r\nc", []at{{2, 1, 3}, {4, 2, 1}}},
		"CRCRLF":        {"ab\r\r\nc", []at{{5, 2, 1}}},
		"lone CR only":  {"a\rb", []at{{2, 2, 1}}},
		"lone CR in LF": {"a\rb\nc", []at{{2, 1, 3}, {4, 2, 1}}},
		"beyond ASCII":  {"größe: ä\nx", []at{{7, 1, 6}, {12, 2, 1}}},
		"BOM":           {"\xef\xbb\xbfa: b\n", []at{{0, 1, 1}, {3, 1, 1}, {6, 1, 4}}},
		"invalid UTF-8": {"\xff\xfeab", []at{{2, 1, 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := source.New("x", []byte(test.text))
			var got []at
			for _, w := range test.want {
				p := s.Position(w.Offset)
				got = append(got, at{w.Offset, p.Line, p.Column})
			}
			testkit.Same(t, test.want, got)
		})
	}
}

// TestLineWith compares what is counted each time in a short text with the table of a long one.
func TestLineWith(t *testing.T) {
	for _, text := range []string{"", "a", "\n", "a\nb\n", "a\r\nb\r\n\r\n", "a\r\r\nb", "a\rb\r", "a\rb\nc\rd", "\xef\xbb\xbfa\r\nä\xffb", "ä\r\n\r", "a\n\r\nb"} {
		short, long := source.New("x", []byte(text)), source.New("x", []byte(text+strings.Repeat("x", 8<<10)))
		for at := -1; at < len(text); at++ {
			testkit.Same(t, long.Position(at), short.Position(at), "%q at %d", text, at)
			testkit.Same(t, short.Line(short.LineAt(at)), short.LineWith(at), "%q at %d", text, at)
			testkit.Same(t, long.Line(long.LineAt(at)), long.LineWith(at), "%q at %d", text, at)
		}
		testkit.Same(t, short.LineCount(), short.LineAt(len(text)), "%q", text)
	}
}

func TestLineEnds(t *testing.T) {
	type facts struct {
		LineEnd      string
		FinalNewline bool
		BOM          bool
		Lines        []string
	}
	for text, want := range map[string]facts{
		"":                      {"\n", false, false, []string{""}},
		"a":                     {"\n", false, false, []string{"a"}},
		"a\nb\n":                {"\n", true, false, []string{"a", "b", ""}},
		"a\r\nb\r\nc\n":         {"\r\n", true, false, []string{"a", "b", "c", ""}},
		"a\nb\r\nc\r\n":         {"\r\n", true, false, []string{"a", "b", "c", ""}},
		"a\r\r\nb":              {"\r\r\n", false, false, []string{"a", "b"}},
		"a\rb\r":                {"\r", true, false, []string{"a", "b", ""}},
		"\xef\xbb\xbfa\r\nb":    {"\r\n", false, true, []string{"a", "b"}},
		"a\nb\r\nc\nd\r\ne\n\n": {"\n", true, false, []string{"a", "b", "c", "d", "e", "", ""}},
	} {
		s := source.New("x", []byte(text))
		got := facts{s.LineEnd(), s.FinalNewline(), s.HasBOM(), nil}
		for n := 1; n <= s.LineCount(); n++ {
			got.Lines = append(got.Lines, string(s.Slice(s.Line(n))))
		}
		testkit.Same(t, want, got, "%q", text)
	}
}

func TestLinesCoverTheText(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "a\r\nb\r\r\nc\rd\n", "\xef\xbb\xbfx\n\n"} {
		s := source.New("x", []byte(text))
		joined := text[:s.Start()]
		for n := 1; n <= s.LineCount(); n++ {
			joined += string(s.Slice(s.FullLine(n)))
			if got := s.Position(s.FullLine(n).Start).Line; got != n {
				t.Errorf("%q: line %d begins on line %d", text, n, got)
			}
		}
		if joined != text {
			t.Errorf("%q: lines join to %q", text, joined)
		}
	}
}

func TestScannerLines(t *testing.T) {
	for text, want := range map[string][]int{
		"a\r\r\nb":         {0, 2, 4},
		"a\u0085b\u2028c":  {0, 3, 7},
		"\xef\xbb\xbfa\nb": {3, 5},
	} {
		testkit.Same(t, want, source.New("x", []byte(text)).ScannerLines(), "%q", text)
	}
}

func TestComments(t *testing.T) {
	text := "# top\na: b # one\nc: d#no\ne: 'f # no' # two\r\n  #\tthree\n#"
	s := source.New("x", []byte(text))
	var got []string
	for _, c := range s.Comments(source.Span{End: len(s.Text)}, []source.Span{{Start: 28, End: 36}}) {
		got = append(got, string(s.Slice(c)))
	}
	want := []string{"# top", "# one", "# two", "#\tthree", "#"}
	testkit.Same(t, want, got)
}

func TestSpan(t *testing.T) {
	a := source.Span{Start: 2, End: 5}
	for name, test := range map[string]struct{ got, want any }{
		"length":            {a.Len(), 3},
		"first byte":        {a.Contains(2), true},
		"end is outside":    {a.Contains(5), false},
		"overlap":           {a.Overlaps(source.Span{Start: 4, End: 9}), true},
		"touching":          {a.Overlaps(source.Span{Start: 5, End: 9}), false},
		"slice beyond text": {string(source.New("x", []byte("abc")).Slice(source.Span{Start: 1, End: 9})), "bc"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %v, want %v", name, test.got, test.want)
		}
	}
}

// TestColumns holds that the columns of long lines are those that counting from the line's beginning gives, whatever
// its characters.
func TestColumns(t *testing.T) {
	for name, piece := range map[string]string{"ASCII": "abc", "two bytes": "aä", "three bytes": "€x", "four bytes": "𝄞", "invalid": "a\xff\xe2\x82", "lines": "äbcdefghijklmnopqrstuvwxyz\n"} {
		text := []byte("x\n" + strings.Repeat(piece, 5000))
		s := source.New("x", text)
		for offset := 0; offset <= len(text); offset += 97 {
			if offset < len(text) && !utf8.RuneStart(text[offset]) {
				continue
			}
			line := bytes.LastIndexByte(text[:offset], '\n') + 1
			want := source.Position{Line: bytes.Count(text[:offset], []byte("\n")) + 1, Column: utf8.RuneCount(text[line:offset]) + 1}
			if got := s.Position(offset); got != want {
				t.Fatalf("%s, byte %d: got %v, want %v", name, offset, got, want)
			}
		}
	}
}
