package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// misspeltChannels reports channels that differ by one character from a well-known one.
func misspeltChannels(p *Pass, e *schema.Environment) {
	for _, item := range e.Node.Get("channels").List() {
		name := item.Resolve().Text()
		if !item.Resolve().IsString() || catalog.CondaChannels.Has(name) {
			continue
		}
		for _, known := range catalog.CondaChannels.Items() {
			if plain.DistanceWithin(name, known, 1) == 1 {
				p.report(itemAt(e, item, fmt.Sprintf("amlfix does not know a channel %q; did you mean %q?", shown(name), known)),
					rewriteItem(e, item, finding.Unsafe, fmt.Sprintf("use %q", known), known))
				break
			}
		}
	}
}

// firstChannel returns the conda channel in which an environment's packages are looked for first, or "".
func firstChannel(e *schema.Environment) string {
	if list := e.Node.Get("channels").List(); len(list) > 0 {
		return list[0].Text()
	}
	return ""
}
