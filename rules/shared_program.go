package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
)

// commandPrograms reports programs in the commands of v2 files that no machine has: misspelt ones, and scripts that
// nothing runs.
func commandPrograms(p *Pass) {
	for _, b := range p.shared.bodies {
		commandProgram(p, b, b.Node)
		if trial := b.Node.Get("trial"); trial.IsMapping() && (b.Runs == nil || b.Runs.Node != trial) {
			commandProgram(p, b, trial.Resolve())
		}
	}
}

func commandProgram(p *Pass, b *flow.Body, n *document.Node) {
	command := n.Get("command").Resolve()
	if !command.IsString() {
		return
	}
	offsets := command.Offsets(b.File.Source.Text)
	for _, word := range shell.Read(command.Value).Unknown {
		name, _ := word.Literal()
		right, why := programMeant(p, schema.FieldAt(b.File, n, "code"), name)
		if right == "" {
			continue
		}
		s := script{file: b.File, node: command}
		s.at = s.place(offsets, word.Span)
		var fix *finding.Fix
		if offsets != nil && string(b.File.Source.Slice(s.at)) == name && !b.File.Stream.Repaired {
			fix = &finding.Fix{Title: "write " + right, Applicability: finding.Unsafe, Changes: []finding.Change{{
				Op: finding.SpliceText, File: b.File.Path, Offset: s.at.Start, Old: name, Value: finding.Text(right),
			}}}
		}
		p.reportAs(finding.Error, s.location(why), fix)
	}
}

// programMeant returns what an unknown program is meant to be, and why, or "".
func programMeant(p *Pass, code schema.Field, name string) (right, why string) {
	if by := shell.Runner(path.Ext(name)); by != "" {
		if rel, ok := code.Path(); ok && plainWord(name) && p.Project.Exists(path.Join(rel, name)) {
			right = by + " " + name
			return right, "a shell does not look for programs in the code folder, so the job fails when it starts: write " + right
		}
		return "", ""
	}
	near := p.nearest(name, shell.Runners())
	if len(name) < len("pyton") || len(near) != 1 || slices.Contains(shell.Runners(), strings.TrimRight(name, "0123456789")) { // python27
		return "", ""
	}
	return near[0], fmt.Sprintf("no program is called %q, so the job fails when it starts: did you mean %s?", name, near[0])
}
