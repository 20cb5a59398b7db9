package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/catalog"
)

// mostSources is how many sources of a table a page lists.
const mostSources = 3

// sources lists the tables on which a rule's findings are based, and the sources of their rows; "" for a rule that
// needs no facts.
func sources(r rules.Rule) string {
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
		_, _ = fmt.Fprintf(&b, "%s: %s\n", t.Name, t.About)
		_, _ = fmt.Fprintf(&b, "  %s, seen %s", ui.Count(t.Rows, "row"), seen)
		if t.Unread > 0 {
			_, _ = fmt.Fprintf(&b, "; %d from general knowledge", t.Unread)
		}
		b.WriteString("\n")
		for _, source := range t.Sources[:min(len(t.Sources), mostSources)] {
			b.WriteString("  " + source + "\n")
		}
		if more := len(t.Sources) - mostSources; more > 0 {
			_, _ = fmt.Fprintf(&b, "  and %s\n", ui.Count(more, "more source"))
		}
	}
	if asked {
		_, _ = fmt.Fprintf(&b, "amlfix explain %s FACT shows the source of one: FACT is what a finding names.", r.ID)
	}
	return b.String()
}

// explainFact shows what one rule knows about a thing, with its source.
func (c *call) explainFact(style ui.Style, r rules.Rule, query string) error {
	var list []catalog.Fact
	asOf := cmp.Or(c.AsOf, c.Today())
	if len(r.Facts) > 0 {
		list = catalog.FactsOf(r.Facts, query, asOf)
	}
	c.writeFacts(style, list, asOf)
	if len(list) == 0 {
		c.Say("%s knows nothing about %q; amlfix facts shows what amlfix knows", r.ID, query)
		return cli.Status(cli.Findings)
	}
	return nil
}
