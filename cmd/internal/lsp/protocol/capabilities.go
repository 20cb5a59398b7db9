package protocol

// InitializeResult is the result of initialize.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   ServerInfo         `json:"serverInfo"`
}

// ServerInfo names the server.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ServerCapabilities say what the server can do.
type ServerCapabilities struct {
	PositionEncoding       string             `json:"positionEncoding"`
	TextDocumentSync       TextDocumentSync   `json:"textDocumentSync"`
	CompletionProvider     CompletionOptions  `json:"completionProvider"`
	HoverProvider          bool               `json:"hoverProvider"`
	DefinitionProvider     bool               `json:"definitionProvider"`
	ReferencesProvider     bool               `json:"referencesProvider"`
	DocumentSymbolProvider bool               `json:"documentSymbolProvider"`
	CodeActionProvider     CodeActionOptions  `json:"codeActionProvider"`
	CodeLensProvider       struct{}           `json:"codeLensProvider"`
	DocumentLinkProvider   struct{}           `json:"documentLinkProvider"`
	RenameProvider         RenameOptions      `json:"renameProvider"`
	DiagnosticProvider     *DiagnosticOptions `json:"diagnosticProvider,omitzero"`
	Workspace              WorkspaceOptions   `json:"workspace"`
}

// TextDocumentSync says which changes of documents the server wants to know.
type TextDocumentSync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

// Incremental is the value of Change with which editors send only what has changed.
const Incremental = 2

// CompletionOptions names the characters after which the editor requests words.
type CompletionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

// CodeActionOptions names the kinds of actions that the server has.
type CodeActionOptions struct {
	CodeActionKinds []CodeActionKind `json:"codeActionKinds"`
}

// RenameOptions says that the server is asked what can be renamed.
type RenameOptions struct {
	PrepareProvider bool `json:"prepareProvider"`
}

// DiagnosticOptions says which findings the server has when asked.
type DiagnosticOptions struct {
	InterFileDependencies bool `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool `json:"workspaceDiagnostics"`
}

// WorkspaceOptions says that the server follows changes of the workspace's folders.
type WorkspaceOptions struct {
	WorkspaceFolders struct {
		Supported           bool `json:"supported"`
		ChangeNotifications bool `json:"changeNotifications"`
	} `json:"workspaceFolders"`
}
