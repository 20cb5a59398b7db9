package lsp

import (
	"slices"

	"go.lsp.dev/uri"

	"github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/schema"
)

// client holds those of the editor's capabilities that matter here.
type client struct {
	utf8     bool // positions count bytes
	pulls    bool // it requests diagnostics
	refresh  bool // it requests them again when asked to
	versions bool // edits may name versions
	creates  bool // and create files
	renames  bool // and rename them
	watches  bool // it can watch files
	related  bool // it shows related positions of a diagnostic
}

// initializeParams are those parameters of "initialize" that matter here.
type initializeParams struct {
	RootURI          *uri.URI `json:"rootUri"`
	WorkspaceFolders []struct {
		URI uri.URI `json:"uri"`
	} `json:"workspaceFolders"`
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		TextDocument struct {
			Diagnostic         *struct{} `json:"diagnostic"`
			PublishDiagnostics struct {
				RelatedInformation bool `json:"relatedInformation"`
			} `json:"publishDiagnostics"`
		} `json:"textDocument"`
		Workspace struct {
			Diagnostics struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"diagnostics"`
			WorkspaceEdit struct {
				DocumentChanges    bool     `json:"documentChanges"`
				ResourceOperations []string `json:"resourceOperations"`
			} `json:"workspaceEdit"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

// folder is a folder of the workspace.
type folder struct {
	given    string // its path as written by the editor
	identity string
}

func (s *Server) addFolder(at uri.URI) {
	if path, ok := pathOf(at); ok {
		s.folders = append(s.folders, folder{path, schema.Identity(path)})
	}
}

func (s *Server) initialize(params *initializeParams) (*protocol.InitializeResult, error) {
	for _, f := range params.WorkspaceFolders {
		s.addFolder(f.URI)
	}
	if len(params.WorkspaceFolders) == 0 && params.RootURI != nil {
		s.addFolder(*params.RootURI)
	}
	if len(s.folders) > 0 {
		s.engine.Dir = s.folders[0].identity
	}
	c := params.Capabilities
	edits := c.Workspace.WorkspaceEdit
	s.client = client{
		utf8:     slices.Contains(c.General.PositionEncodings, "utf-8"),
		pulls:    c.TextDocument.Diagnostic != nil,
		refresh:  c.Workspace.Diagnostics.RefreshSupport,
		versions: edits.DocumentChanges,
		creates:  edits.DocumentChanges && slices.Contains(edits.ResourceOperations, "create"),
		renames:  edits.DocumentChanges && slices.Contains(edits.ResourceOperations, "rename"),
		watches:  c.Workspace.DidChangeWatchedFiles.DynamicRegistration,
		related:  c.TextDocument.PublishDiagnostics.RelatedInformation || c.TextDocument.Diagnostic != nil,
	}
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "amlfix", Version: s.Version},
	}, nil
}

func (s *Server) capabilities() (c protocol.ServerCapabilities) {
	c.PositionEncoding = "utf-16"
	if s.client.utf8 {
		c.PositionEncoding = "utf-8"
	}
	c.TextDocumentSync = protocol.TextDocumentSync{OpenClose: true, Change: protocol.Incremental, Save: true}
	c.CodeActionProvider = protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{protocol.QuickFix, fixAll}}
	c.HoverProvider = true
	c.CompletionProvider = protocol.CompletionOptions{TriggerCharacters: []string{":", " ", ".", "{", "-"}}
	c.DefinitionProvider = true
	c.ReferencesProvider = true
	c.DocumentSymbolProvider = true
	c.RenameProvider = protocol.RenameOptions{PrepareProvider: true}
	if s.client.pulls {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true}
	}
	c.Workspace.WorkspaceFolders.Supported, c.Workspace.WorkspaceFolders.ChangeNotifications = true, true
	return c
}

// watched matches the files for which the editor should report changes on disk.
const watched = "**/{*.compute,*.runconfig,*.yml,*.yaml,*.json,*.py,*Dockerfile*,requirements*.txt,.amlfix.yaml}"

func (s *Server) initialized(*struct{}) (none, error) {
	if !s.client.watches {
		return nil, nil
	}
	params := map[string]any{"registrations": []any{map[string]any{
		"id": "amlfix-files", "method": "workspace/didChangeWatchedFiles",
		"registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": watched}}},
	}}}
	_ = s.out.Call("client/registerCapability", params)
	return nil, nil
}

func (s *Server) shutdown(*struct{}) (none, error) {
	s.ending.Store(true)
	return nil, nil
}

func (s *Server) didChangeFolders(params *protocol.DidChangeFoldersParams) (none, error) {
	for _, gone := range params.Event.Removed {
		if path, ok := pathOf(gone.URI); ok {
			s.folders = slices.DeleteFunc(s.folders, func(f folder) bool { return f.given == path })
		}
	}
	for _, added := range params.Event.Added {
		s.addFolder(added.URI)
	}
	s.rediscover()
	return nil, nil
}
