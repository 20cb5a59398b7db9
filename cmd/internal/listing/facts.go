package listing

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/catalog"
)

// WriteFacts writes a block for each fact as of a day, separated by empty lines.
func WriteFacts(w io.Writer, style ui.Style, list []catalog.Fact, asOf string) {
	for i, f := range list {
		if i > 0 {
			_, _ = fmt.Fprintln(w)
		}
		_, _ = fmt.Fprintln(w, style.Bold(f.Subject))
		seen := f.Seen
		if f.Certainty != catalog.Sourced {
			seen += ", from " + string(f.Certainty) + ": check it there"
		}
		if f.Stale(asOf) {
			seen += fmt.Sprintf(", more than %d days ago, so it may have changed", catalog.FreshDays)
		}
		table := new(ui.Table)
		for _, v := range append(f.Values, catalog.FactValue{Name: "source", Text: f.Source}, catalog.FactValue{Name: "seen", Text: seen}) {
			table.Row(v.Name, v.Text)
			if v.Name == "source" || v.Name == "seen" {
				table.Paint(0, style.Dim)
				table.Paint(1, style.Dim)
			}
		}
		table.Write(w, "  ")
	}
}

// fewNames is how many names a suggestion lists.
const fewNames = 5

// NearFacts suggests what was meant by a query about which nothing is known.
func NearFacts(query string) string {
	names := catalog.FactNames()
	for word := range strings.FieldsSeq(query) {
		name, _, _ := strings.Cut(strings.Trim(word, "?!,.'\""), "=")
		if builds := catalog.FrameworkBuilds(name); len(builds) > 0 {
			return fmt.Sprintf("; of %s, releases from %s to %s are recorded", name, builds[0].Version, builds[len(builds)-1].Version)
		}
		if hint := ui.DidYouMean(name, names); hint != "" {
			return hint
		}
		longer := slices.DeleteFunc(slices.Clone(names), func(n string) bool {
			return len(name) < 4 || !strings.Contains(strings.ToLower(n), strings.ToLower(name))
		})
		if len(longer) > 0 {
			return ui.DidYouMeanOne(longer[:min(len(longer), fewNames)])
		}
	}
	return ""
}
