package protocol

import (
	"encoding/json"

	"go.lsp.dev/uri"
)

// CompletionList is the result of textDocument/completion.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// CompletionItem is a word that can be inserted.
type CompletionItem struct {
	Label         string             `json:"label"`
	Kind          CompletionItemKind `json:"kind"`
	Documentation string             `json:"documentation,omitzero"`
	FilterText    string             `json:"filterText"`
	TextEdit      TextEdit           `json:"textEdit"`
}

// CompletionItemKind is what a word stands for.
type CompletionItemKind int

// The kinds of words.
const (
	CompletionVariable   CompletionItemKind = 6
	CompletionModule     CompletionItemKind = 9
	CompletionProperty   CompletionItemKind = 10
	CompletionValue      CompletionItemKind = 12
	CompletionReference  CompletionItemKind = 18
	CompletionEnumMember CompletionItemKind = 20
)

// Hover is the result of textDocument/hover.
type Hover struct {
	Contents MarkupContent `json:"contents"`
	Range    Range         `json:"range"`
}

// MarkupContent is a text with markup.
type MarkupContent struct {
	Kind  string `json:"kind"` // "markdown"
	Value string `json:"value"`
}

// DocumentLink is a text that names a file.
type DocumentLink struct {
	Range  Range   `json:"range"`
	Target uri.URI `json:"target"`
}

// DocumentSymbol is a part of a document's outline.
type DocumentSymbol struct {
	Name           string           `json:"name"`
	Kind           SymbolKind       `json:"kind"`
	Range          Range            `json:"range"`
	SelectionRange Range            `json:"selectionRange"`
	Children       []DocumentSymbol `json:"children,omitzero"`
}

// SymbolKind is the kind of a value.
type SymbolKind int

// The kinds of values.
const (
	SymbolString  SymbolKind = 15
	SymbolNumber  SymbolKind = 16
	SymbolBoolean SymbolKind = 17
	SymbolArray   SymbolKind = 18
	SymbolObject  SymbolKind = 19
	SymbolNull    SymbolKind = 21
)

// CodeLens is a line shown above a range.
type CodeLens struct {
	Range   Range   `json:"range"`
	Command Command `json:"command"`
}

// Command is something that the editor can do.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitzero"`
}
