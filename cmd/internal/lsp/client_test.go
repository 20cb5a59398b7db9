package lsp

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/amlfix/amlfix/cmd/internal/check"
	own "github.com/amlfix/amlfix/cmd/internal/lsp/protocol"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// editor is the client of a server in this process.
type editor struct {
	t      testing.TB
	dir    string
	conn   jsonrpc2.Conn
	server *Server

	mu    sync.Mutex
	shown map[string]published // by path relative to dir
}

// published is what the server last showed for a file.
type published struct {
	version int32
	list    []protocol.Diagnostic
}

// sees lists the capabilities of the tests' editor; "pull" makes it request diagnostics.
const sees = `{"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]}}, "textDocument": {"publishDiagnostics": {"relatedInformation": true}}}`

const pull = `{"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename"]}}, "textDocument": {"diagnostic": {}}}`

// edit starts a server for a folder and connects an editor with these capabilities.
func edit(t testing.TB, dir, capabilities string) *editor {
	t.Helper()
	e := &editor{t: t, dir: schema.Identity(dir), shown: map[string]published{}}
	server := New(check.Engine{Now: func() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }})
	e.server = server
	server.Log = func(line string) { t.Error(line) }
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan bool)
	go func() { ended <- server.Serve(context.Background(), fromClient, toClient) }()
	e.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(pipe{fromServer, toServer}), jsonrpc2.WithCodec(codec{}))
	e.conn.Go(context.Background(), e.take)
	e.ask("initialize", map[string]any{"rootUri": e.uri(""), "capabilities": protocol.LSPAny(capabilities)}, nil)
	e.tell("initialized", struct{}{})
	t.Cleanup(func() {
		e.ask("shutdown", nil, nil)
		e.tell("exit", nil)
		if !<-ended {
			t.Error("the server says that it was not asked to end")
		}
		_ = fromServer.Close()
	})
	return e
}

// take records what the server shows.
func (e *editor) take(_ context.Context, req *jsonrpc2.Request) (any, error) {
	var p protocol.PublishDiagnosticsParams
	if req.Method() == "textDocument/publishDiagnostics" && json.Unmarshal(req.Params(), &p) == nil {
		version, _ := p.Version.Get()
		e.mu.Lock()
		defer e.mu.Unlock()
		e.shown[e.name(p.URI)] = published{version, p.Diagnostics}
	}
	return nil, nil
}

func (e *editor) uri(name string) uri.URI {
	return uri.File(filepath.Join(e.dir, filepath.FromSlash(name)))
}

func (e *editor) name(u uri.URI) string {
	rel, _ := filepath.Rel(e.dir, u.FsPath())
	return filepath.ToSlash(rel)
}

func (e *editor) ask(method string, params, result any) {
	e.t.Helper()
	if _, err := e.conn.Call(context.Background(), method, params, result); err != nil {
		e.t.Errorf("%s: %v", method, err)
	}
}

func (e *editor) tell(method string, params any) {
	e.t.Helper()
	testkit.OK(e.t, e.conn.Notify(context.Background(), method, params))
}

func (e *editor) open(name, text string) {
	e.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.uri(name), "languageId": "yaml", "version": 1, "text": text}})
}

// openAll opens all files below the folder that the server supports.
func (e *editor) openAll() {
	files := testkit.Contents(e.t, e.dir)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		e.open(name, files[name])
	}
}

func (e *editor) change(name string, version int, text string) {
	e.tell("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name), "version": version}, "contentChanges": []any{map[string]any{"text": text}},
	})
}

// await waits until the right findings are shown.
func (e *editor) await(what string, so func(shown map[string]published) bool) {
	e.t.Helper()
	testkit.Until(e.t, what, func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return so(e.shown)
	})
}

// awaitCodes waits until a version of a file has findings of these rules.
func (e *editor) awaitCodes(name string, version int32, codes ...string) {
	e.t.Helper()
	e.await(name+" to show its findings", func(shown map[string]published) bool {
		return shown[name].version == version && slices.Equal(codesOf(shown[name].list), codes)
	})
}

func codesOf(list []protocol.Diagnostic) (codes []string) {
	for _, d := range list {
		code, _ := d.Code.(protocol.String)
		codes = append(codes, string(code))
	}
	slices.Sort(codes)
	return codes
}

// actions requests all actions anywhere in a file.
func (e *editor) actions(name string, only ...string) (list []protocol.CodeAction) {
	e.t.Helper()
	context := map[string]any{"diagnostics": []any{}}
	if len(only) > 0 {
		context["only"] = only
	}
	e.ask("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name)}, "context": context,
		"range": protocol.Range{End: protocol.Position{Line: 1 << 20}},
	}, &list)
	return list
}

// applied returns files after an edit, by path relative to the folder.
func (e *editor) applied(files map[string]string, w *protocol.WorkspaceEdit) map[string]string {
	e.t.Helper()
	out := maps.Clone(files)
	for _, change := range w.DocumentChanges {
		switch c := change.(type) {
		case *protocol.CreateFile:
			out[e.name(c.URI)] = ""
		case *protocol.RenameFile:
			out[e.name(c.NewURI)] = out[e.name(c.OldURI)]
			delete(out, e.name(c.OldURI))
		case *protocol.TextDocumentEdit:
			name := e.name(c.TextDocument.URI)
			text := []byte(out[name])
			grid := (&Server{buffers: map[string]*buffer{}}).grid(name, text)
			for _, element := range slices.Backward(c.Edits) { // they are in order
				one := element.(*protocol.TextEdit)
				at := grid.spanned(rangeOf(one.Range))
				text = slices.Concat(text[:at.Start], []byte(one.NewText), text[at.End:])
			}
			out[name] = string(text)
		}
	}
	return out
}

// pipe is an editor's connection to the server.
type pipe struct {
	io.Reader
	io.WriteCloser
}

// codec reads the server's messages with a library that has all types of the protocol, and is strict.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		return raw, nil
	}
	return json.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append(jsonrpc2.RawMessage(nil), data...)
		return nil
	}
	return json.Unmarshal(data, v)
}

// rangeOf converts a range of the editor.
func rangeOf(r protocol.Range) own.Range {
	return own.Range{Start: own.Position(r.Start), End: own.Position(r.End)}
}
