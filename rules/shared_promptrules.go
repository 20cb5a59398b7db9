package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// flowInputs reports references to inputs that a flow does not declare.
func flowInputs(p *Pass) {
	for _, flow := range p.promptFlows() {
		inputs := flow.root.Get("inputs").Resolve()
		if inputs.Merges() || !inputs.IsNull() && !inputs.IsMapping() {
			continue
		}
		names, declared := keysOf(inputs), map[string]bool{}
		for _, name := range names {
			declared[name] = true
		}
		for _, r := range flow.references {
			name, ok := r.input()
			if !ok || r.wrong != noFault || declared[name] || p.full(flow.file.Source) {
				continue
			}
			message := fmt.Sprintf("the flow has no input %q, so prompt flow rejects it: declare it under inputs, or correct the name", shown(name))
			var fix *finding.Fix
			if near := p.nearest(name, names); len(near) == 1 {
				message = fmt.Sprintf("the flow has no input %q, so prompt flow rejects it: did you mean %q?", shown(name), shown(near[0]))
				fix = r.instead("inputs." + near[0])
			}
			p.report(r.Location(message), fix)
		}
	}
}

// keysOf returns the keys of a mapping.
func keysOf(n *document.Node) (keys []string) {
	for _, e := range n.Own() {
		keys = append(keys, e.Key.Value)
	}
	return keys
}

// flowNodes reports references to nodes that a flow does not have, and nodes that it has twice.
func flowNodes(p *Pass) {
	for _, flow := range p.promptFlows() {
		if !flow.complete {
			continue
		}
		seen := map[string]bool{}
		for _, n := range flow.root.Get("nodes").List() {
			name := n.Resolve().Get("name")
			if seen[name.Text()] && !p.full(flow.file.Source) {
				p.report(finding.Location{Source: flow.file.Source, Span: name.Span, Message: fmt.Sprintf("two nodes are called %q, so prompt flow rejects the flow: rename one of them", shown(name.Text()))}, nil)
			}
			seen[name.Text()] = true
		}
		for _, r := range flow.references {
			name := r.of()
			if _, input := r.input(); input || r.wrong != noFault || p.full(flow.file.Source) {
				continue
			}
			if flow.has[name] {
				otherSection(p, flow, r)
				continue
			}
			message := fmt.Sprintf("the flow has no node %q, so prompt flow rejects it: write ${NODE.output} or ${inputs.NAME}", shown(name))
			var fix *finding.Fix
			if input, ok := strings.CutPrefix(r.name, "input."); ok && flow.root.Get("inputs").Get(input) != nil {
				message, fix = fmt.Sprintf("prompt flow takes this for a node, which the flow does not have: write ${inputs.%s}", shown(input)), r.instead("inputs."+input)
			} else if near := p.nearest(name, flow.nodes); len(near) == 1 && near[0] != r.node {
				message = fmt.Sprintf("the flow has no node %q, so prompt flow rejects it: did you mean %q?", shown(name), shown(near[0]))
				fix = r.instead(near[0] + r.name[len(name):])
			}
			p.report(r.Location(message), fix)
		}
	}
}

// flowCycles reports nodes of a flow that wait for each other.
func flowCycles(p *Pass) {
	for _, flow := range p.promptFlows() {
		waits, followers := map[string]int{}, map[string][]string{}
		for _, r := range flow.references {
			if _, input := r.input(); !input && r.wrong == noFault && r.node != "" && flow.has[r.of()] {
				waits[r.node]++
				followers[r.of()] = append(followers[r.of()], r.node)
			}
		}
		ready := slices.DeleteFunc(slices.Clone(flow.nodes), func(node string) bool { return waits[node] > 0 })
		for len(ready) > 0 {
			done := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			for _, next := range followers[done] {
				if waits[next]--; waits[next] == 0 {
					ready = append(ready, next)
				}
			}
		}
		// nodes that still wait are in a cycle, or depend on one
		waiting, at := map[string]flowReference{}, ""
		for _, r := range slices.Backward(flow.references) {
			if _, input := r.input(); !input && r.wrong == noFault && waits[r.node] > 0 && waits[r.of()] > 0 {
				waiting[r.node], at = r, r.node
			}
		}
		for met := map[string]bool{}; at != "" && !met[at]; at = waiting[at].of() {
			met[at] = true
		}
		if r, ok := waiting[at]; ok {
			p.report(r.Location(fmt.Sprintf("%q waits for %q here, which closes a cycle, so prompt flow rejects the flow: remove one of its references", brief(r.node), brief(r.of()))), nil)
		}
	}
}

