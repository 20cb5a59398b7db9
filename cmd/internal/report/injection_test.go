package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
)

// TestNoFormatIsInjectedInto writes findings whose paths, messages, notes, fixes, answers and problems are hostile, in
// every format: the report as parsed by a reader of the format has the same structure as with a harmless word.
//
//testkit:norace
func TestNoFormatIsInjectedInto(t *testing.T) {
	list := hostileStrings()
	if len(list) < 300 {
		t.Fatalf("only %d strings", len(list))
	}
	shapes := shapesOfAWord(t)
	for _, s := range list {
		for format, want := range shapes {
			checkShape(t, format, want, s)
		}
	}
}

// FuzzFormats is TestNoFormatIsInjectedInto for arbitrary text, in one format at a time.
func FuzzFormats(f *testing.F) {
	names := Formats()
	for i, s := range hostileStrings()[:100] {
		f.Add(s, uint8(i))
	}
	shapes := shapesOfAWord(f)
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		format := Format(names[int(n)%len(names)])
		checkShape(t, format, shapes[format], s)
	})
}

func shapesOfAWord(t testing.TB) map[Format][]string {
	t.Helper()
	shapes := map[Format][]string{}
	for _, name := range Formats() {
		shapes[Format(name)] = shape(Format(name), hostileReport(Format(name), "word"))
		if len(shapes[Format(name)]) < 3 {
			t.Fatalf("%s: a shape that says nothing: %q", name, shapes[Format(name)])
		}
	}
	return shapes
}

func checkShape(t *testing.T, format Format, want []string, s string) {
	t.Helper()
	text := hostileReport(format, s)
	if got := shape(format, text); !slices.Equal(want, got) {
		t.Errorf("%s: %q changes the shape (-want +got):\n%s\n%s", format, s, cmp.Diff(want, got), text)
	}
	if at := bytes.IndexFunc(text, reachesTheTerminal); at >= 0 {
		t.Errorf("%s: %q leaves a sign for the terminal at byte %d: %q", format, s, at, text)
	}
	if format == JSON || format == SARIF || format == GitLab {
		if at := bytes.Index(text, []byte("##vso[")); at >= 0 {
			t.Errorf("%s: %q leaves a command for a CI at byte %d", format, s, at)
		}
	}
}

