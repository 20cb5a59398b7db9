package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var condaEmptyItem = Rule{
	ID:       "conda/empty-item",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A dash in a list of packages is followed by nothing.",
	Why: `The item is read as null. conda expects a text there and stops, often with nothing but a Python traceback. It
is what remains when a package was deleted and its dash was not.`,
	Remedy: "The item is removed.",
	Bad:    condaProject + "  - pip:\n    - pytest\n    -\n",
	Good:   condaProject + "  - pip:\n    - pytest\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			conda, pip := dependencyLists(e)
			if conda == nil {
				continue
			}
			for _, list := range append(pip, conda) {
				for _, item := range list.Items {
					if item.IsNull() || isBlank(item) {
						p.report(itemAt(e, item, "this item is empty: name a package, or remove it"),
							removeItem(e, item, finding.Safe, "remove the empty item"))
					}
				}
			}
		}
	},
}

// isBlank reports a text of blanks alone.
func isBlank(item *document.Node) bool {
	return item.IsString() && strings.TrimSpace(item.Text()) == ""
}