// flowSources reports missing files of nodes if other files of the flow exist: a flow may be kept without any. Files
// that it includes are copied next to them before it runs.
func flowSources(p *Pass) {
	for _, flow := range p.promptFlows() {
		if includes := flow.root.Get("additional_includes").Resolve(); !includes.IsNull() && (!includes.IsSequence() || len(includes.Items()) > 0) {
			continue
		}
		var missing []schema.Field
		there := false
		for _, at := range flow.sources {
			if p.Project.Exists(path.Join(flow.file.Dir(), at.Text)) {
				there = true
			} else {
				missing = append(missing, at)
			}
		}
		for _, at := range missing {
			if !p.full(flow.file.Source) {
				missingSource(p, flow, at, there)
			}
		}
	}
}

// missingSource reports a node's missing file. certain means that other files of the flow exist; otherwise one with a
// similar name must exist.
func missingSource(p *Pass, flow *promptFlow, at schema.Field, certain bool) {
	severity, what := finding.Error, "the node"
	if flow.spare[at.Node] {
		severity, what = finding.Warning, "this variant, which is not the default"
	}
	rel := path.Join(flow.file.Dir(), schema.Slashes(at.Text))
	var near []string
	if p.compared < mostComparisons {
		near = p.nearest(path.Base(rel), filesIn(p, path.Dir(rel), path.Ext(rel)))
		if ext := path.Ext(rel); len(near) == 0 && strings.HasPrefix(ext, ".j") && ext != ".jinja2" {
			near = p.nearest(path.Base(rel), filesIn(p, path.Dir(rel), ".jinja2"))
		}
	}
	if len(near) != 1 {
		if certain {
			p.reportAs(severity, at.Location(fmt.Sprintf("the flow has no file %q, so prompt flow cannot run %s: create it, or correct the path", shown(at.Text), what)), nil)
		}
		return
	}
	other := path.Join(path.Dir(schema.Slashes(at.Text)), near[0])
	fix := at.Fix(finding.Text(other), finding.Unsafe, fmt.Sprintf("write %q", shown(other)))
	p.reportAs(severity, at.Location(fmt.Sprintf("the flow has no file %q, so prompt flow cannot run %s: did you mean %q?", shortName(at.Text), what, shortName(other))), fix)
}

// filesIn returns the names of the files in a folder that have an ending.
func filesIn(p *Pass, folder, ending string) (names []string) {
	for _, name := range p.Project.Below(folder, ending) {
		if path.Dir(name) == "." {
			names = append(names, name)
		}
	}
	return names
}

// flowOutputs reports the outputs of a flow that nothing produces.
func flowOutputs(p *Pass) {
	for _, flow := range p.promptFlows() {
		for _, e := range flow.root.Get("outputs").Own() {
			output := e.Value.Resolve()
			if !output.IsMapping() || output.Merges() || output.Get("reference").Text() != "" || p.full(flow.file.Source) {
				continue
			}
			message := fmt.Sprintf(`"reference" is missing from the output %q, so prompt flow rejects the flow: write reference: ${NODE.output}`, shown(e.Key.Value))
			var fix *finding.Fix
			if near := p.nearest("reference", keysOf(output)); len(near) == 1 && near[0] != "reference" {
				message = fmt.Sprintf("the output %q has %q instead of a reference, so prompt flow rejects the flow: write reference", shown(e.Key.Value), near[0])
				fix = renameKey(flow.file, output.Get(near[0]), finding.Safe, fmt.Sprintf("rename %q to \"reference\"", near[0]), "reference")
			}
			p.report(finding.Location{Source: flow.file.Source, Span: e.Key.Span, Message: message}, fix)
		}
	}
}
