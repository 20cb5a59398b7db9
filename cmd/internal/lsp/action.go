package lsp

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
)

// fixAll is the kind of the action that makes all safe repairs in a file's projects.
const fixAll protocol.CodeActionKind = "source.fixAll.amlfix"

// mostOffered is the number of findings that get actions at once: an editor asks for those of all selected text, and
// each is proved.
const mostOffered = 20

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
		edits := report.Previews(p.result.Project, p.result.All)
		resolver := &report.Resolver{Dir: s.engine.Dir, Project: p.root.Dir}
		left := mostOffered
		for _, f := range p.findings() {
			if f.Source.Path == d.path && at.Start <= f.Span.End && f.Span.Start <= at.End && left > 0 { // at may be only a cursor
				left--
				shown := resolver.Finding(f)
				for _, way := range p.root.Ways(p.result, f, shown.Fix, edits) {
					actions = s.add(actions, way.Title, shown.Line, protocol.QuickFix, way.Files, way.Safe)
				}
				actions = s.ignore(actions, p, f)
			}
		}
	}
	if wanted(params.Context.Only, fixAll) {
		actions = s.add(actions, "Make all safe repairs in this project (amlfix)", 0, fixAll, s.repairs(d.path), false)
	}
	return actions, nil
}

// wanted reports whether an editor that requests certain kinds of actions, or all of them, wants one of this kind.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return kind == k || strings.HasPrefix(string(kind), string(k)+".")
	})
}

// add adds an action for a line that changes files, if the editor can make it. Several projects may offer the same one;
// the title of one that only looks the same says for which line it is.
func (s *Server) add(actions []*protocol.CodeAction, title string, line int, kind protocol.CodeActionKind, files []fixers.FileEdits, preferred bool) []*protocol.CodeAction {
	one := &protocol.CodeAction{Title: escape.Terminal(title), Kind: kind, Edit: s.workspaceEdit(files), IsPreferred: preferred}
	same := func(a *protocol.CodeAction) bool { return a.Title == one.Title }
	if slices.ContainsFunc(actions, same) {
		if slices.ContainsFunc(actions, func(a *protocol.CodeAction) bool { return reflect.DeepEqual(a.Edit, one.Edit) }) {
			return actions
		}
		one.Title += fmt.Sprintf(" (line %d)", line)
	}
	if one.Edit == nil || slices.ContainsFunc(actions, same) {
		return actions
	}
	return append(actions, one)
}

// ignore adds the action that adds a suppression comment above a finding.
func (s *Server) ignore(actions []*protocol.CodeAction, p *project, f finding.Finding) []*protocol.CodeAction {
	title := "Ignore " + f.Rule + " here, with a reason"
	if slices.ContainsFunc(actions, func(a *protocol.CodeAction) bool { return a.Title == title }) {
		return actions // for one line at a time
	}
	files, err := s.engine.Checker(check.Options{Ignores: &check.Ignores{Reason: "TODO: say why"}}).Comment(p.root, p.result.Project, f)
	if err != nil {
		return actions
	}
	return s.add(actions, title, 0, protocol.QuickFix, files, false)
}
