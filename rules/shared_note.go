package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// The facts cached about a file (see schema.Note), by number. Fixes are proved by checking the project again, which can
// then reuse the facts about all files that the fix does not change.
const (
	noteSchema = iota
	noteSettings
	noteAllTokens
	noteTokens
	noteTokenFixes
	noteScalars
	noteGlued
	noteMarks
	noteOddities
	noteDuplicates
	noteEmptyItems
	noteSpelling
	noteModules
	noteInvalidItems
	noteOperators
	noteHashes
	noteSplitOptions
	notePipEquals
)

var noProject schema.Project

// perFile checks each file by itself, independent of the rest of the project, and caches the findings. The check's pass
// has neither a project nor shared data. Files without oddities are left out: no such rule finds anything there.
func (p *Pass) perFile(note int, check func(p *Pass, f *schema.File)) {
	alone := Pass{Project: &noProject, rule: p.rule}
	find := func(f *schema.File) []finding.Finding {
		alone.findings, alone.last = nil, nil
		check(&alone, f)
		return alone.findings
	}
	for _, f := range p.Project.Files {
		if ordinary(f) {
			continue
		}
		for _, found := range schema.Note(f, note, find) {
			p.reportAs(found.Severity, found.Location, found.Fix, found.Related...)
		}
	}
}

// perEnvironment checks the environments of a list. An environment that is a whole file is not checked if the check is
// known to find nothing in the same text, so whether it finds something must depend on the environment alone; what it
// reports need not.
func (p *Pass) perEnvironment(note int, list []*schema.Environment, check func(p *Pass, e *schema.Environment)) {
	for _, e := range list {
		whole := e.Node != nil && e.Node == e.File.Root()
		if whole && schema.KnownClean(e.File, note) {
			continue
		}
		before := len(p.findings)
		if check(p, e); whole && len(p.findings) == before && !p.full(e.File.Source) {
			schema.NoteClean(e.File, note)
		}
	}
}
