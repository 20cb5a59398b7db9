package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// What is noted of a file (see schema.Note), each by a number of its own. Fixes are
// proved by checking the project again: then it is known of all files that the fix
// leaves as they are.
const (
	noteSchema = iota
	noteTokens
	noteScalars
	noteGlued
)

var noProject = new(schema.Project)

// perFile makes the check of a rule of one that looks at one file and at nothing else
// of the project, and notes what that finds. The pass that it is given has neither a
// project nor what rules share.
func perFile(note int, check func(p *Pass, f *schema.File)) func(*Pass) {
	return func(p *Pass) {
		alone := Pass{Project: noProject, rule: p.rule}
		find := func(f *schema.File) []finding.Finding {
			alone.findings, alone.last = nil, nil
			check(&alone, f)
			return alone.findings
		}
		for _, f := range p.Project.Files {
			for _, found := range schema.Note(f, note, find) {
				p.reportAs(found.Severity, found.Location, found.Fix, found.Related...)
			}
		}
	}
}
