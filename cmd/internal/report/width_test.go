package report

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSnippetFitsTerminal checks that a source line and its carets are no wider than the terminal, and that the line is
// shown from its beginning where that shows the place.
func TestSnippetFitsTerminal(t *testing.T) {
	text := "baseDockerImage: microsoft/mmlspark:plus-0.9.9   # as it was attached " + strings.Repeat("long ", 40)
	src := source.New("/a.compute", []byte(text))
	at := source.Span{Start: len("baseDockerImage: "), End: strings.Index(text, "   #")}
	for columns, want := range map[int]string{
		60:  "baseDockerImage: microsoft/mmlspark:plus-0.9.9   # …",
		40:  "…ge: microsoft/mmlspark:plus-0.9…",
		10:  "…ge: microsoft/mmlspark:plus-0.…",
		0:   text[:lineWidth] + "…",
		999: text[:lineWidth] + "…",
	} {
		r := Resolver{Dir: "/", Snippets: true, Columns: columns}
		got := r.Finding(finding.Finding{Rule: "a/b", Location: finding.Location{Source: src, Span: at}}).Snippet
		testkit.Same(t, want, got.Text, "%d columns", columns)
		if width := len("1234 | ") + len([]rune(got.Pointer)); columns > 30 && width > columns {
			t.Errorf("%d columns: the carets take %d", columns, width)
		}
	}
}

// TestTextFitsTerminal checks that the lines of a report are folded between words, and that the command stays whole.
func TestTextFitsTerminal(t *testing.T) {
	var b strings.Builder
	report := newText(&b, Options{Command: "amlfix --apply", Paths: []string{"a b"}})
	report.columns = 40
	report.Finding(Finding{Place: Place{Path: "a.yml", Region: Region{Line: 1, Column: 2}}, Rule: "a/b", Severity: finding.Error, Message: "words of a message that do not fit",
		Related: []Note{{Place: Place{Path: "b.yml", Region: Region{Line: 3, Column: 4}}, Message: "and words of a note that do not"}},
		Fix:     &Fix{Title: "change a word", Applicability: finding.Unsafe, Notice: "it changes another word as well"}})
	report.Close(Summary{Projects: 1, Files: 1, Errors: 1, Unsafe: 1, Exit: 1})
	testkit.Same(t, `a.yml:1:2: error: words of a message
    that do not fit [a/b]
b.yml:3:4: note: and words of a note
    that do not
  fix: change a word
    (amlfix --apply 'a b' --unsafe)
  notice: it changes another word as
    well

1 error in 1 project (1 file); 1 can be
    repaired:
    amlfix --apply 'a b' --unsafe
`, b.String())
}
