package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
)

// commandPrograms reports programs in the commands of v2 files that no machine has: misspelt ones, and scripts that
// nothing runs.
func commandPrograms(p *Pass) {
	for _, c := range p.shared.commands {
		if len(c.Unknown) > 0 {
			commandProgram(p, c)
		}
	}
}

func commandProgram(p *Pass, c command) {
	f := c.body.File
	offsets := c.node.Offsets(f.Source.Text)
	for _, word := range c.Unknown {
		name, _ := word.Literal()
		right, why := programMeant(p, schema.FieldAt(f, c.in, "code"), name)
		if right == "" {
			continue
		}
		s := script{file: f, node: c.node}
		s.at = s.place(offsets, word.Span)
		var fix *finding.Fix
		if offsets != nil && string(f.Source.Slice(s.at)) == name && !f.Stream.Repaired {
			fix = finding.NewFix(finding.Unsafe, "write "+right, finding.Splice(f.Source, s.at, right))
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
	if len(name) < len("pyton") || name[0] == ' ' { // YAML joined two lines; that is reported itself
		return "", ""
	}
	near := p.nearest(name, shell.Runners())
	if len(near) != 1 || slices.Contains(shell.Runners(), strings.TrimRight(name, "0123456789")) { // python27
		return "", ""
	}
	return near[0], fmt.Sprintf("no program is called %q, so the job fails when it starts: did you mean %s?", name, near[0])
}
