package lsp

import (
	"go.lsp.dev/uri"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/fixers"
)

// repairs returns the changes of all safe repairs in the projects of a file: the bytes that `amlfix --apply` writes.
func (s *Server) repairs(path string) []fixers.FileEdits {
	checker := s.engine.Checker(check.Options{Repair: true})
	texts := s.engine.Texts
	defer func() { s.engine.Texts = texts }()
	at, files := map[string]int{}, []fixers.FilePatch{}
	for _, p := range s.projects() {
		if !p.reads[path] {
			continue
		}
		result := checker.Check(s.engine.Again(p.root, s.found))
		if result.Err != nil || result.Patch == nil {
			continue
		}
		for _, f := range result.Patch.Files {
			i, known := at[f.Path]
			if !known {
				i = len(files)
				at[f.Path], files = i, append(files, f)
			}
			files[i].New = f.New
			s.setText(f.Path, f.New) // the next project's repair is based on this
		}
	}
	return check.Edits(files)
}

// workspaceEdit converts replacements in files to the editor's form. It returns nil if there are none, or if one is
// outside the workspace or cannot be made here.
func (s *Server) workspaceEdit(files []fixers.FileEdits) *protocol.WorkspaceEdit {
	edit := &protocol.WorkspaceEdit{}
	for _, f := range files {
		path := f.Source.Path
		if len(f.Edits) == 0 {
			continue
		}
		if len(s.folders) > 0 && !s.inside(path) || f.Creates && !s.client.creates {
			return nil
		}
		at := s.uriOf(path)
		if f.Creates {
			edit.DocumentChanges = append(edit.DocumentChanges, &protocol.CreateFile{Kind: "create", URI: at})
		}
		grid := s.grid(path, f.Source.Text)
		var list []protocol.TextEdit
		for _, e := range f.Edits {
			list = append(list, protocol.TextEdit{Range: grid.ranged(e.Span), NewText: e.New})
		}
		s.addEdits(edit, path, at, list)
	}
	if len(edit.Changes)+len(edit.DocumentChanges) == 0 {
		return nil
	}
	return edit
}

// addEdits adds the edits of a file, for the version for which they were made.
func (s *Server) addEdits(edit *protocol.WorkspaceEdit, path string, at uri.URI, list []protocol.TextEdit) {
	if !s.client.versions {
		if edit.Changes == nil {
			edit.Changes = map[uri.URI][]protocol.TextEdit{}
		}
		edit.Changes[at] = append(edit.Changes[at], list...)
		return
	}
	change := &protocol.DocumentEdit{}
	change.TextDocument.URI = at
	if d := s.buffers[path]; d != nil {
		change.TextDocument.Version = new(d.version)
	}
	change.Edits = list
	edit.DocumentChanges = append(edit.DocumentChanges, change)
}
