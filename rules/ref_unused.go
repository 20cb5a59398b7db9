package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var refUnused = Rule{
	ID:       "ref/unused",
	Severity: finding.Info,
	Since:    "2026-11-22",
	Doc:      "Nothing uses an input, or a parameter of a sweep.",
	Why: `An input that no command and no job of a pipeline uses was often renamed elsewhere. It may be intended: Azure
ML also mounts data that the command does not mention. A parameter of a sweep that the command of its trials does not
use makes no difference, unless the script reads the variable AZUREML_SWEEP_NAME.`,
	Remedy: "With --unsafe, indents a key that has lost its indentation below an input or output, such as path.",
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py
environment: azureml:env:1
compute: azureml:cpu
inputs:
  data:
    path: azureml:digits:1
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python train.py ${{inputs.data}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  data:
    path: azureml:digits:1
`,
	Check: func(p *Pass) {
		for _, b := range p.shared.bodies {
			outdented(p, b)
			used, ok := usedInputs(b)
			if !ok {
				continue
			}
			unused(p, b, "the input", b.Inputs, used)
			if !strings.Contains(b.Node.Get("trial").Get("command").Text(), "AZUREML_SWEEP") {
				unused(p, b, "the parameter", b.Space, used)
			}
		}
	},
}

// unused reports the names that are not used.
func unused(p *Pass, b *flow.Body, what string, names flow.Names, used map[string]bool) {
	entries := names.Node.Resolve().Own()
	for i, entry := range entries {
		name := entry.Key.Value
		if used[name] || b.Declared && entry.Value.IsString() {
			continue // a component declares inputs by mappings: schema/type says so
		}
		at := finding.Location{Source: b.File.Source, Span: entry.Key.Span, Message: fmt.Sprintf("nothing uses %s %q", what, shown(name))}
		if owner, ok := ownerAbove(entries[:i], entry); ok && what == "the input" {
			at.Message += fmt.Sprintf(", which is indented like an input: if it belongs to %q, indent it further", shown(owner.Key.Value))
			p.reportAs(finding.Warning, at, indented(b.File, owner, entry))
			continue
		}
		at.Message += ": use it, or remove it if it is a leftover"
		p.report(at, nil)
	}
}

// outdented reports keys of an output's data that are indented like outputs, and that the command does not use as such.
// Only a step's may be text, and a pipeline's and a component's are reported as outputs that nothing writes, or that do
// not exist.
func outdented(p *Pass, b *flow.Body) {
	if b.Parent == nil || b.IsPipeline() || b.Runs != nil || b.Elsewhere || b.Partial {
		return
	}
	entries := b.Outputs.Node.Resolve().Own()
	for i, e := range entries {
		owner, ok := ownerAbove(entries[:i], e)
		if !ok || !e.Value.IsString() || slices.ContainsFunc(b.Uses, func(u flow.Use) bool { return u.Name == "outputs."+e.Key.Value }) {
			continue
		}
		p.reportAs(finding.Warning, finding.Location{Source: b.File.Source, Span: e.Key.Span, Message: fmt.Sprintf(
			"%q is indented like an output, but no command writes to one of that name: if it belongs to %q, indent it further", shown(e.Key.Value), shown(owner.Key.Value))}, indented(b.File, owner, e))
	}
}

// keysOfData are the keys of an input with data, which are hardly names of inputs.
var keysOfData = []string{"type", "path", "mode"}

// modeOfData are the values of mode; an input may well be called so.
var modeOfData = []string{"ro_mount", "rw_mount", "mount", "eval_mount", "download", "eval_download", "upload", "direct"}

// ownerAbove returns the input or output right above a key of data that has lost its indentation, if it lacks that key.
func ownerAbove(above []document.Entry, lost document.Entry) (owner document.Entry, ok bool) {
	name := lost.Key.Value
	if name != "path" && name != "type" && (name != "mode" || !slices.Contains(modeOfData, lost.Value.Text())) {
		return owner, false
	}
	for _, e := range slices.Backward(above) {
		switch n := e.Value.Resolve(); {
		case slices.Contains(keysOfData, e.Key.Value):
		case n.IsNull() || n.IsMapping() && n.Get(name) == nil && (n.Get("type") != nil || n.Get("path") != nil):
			return e, true
		default:
			return owner, false
		}
	}
	return owner, false
}

// indented returns the fix that indents a key like those of its owner right above, or nil if that one has none in a
// block of its own.
func indented(f *schema.File, owner, lost document.Entry) *finding.Fix {
	n, src := owner.Value, f.Source
	if !n.IsMapping() || n.Style == document.Flow || len(n.Entries()) == 0 || src.LineAt(lost.Value.Span.End) != src.LineAt(lost.Key.Span.Start) {
		return nil
	}
	column := func(key *document.Node) int { return src.Position(key.Span.Start).Column }
	line := src.Line(src.LineAt(lost.Key.Span.Start))
	spaces := strings.Repeat(" ", max(0, column(n.Entries()[0].Key)-column(lost.Key)))
	if spaces == "" || len(bytes.TrimLeft(src.Text[line.Start:lost.Key.Span.Start], " ")) > 0 {
		return nil
	}
	return finding.NewFix(finding.Unsafe, fmt.Sprintf("indent %q", shown(lost.Key.Value)), finding.Insert(src, line.Start, spaces))
}

// usedInputs returns the inputs that a command or the jobs of a pipeline name; ok is false if there are other ways to
// use them, or if a wrong name may refer to one.
func usedInputs(b *flow.Body) (used map[string]bool, ok bool) {
	bodies, root := []*flow.Body{b}, "inputs"
	switch command := b.Node.Get("command"); {
	case b.IsPipeline():
		bodies, root = b.Jobs, "parent.inputs"
	case b.Runs != nil || b.Elsewhere || !command.IsString() && !b.Node.Get("trial").Get("command").IsString():
		return nil, false
	}
	used = map[string]bool{}
	for _, user := range append(bodies, b) {
		if user.Partial {
			return nil, false
		}
		for _, u := range user.Uses {
			e := expressionOf(user, u)
			name, _, _ := strings.Cut(e.name, ".")
			used[name], used[e.name] = true, true
			used[strings.TrimPrefix(ofParent(e), root+".")] = true // under a wrong root
			if u.Broken || e.root == root && !b.Inputs.Has(name) && !b.Inputs.Has(e.name) || e.root == "search_space" && !b.Space.Has(e.name) {
				return nil, false
			}
		}
	}
	return used, true
}
