package lsp

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/lsp/jsonrpc"
	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/plain"
)

// renamable returns what can be renamed at a position: a compute target of the project, an input or an output, or a
// component or other asset that one of its files defines.
func (s *Server) renamable(at protocol.PositionParams) (*buffer, thing, bool) {
	d, list := s.thingsAt(at)
	for _, t := range list {
		if t.kind != "file" {
			return d, t, true
		}
	}
	return d, thing{}, false
}

func (s *Server) prepareRename(params *protocol.PositionParams) (*protocol.Range, error) {
	d, t, ok := s.renamable(*params)
	if !ok {
		return nil, nil
	}
	grid := s.grid(d.path, d.text)
	offset := grid.offset(params.Position)
	for _, l := range append(t.uses, t.home) {
		if l.path == d.path && l.at.End > 0 && holds(l.at, offset) {
			at := grid.ranged(l.at)
			return &at, nil
		}
	}
	return nil, nil
}

// plainName matches a name that needs no quotes in YAML and is a valid file name everywhere.
var plainName = plain.Regexp{Text: `^[A-Za-z_][A-Za-z0-9_-]*$`}

func (s *Server) rename(params *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	_, t, ok := s.renamable(params.PositionParams)
	if !ok {
		return nil, failed(jsonrpc.InvalidParams, "there is no compute target, input, output or asset of this project here")
	}
	if !plainName.Get().MatchString(params.NewName) {
		return nil, failed(jsonrpc.InvalidParams, "a name has letters, digits, _ and -, and begins with a letter")
	}
	switch {
	case t.elsewhere:
		return nil, failed(jsonrpc.InvalidParams, "the component that declares it is not in this project")
	case t.kind == "input" && strings.Contains(params.NewName, "-"):
		return nil, failed(jsonrpc.InvalidParams, "the name of an input or output has letters, digits and _ only")
	case slices.ContainsFunc(t.beside, func(n flow.Names) bool { return n.Has(params.NewName) }):
		return nil, failed(jsonrpc.InvalidParams, params.NewName+" is there already")
	}
	edit := &protocol.WorkspaceEdit{}
	byFile := map[string][]protocol.TextEdit{}
	var order []string
	all := slices.Concat(t.uses, []location{t.home})
	plain.SortFunc(all, func(a, b location) int { return cmp.Compare(a.at.Start, b.at.Start) })
	for _, l := range all {
		if len(s.folders) > 0 && !s.inside(l.path) {
			return nil, failed(jsonrpc.InvalidParams, "one of the files is outside of this workspace")
		}
		if l.at.End == 0 {
			continue
		}
		if byFile[l.path] == nil {
			order = append(order, l.path)
		}
		byFile[l.path] = append(byFile[l.path], protocol.TextEdit{Range: s.gridOf(l.path).ranged(l.at), NewText: params.NewName})
	}
	for _, path := range order {
		s.addEdits(edit, path, s.uriOf(path), byFile[path])
	}
	if t.kind == "target" {
		if !s.client.renames {
			return nil, failed(jsonrpc.InvalidParams, "this editor cannot rename the target's file, so rename it by hand")
		}
		to := filepath.Join(filepath.Dir(t.home.path), params.NewName+filepath.Ext(t.home.path))
		if _, err := os.Lstat(to); err == nil && !strings.EqualFold(to, t.home.path) {
			return nil, failed(jsonrpc.InvalidParams, params.NewName+" is there already")
		}
		edit.DocumentChanges = append(edit.DocumentChanges, &protocol.RenameFile{Kind: "rename", OldURI: s.uriOf(t.home.path), NewURI: s.uriOf(to)})
	}
	return edit, nil
}
