package rules

import (
	"fmt"
	"strconv"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// counts reports ranges of numbers of machines of v2 that are empty.
func counts(p *Pass) {
	for _, f := range p.Project.Files {
		switch root := f.Root().Resolve(); {
		case f.Broken():
		case f.V2 == "compute":
			emptyRange(p, f, root)
		case f.V2 == "online-deployment":
			emptyRange(p, f, root.Get("scale_settings").Resolve())
		}
	}
}

// emptyRange reports a min_instances that is greater than max_instances.
func emptyRange(p *Pass, f *schema.File, n *document.Node) {
	least, most := n.Get("min_instances").Resolve(), n.Get("max_instances").Resolve()
	low, err := strconv.Atoi(least.Text())
	high, err2 := strconv.Atoi(most.Text())
	if err == nil && err2 == nil && low > high {
		p.report(finding.Location{Source: f.Source, Span: least.Span, Message: fmt.Sprintf(
			"min_instances is greater than max_instances (%d), so Azure ML rejects the file: swap them, or correct one", high)}, nil,
			finding.Location{Source: f.Source, Span: most.Span, Message: "max_instances is less"})
	}
}
