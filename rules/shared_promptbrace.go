package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// otherSection reports a reference to something other than the output of a node.
func otherSection(p *Pass, flow *promptFlow, r flowReference) {
	node, section, dot := strings.Cut(r.name, ".")
	section, rest, more := strings.Cut(section, ".")
	if !dot || section == "output" || strings.ContainsAny(section, "[]'") || flow.root.Get("language").Text() == "csharp" {
		return
	}
	right := node + ".output"
	if more {
		right += "." + rest
	}
	var fix *finding.Fix
	if plain.DistanceWithin(strings.ToLower(section), "output", 2) <= 2 {
		fix = r.instead(right)
	} else {
		right = node + ".output." + strings.TrimPrefix(r.name, node+".")
	}
	p.report(r.Location(fmt.Sprintf("a node has nothing but its output to refer to, so prompt flow ends with an error here: write ${%s}", shown(right))), fix)
}

// flowBraces reports expressions of a flow that have Azure ML's double braces, or spaces in theirs, or not all signs.
func flowBraces(p *Pass) {
	for _, flow := range p.promptFlows() {
		for _, r := range flow.references {
			switch input, isInput := r.input(); {
			case r.wrong == noFault || p.full(flow.file.Source):
			case r.wrong == doubledBraces:
				p.report(r.Location(fmt.Sprintf("flows use single braces, and prompt flow rejects double braces: write ${%s}", shown(r.name))), r.instead(r.name))
			case r.wrong == spacedBraces:
				p.report(r.Location(fmt.Sprintf("prompt flow takes the spaces in the braces for a part of the name, and rejects the flow: write ${%s}", shown(r.name))), r.instead(r.name))
			case isInput && flow.root.Get("inputs").Get(input) != nil, !isInput && flow.has[r.of()] && strings.HasPrefix(r.name, r.of()+".output"):
				p.reportAs(finding.Warning, r.Location(fmt.Sprintf("prompt flow passes this on as text: write ${%s}", shown(r.name))), r.instead(r.name))
			}
		}
	}
}
