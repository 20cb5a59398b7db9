package listing

import (
	"fmt"
	"io"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
)

// Explain writes a page about a rule.
func Explain(w io.Writer, style ui.Style, r *rules.Rule) {
	page := ui.PageOf(w)
	severity := report.Paint(style, r.Severity)(r.Severity.String())
	_, _ = fmt.Fprintf(w, "%s (%s)\n\n%s", style.Link(report.RulePage(r.ID), style.Bold(r.ID)), severity, page.Fill(r.Doc, "", ""))
	section := func(title, text string) {
		if strings.TrimSpace(text) != "" {
			_, _ = fmt.Fprintf(w, "\n%s\n%s", style.Bold(title), text)
		}
	}
	section("Why it matters", page.Fill(r.Why, "  ", "  "))
	remedy := r.Remedy
	if remedy == "" {
		remedy = "Nothing: the finding says what to write instead."
	}
	section("What --apply does", page.Fill(remedy, "  ", "  "))
	section("Wrong", indented(r.Bad))
	section("Right", indented(r.Good))
	section("What it is based on", sources(page, r))
	_, _ = io.WriteString(w, "\n"+ui.Fold(fmt.Sprintf("Since %s. Documentation: %s", r.Since, report.RulePage(r.ID)), ui.Columns(w), "")+"\n")
}

// ExplainFact writes what a rule knows about a thing as of a day, and reports whether it knows anything.
func ExplainFact(w io.Writer, style ui.Style, r *rules.Rule, query, asOf string) bool {
	if len(r.Facts) == 0 {
		return false
	}
	list := catalog.FactsOf(r.Facts, query, asOf)
	WriteFacts(w, style, list, asOf)
	return len(list) > 0
}

// indented returns text with two spaces before every non-empty line.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		if strings.TrimSpace(line) != "" {
			line = "  " + line
		}
		b.WriteString(line)
	}
	return b.String()
}

// mostSources is how many sources of a table a page lists.
const mostSources = 3

// sources lists the tables on which a rule's findings are based, and the sources of their rows; "" for a rule that
// needs no facts.
func sources(page ui.Page, r *rules.Rule) string {
	var b strings.Builder
	asked := false
	for _, name := range r.Facts {
		t, ok := catalog.LookupTable(name)
		if !ok {
			continue
		}
		asked = asked || t.Asked
		seen := "on " + t.First
		if t.Last != t.First {
			seen = "between " + t.First + " and " + t.Last
		}
		b.WriteString(page.Fill(t.Name+": "+t.About, "  ", "    "))
		lines := []string{plain.Count(t.Rows, "row") + ", seen " + seen}
		if t.Unread > 0 {
			lines[0] += fmt.Sprintf("; %d from general knowledge", t.Unread)
		}
		lines = append(lines, t.Sources[:min(len(t.Sources), mostSources)]...)
		if more := len(t.Sources) - mostSources; more > 0 {
			lines = append(lines, "and "+plain.Count(more, "more source"))
		}
		for _, line := range lines {
			b.WriteString(page.Fill(line, "    ", "      "))
		}
	}
	if asked {
		b.WriteString(page.Fill("amlfix explain "+r.ID+" FACT shows the source of one: FACT is what a finding names.", "  ", "  "))
	}
	return b.String()
}
