package playground

import (
	"errors"
	"maps"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
)

// project consists of the projects formed by the texts, usually one, and their problems.
type project struct {
	engine *check.Engine
	faults []fault
	err    error // set if amlfix failed on a project
}

// fault is a finding, how it is shown, and the ways to repair it.
type fault struct {
	shown Finding
	ways  []check.Way
}

// check finds the problems in the current texts.
func (p *project) check() {
	p.faults, p.err = nil, nil
	checker := p.engine.Checker(check.Options{})
	for _, root := range p.engine.Discover(nil).Roots {
		result := checker.Check(root)
		if result.Err != nil {
			p.err = result.Err
			continue
		}
		resolver := &report.Resolver{Dir: p.engine.Dir, Project: root.Dir}
		edits := report.Previews(result.Project, result.All)
		for _, f := range result.Findings {
			if f.Suppression == nil {
				p.faults = append(p.faults, newFault(root, result, f, resolver.Finding(f), edits))
			}
		}
	}
}

func newFault(root check.Root, result check.Result, f finding.Finding, seen report.Finding, edits func(finding.Finding) ([]fixers.FileEdits, error)) fault {
	shown := Finding{
		Place: place(seen.Place, seen.Message), Rule: f.Rule, Page: report.RulePage(f.Rule), Severity: f.Severity.String(),
		Related: []Place{}, Fixes: []string{}, Safe: check.MaySafely(f) && root.Repairs(f),
	}
	for _, n := range seen.Related {
		shown.Related = append(shown.Related, place(n.Place, n.Message))
	}
	out := fault{shown: shown, ways: root.Ways(result, f, seen.Fix, edits)}
	for _, w := range out.ways {
		out.shown.Fixes = append(out.shown.Fixes, visible(w.Title))
	}
	out.shown.Safe = out.shown.Safe && len(out.ways) > 0
	return out
}

// fix makes one of the ways to repair a finding.
func (p *project) fix(finding, way int) (made []string, err error) {
	if finding < 0 || finding >= len(p.faults) || way < 0 || way >= len(p.faults[finding].ways) {
		return []string{}, errors.New("the files have changed, and the repair is no longer one of theirs: choose again")
	}
	chosen, files := p.faults[finding].ways[way], map[string][]byte{}
	for _, f := range chosen.Files {
		if files[f.Source.Path], err = text.Apply(f.Source.Text, f.Edits); err != nil {
			return []string{}, err
		}
	}
	p.set(files)
	return []string{visible(chosen.Title)}, nil
}

// safe makes all safe repairs, as `amlfix --apply` does.
func (p *project) safe() (made []string, err error) {
	made = []string{}
	checker := p.engine.Checker(check.Options{Repair: true})
	found := p.engine.Discover(nil)
	for _, root := range found.Roots {
		result := checker.Check(p.engine.Again(root, found)) // based on what the previous project has left
		if result.Err != nil {
			return made, result.Err
		}
		for _, a := range result.Patch.Applied {
			made = append(made, visible(check.Capitalized(a.Title)))
		}
		p.set(result.Patch.Changed())
	}
	return made, nil
}

// set replaces the texts and checks them.
func (p *project) set(fresh map[string][]byte) {
	maps.Copy(p.engine.Texts, fresh)
	p.check()
}

// shown returns the findings as the page shows them, in order.
func (p *project) shown() []Finding {
	list := make([]Finding, len(p.faults))
	for i, f := range p.faults {
		list[i] = f.shown
	}
	return list
}

// visible returns text with nothing hidden from the page's reader. The page itself escapes it.
func visible(text string) string { return escape.Page(text) }
