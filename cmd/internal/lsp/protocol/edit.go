package protocol

import "go.lsp.dev/uri"

// CodeAction is a change that the editor offers.
type CodeAction struct {
	Title       string         `json:"title"`
	Kind        CodeActionKind `json:"kind"`
	IsPreferred bool           `json:"isPreferred,omitzero"`
	Edit        *WorkspaceEdit `json:"edit,omitzero"`
}

// CodeActionKind is a kind of changes; a point separates it from the more general one.
type CodeActionKind string

// QuickFix is the kind of what repairs a finding.
const QuickFix CodeActionKind = "quickfix"

// WorkspaceEdit is a change of several files: either Changes, or DocumentChanges for editors that know versions.
type WorkspaceEdit struct {
	Changes         map[uri.URI][]TextEdit `json:"changes,omitzero"`
	DocumentChanges []DocumentChange       `json:"documentChanges,omitzero"`
}

// TextEdit replaces a range.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// DocumentChange is one step of a change: a *DocumentEdit, *CreateFile or *RenameFile.
type DocumentChange any

// DocumentEdit changes a document. Its version is nil if it is not open.
type DocumentEdit struct {
	TextDocument struct {
		URI     uri.URI `json:"uri"`
		Version *int32  `json:"version"`
	} `json:"textDocument"`
	Edits []TextEdit `json:"edits"`
}

// CreateFile creates a file.
type CreateFile struct {
	Kind string  `json:"kind"` // "create"
	URI  uri.URI `json:"uri"`
}

// RenameFile renames a file.
type RenameFile struct {
	Kind   string  `json:"kind"` // "rename"
	OldURI uri.URI `json:"oldUri"`
	NewURI uri.URI `json:"newUri"`
}
