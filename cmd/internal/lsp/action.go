package lsp

import (
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// fixAll is the kind of the action that makes all safe repairs in a file's projects.
const fixAll protocol.CodeActionKind = "source.fixAll.amlfix"

// codeAction offers actions for the findings at a position: each fix, each answer to a fix that leaves a decision open,
// a comment that suppresses the finding, and all safe repairs of the project.
func (s *Server) codeAction(params *protocol.CodeActionParams) ([]*protocol.CodeAction, error) {
	d := s.buffer(params.TextDocument.URI)
	actions := []*protocol.CodeAction{}
	if d == nil {
		return actions, nil
	}
	at := s.grid(d.path, d.text).spanned(params.Range)
	for _, p := range s.projects() {
		if !p.reads[d.path] || !wanted(params.Context.Only, protocol.QuickFix) {
			continue
		}
		edits := report.Previews(p.result.Project, p.result.All, rules.Check)
		resolver := &report.Resolver{Dir: s.engine.Dir, Project: p.root.Dir}
		for _, f := range p.findings() {
			if f.Source.Path == d.path && touches(f.Span, at) {
				shown := resolver.Finding(f)
				actions = append(actions, s.fixes(p, f, shown, edits)...)
				actions = append(actions, s.ignore(p, f)...)
			}
		}
	}
	if wanted(params.Context.Only, fixAll) {
		if edit := s.repairs(d.path); edit != nil {
			actions = append(actions, action("Make all safe repairs in this project (amlfix)", fixAll, edit))
		}
	}
	return unique(actions), nil
}

// wanted reports whether an editor that requests certain kinds of actions, or all of them, wants one of this kind.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	for _, k := range only {
		if kind == k || strings.HasPrefix(string(kind), string(k)+".") {
			return true
		}
	}
	return len(only) == 0
}

// touches reports whether a position from the editor, which may be only a cursor, is at a finding.
func touches(f, at source.Span) bool { return at.Start <= f.End && f.Start <= at.End }

func action(title string, kind protocol.CodeActionKind, edit *protocol.WorkspaceEdit) *protocol.CodeAction {
	return &protocol.CodeAction{Title: title, Kind: kind, Edit: edit}
}

// unique removes duplicates that several projects offer.
func unique(actions []*protocol.CodeAction) []*protocol.CodeAction {
	seen := map[string]bool{}
	list := actions[:0]
	for _, a := range actions {
		if !seen[a.Title] {
			seen[a.Title] = true
			list = append(list, a)
		}
	}
	return list
}

// fixes returns the actions that make the fix of a finding.
func (s *Server) fixes(p *project, f finding.Finding, shown report.Finding, edits func(finding.Finding) ([]fixers.FileEdits, error)) (list []*protocol.CodeAction) {
	switch {
	case f.Fix == nil || !p.root.Repairs(f):
		return nil
	case f.Fix.Applicability == finding.Choice:
		for i, a := range f.Fix.Answers {
			patch, err := p.root.Answered(p.result, f, a)
			if err != nil {
				continue
			}
			if edit := s.workspaceEdit(replacements(patch.Files)); edit != nil {
				list = append(list, action(sentence(shown.Fix.Answers[i].Title), protocol.QuickFix, edit))
			}
		}
		return list
	}
	files, err := edits(f)
	if err != nil {
		return nil // it cannot be made here; the message says what to do
	}
	edit := s.workspaceEdit(files)
	if edit == nil {
		return nil
	}
	title, safe := sentence(shown.Fix.Title), f.Fix.Applicability == finding.Safe
	if !safe {
		title += " (may change what the job does)"
	}
	a := action(title, protocol.QuickFix, edit)
	a.IsPreferred = safe
	return []*protocol.CodeAction{a}
}

// ignore returns the action that adds a suppression comment above a finding.
func (s *Server) ignore(p *project, f finding.Finding) []*protocol.CodeAction {
	files, err := s.engine.Checker(check.Options{Ignores: &check.Ignores{Reason: "TODO: say why"}}).Comment(p.root, p.result.Project, f)
	if err != nil {
		return nil
	}
	edit := s.workspaceEdit(files)
	if edit == nil {
		return nil
	}
	return []*protocol.CodeAction{action("Ignore "+f.Rule+" here, with a reason", protocol.QuickFix, edit)}
}

// sentence capitalizes a title, as editors do.
func sentence(title string) string {
	if title == "" {
		return title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}
