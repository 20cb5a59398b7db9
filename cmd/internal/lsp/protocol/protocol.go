// Package protocol has those messages of the language server protocol 3.17 that amlfix reads and writes, with those of
// their fields that it uses. Tests read them with the types of go.lsp.dev/protocol, which makes a program 2 MB larger.
package protocol

import "go.lsp.dev/uri"

// Position is a place between two characters, counted from 0.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Range is a part of a document.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a part of a file.
type Location struct {
	URI   uri.URI `json:"uri"`
	Range Range   `json:"range"`
}

// Document names a document.
type Document struct {
	URI uri.URI `json:"uri"`
}

// DocumentParams are the parameters of what concerns a whole document.
type DocumentParams struct {
	TextDocument Document `json:"textDocument"`
}

// PositionParams are the parameters of requests about a position.
type PositionParams struct {
	TextDocument Document `json:"textDocument"`
	Position     Position `json:"position"`
}

// ReferenceParams are those of textDocument/references.
type ReferenceParams struct {
	PositionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// RenameParams are those of textDocument/rename.
type RenameParams struct {
	PositionParams
	NewName string `json:"newName"`
}

// CodeActionParams are those of textDocument/codeAction.
type CodeActionParams struct {
	TextDocument Document `json:"textDocument"`
	Range        Range    `json:"range"`
	Context      struct {
		Only []CodeActionKind `json:"only"`
	} `json:"context"`
}

// DidOpenParams are those of textDocument/didOpen.
type DidOpenParams struct {
	TextDocument struct {
		URI     uri.URI `json:"uri"`
		Version int32   `json:"version"`
		Text    string  `json:"text"`
	} `json:"textDocument"`
}

// DidChangeParams are those of textDocument/didChange. A change without a range replaces the whole text.
type DidChangeParams struct {
	TextDocument struct {
		URI     uri.URI `json:"uri"`
		Version int32   `json:"version"`
	} `json:"textDocument"`
	ContentChanges []struct {
		Range *Range `json:"range"`
		Text  string `json:"text"`
	} `json:"contentChanges"`
}

// DidChangeFilesParams are those of workspace/didChangeWatchedFiles.
type DidChangeFilesParams struct {
	Changes []struct {
		URI  uri.URI        `json:"uri"`
		Type FileChangeType `json:"type"`
	} `json:"changes"`
}

// FileChangeType is what happened to a file.
type FileChangeType int

// FileChanged says that a file has a new text; others say that it came or went.
const FileChanged FileChangeType = 2

// DidChangeFoldersParams are those of workspace/didChangeWorkspaceFolders.
type DidChangeFoldersParams struct {
	Event struct {
		Added   []Document `json:"added"`
		Removed []Document `json:"removed"`
	} `json:"event"`
}
