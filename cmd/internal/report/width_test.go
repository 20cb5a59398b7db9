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