// reachesTheTerminal reports whether a character must not occur unescaped in any report: CI logs are read on terminals,
// too.
func reachesTheTerminal(r rune) bool {
	return r != '\n' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// hostileStrings returns what is special to readers of some format, alone and combined, at the beginning and in the
// middle of a line.
func hostileStrings() (list []string) {
	parts := []string{
		"::error file=a::b", "::stop-commands::x", "##[error]x", "##vso[task.complete]", "::set-output name=a::b", "%0A::error::x", "%0D%0A", "%",
		"</failure>", "]]>", "<![CDATA[", "<!--", "-->", "&amp;", "&#10;", "&x;", "<testcase name=\"x\"/>", "\"/><error line=\"1", "'", "\"", "<?xml?>", "<!DOCTYPE x>",
		"\\", "\\\"", "\\u0000", "\"}", "\"]}", "\",\"level\":\"none", "{{x}}", "{0}", "${{ x }}", "$(x)", "`x`",
		"|", "| a | b |", "\\|", "[a](javascript:b)", "![a](https://b)", "<script>", "<img src=x onerror=y>", "**a**", "# a", "- a", "```", "@here", "#1", "https://a.b", "~~~", "***",
		"\n", "\r", "\r\n", "\n\n", "\t", "\v", "\f", "\x00", "\x07", "\b", "\x1b[2J", "\x1b]0;a\x07", "\x1b]8;;https://a\x1b\\", "\u009b31m", "\x7f",
		"\u2028", "\u2029", "\u0085", "\u202e", "\u2066", "\u200b", "\ufeff", "\ufffe", "\uffff", "\xff", "\xc0\xaf", "\xed\xa0\x80", "\U000e0041", "\U0010ffff", "é", "日本", "😀",
		"::", ":", ",", ";", "=", "../../etc/passwd", "/etc/passwd", "C:\\x", "//a/b", "a:1:2: error: x [a/b]", "note: x", "fix: x", "amlfix: x", "error: x", "{", "[", "null", "",
		"\n::error::x", "\n### x", "\n| error | a:1 | b | c |", "\n{\"a\":1}", "\n  fix: x (amlfix --apply)", "\na:1:1: error: x [a/b]", "a\n\n**0 errors**", " ", "  x  ",
		strings.Repeat("a", 5000), strings.Repeat("|", 300), strings.Repeat("\n", 50),
	}
	list = slices.Clone(parts)
	random := rand.New(rand.NewPCG(1, 2))
	for len(list) < 450 {
		list = append(list, parts[random.IntN(len(parts))]+parts[random.IntN(len(parts))]+parts[random.IntN(len(parts))])
	}
	return list
}

// hostileReport writes a report with s in every place that can come from a file.
func hostileReport(format Format, s string) []byte {
	place := Place{Path: "a" + s, Region: Region{Line: 1, Column: 1, EndLine: 1, EndColumn: 2}}
	f := Finding{Place: place, Rule: "gpu/base-image", Severity: finding.Error, Message: "m" + s, Fingerprint: "0123", Related: []Note{{place, "n" + s}},
		Fix: &Fix{Title: "t" + s, Applicability: finding.Safe, Notice: "o" + s, Edits: []Edit{{Path: "a" + s, Region: Region{1, 1, 1, 2}, End: 1, Text: "e" + s}}}}
	choice := f
	choice.Line, choice.Fix = 2, &Fix{Title: "t" + s, Applicability: finding.Choice, Answers: []Answer{{"--choose a=" + s, "w" + s}}}
	refused := f
	refused.Line, refused.Fix = 3, &Fix{Title: "t" + s, Applicability: finding.Unsafe, Refused: &Refusal{"a", "r" + s}, Kept: "k" + s}
	lived := f
	lived.Line, lived.Suppression = 4, &finding.Suppression{Kind: finding.InSource, Justification: "j" + s}

	var out bytes.Buffer
	w := New(format, &out, Options{Version: func() string { return "1" }, Command: "amlfix --apply c" + s, Paths: []string{"d" + s, "e"}, Verbose: true, Base: "b" + s, Rules: rules.All()[:1]})
	sum := Summary{Projects: 1, Files: 1, Problems: []string{"p" + s}, Exit: 1}
	for _, f := range []Finding{f, choice, refused, lived} {
		sum.Count(f)
		w.Finding(f)
	}
	w.Repair(Repair{Path: "a" + s, Line: 1, Rule: "a/b", Title: "t" + s, Notice: "o" + s, Changes: []Change{{"set", "a" + s, "/" + s}}})
	w.Repair(Repair{Path: "a" + s, Line: 1, Rule: "a/b", Title: "t" + s, Reason: "r" + s, Clause: "a"})
	w.Close(sum)
	return out.Bytes()
}

// shape returns the structure of a report, without its words.
func shape(format Format, text []byte) (lines []string) {
	switch format {
	case JSON, SARIF, GitLab:
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			return []string{err.Error()}
		}
		return shapeOfJSON("", value, nil)
	case JUnit, Checkstyle:
		return shapeOfXML(text)
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		switch format {
		case GitHub:
			line = shapeOfCommand(line)
		case Markdown:
			line = shapeOfMarkdown(line)
		default: // the first word: "note:", "fix:", or a position
			line, _, _ = strings.Cut(strings.TrimLeft(line, " "), " ")
			if strings.HasPrefix(line, "a") {
				line = "place"
			}
		}
		lines = append(lines, line)
	}
	return lines
}

func shapeOfJSON(at string, value any, lines []string) []string {
	switch v := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			lines = shapeOfJSON(at+"/"+key, v[key], lines)
		}
	case []any:
		lines = append(lines, fmt.Sprint(at, " ", len(v)))
		for _, item := range v {
			lines = shapeOfJSON(at+"/-", item, lines)
		}
	default:
		lines = append(lines, fmt.Sprintf("%s %T", at, value))
	}
	return lines
}

func shapeOfXML(text []byte) (lines []string) {
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			return []string{err.Error()}
		}
		switch v := token.(type) {
		case xml.StartElement:
			line := "<" + v.Name.Local
			for _, a := range v.Attr {
				line += " " + a.Name.Local
			}
			lines = append(lines, line)
		case xml.EndElement:
			lines = append(lines, "</"+v.Name.Local)
		case xml.Comment, xml.Directive:
			lines = append(lines, fmt.Sprintf("%T", token))
		}
	}
}

// shapeOfCommand parses a workflow command as GitHub's runner does.
func shapeOfCommand(line string) string {
	head, _, ok := strings.Cut(strings.TrimPrefix(line, "::"), "::")
	if !ok || !strings.HasPrefix(line, "::") {
		return "not a command: " + line
	}
	word, properties, _ := strings.Cut(head, " ")
	for p := range strings.SplitSeq(properties, ",") {
		name, _, _ := strings.Cut(p, "=")
		word += " " + name
	}
	return word
}

// shapeOfMarkdown keeps the characters with a meaning in Markdown; only amlfix's own may remain.
func shapeOfMarkdown(line string) string {
	for strings.Contains(line, "&#") {
		before, rest, _ := strings.Cut(line, "&#")
		_, after, _ := strings.Cut(rest, ";")
		line = before + after
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("|*_`[]()<>#!&@~\\", r) {
			return r
		}
		return -1
	}, line)
}
