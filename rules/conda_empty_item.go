package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var condaEmptyItem = Rule{
	ID:       "conda/empty-item",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "An item in a list of packages is empty.",
	Why: `The item is read as null. conda expects text there and stops, often with only a Python traceback. An empty
item is usually what remains when a package is deleted but its dash is not.`,
	Remedy: "Removes the item.",
	Bad:    condaProject + "  - pip:\n    - pytest\n    -\n",
	Good:   condaProject + "  - pip:\n    - pytest\n",
	Check: func(p *Pass) {
		p.perEnvironment(noteEmptyItems, environments(p), func(p *Pass, e *schema.Environment) {
			conda, pip := dependencyLists(e)
			if conda == nil {
				return
			}
			for _, list := range append(pip, conda) {
				for _, item := range list.Items() {
					if item.IsNull() || item.IsString() && strings.TrimSpace(item.Text()) == "" {
						p.report(itemAt(e, item, "this item is empty: name a package, or remove it"),
							removeItem(e, item, finding.Safe, "remove the empty item"))
					}
				}
			}
		})
	},
}
