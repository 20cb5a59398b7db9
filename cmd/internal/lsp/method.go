package lsp

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// method answers one kind of request or handles one kind of notification, given its raw parameters. It is called with the
// state locked.
type method func(s *Server, params []byte) (any, error)

// methods returns the method called name, or nil if the server does not support it.
func methods(name string) method {
	switch name {
	case "initialize":
		return with((*Server).initialize)
	case "initialized":
		return with((*Server).initialized)
	case "shutdown":
		return with((*Server).shutdown)
	case "textDocument/didOpen":
		return with((*Server).didOpen)
	case "textDocument/didChange":
		return with((*Server).didChange)
	case "textDocument/didSave":
		return with((*Server).didSave)
	case "textDocument/didClose":
		return with((*Server).didClose)
	case "workspace/didChangeWatchedFiles":
		return with((*Server).didChangeFiles)
	case "workspace/didChangeWorkspaceFolders":
		return with((*Server).didChangeFolders)
	case "textDocument/diagnostic":
		return with((*Server).diagnostic)
	case "textDocument/codeAction":
		return with((*Server).codeAction)
	case "textDocument/hover":
		return with((*Server).hover)
	case "textDocument/completion":
		return with((*Server).completion)
	case "textDocument/definition":
		return with((*Server).definition)
	case "textDocument/references":
		return with((*Server).references)
	case "textDocument/documentLink":
		return with((*Server).documentLink)
	case "textDocument/documentSymbol":
		return with((*Server).documentSymbol)
	case "textDocument/codeLens":
		return with((*Server).codeLens)
	case "textDocument/prepareRename":
		return with((*Server).prepareRename)
	case "textDocument/rename":
		return with((*Server).rename)
	}
	return nil
}

// with turns a function with typed parameters into a method.
func with[P, R any](answer func(*Server, *P) (R, error)) method {
	return func(s *Server, raw []byte) (any, error) {
		params := new(P)
		if len(raw) > 0 && string(raw) != "null" {
			if err := json.Unmarshal(raw, params); err != nil {
				return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the parameters cannot be read")
			}
		}
		result, err := answer(s, params)
		return result, err
	}
}

// none is the result of notifications.
type none = any

var errCancelled = jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled), "the request was cancelled")

// handle answers a request. Notifications are handled in order; a request lets later messages in, so that it can be
// cancelled while it waits.
func (s *Server) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	name := strings.Clone(req.Method()) // the connection reuses its memory
	if name == "exit" {
		go func() { _ = s.conn.Close() }()
		return nil, nil
	}
	if name == "$/cancelRequest" {
		s.cancel(req.Params())
		return nil, nil
	}
	answer := methods(name)
	if answer == nil {
		if !req.IsCall() || isOptional(name) {
			return nil, nil
		}
		return nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, "amlfix does not know "+name)
	}
	waiting := s.await(req)
	if req.IsCall() && name != "initialize" && name != "shutdown" {
		jsonrpc2.Async(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.given(waiting) {
		return nil, errCancelled
	}
	result, err := s.guarded(name, func() (any, error) { return answer(s, req.Params()) })
	if !req.IsCall() {
		return nil, nil // an error would end the connection
	}
	return result, err
}

// isOptional reports whether a server may ignore a method.
func isOptional(name string) bool { return len(name) > 2 && name[:2] == "$/" }

// await records that a request waits for its turn, under its ID.
func (s *Server) await(req *jsonrpc2.Request) (id string) {
	if !req.IsCall() {
		return ""
	}
	id = fmt.Sprint(req.ID())
	s.waiting.Store(id, false)
	return id
}

// given ends a request's wait, and reports whether it was cancelled in the meantime.
func (s *Server) given(id string) bool {
	cancelled, _ := s.waiting.LoadAndDelete(id)
	return cancelled == true
}

// cancel handles a request's cancellation, which may come too late.
func (s *Server) cancel(params []byte) {
	var request struct {
		ID any `json:"id"`
	}
	if err := json.Unmarshal(params, &request); err != nil {
		return
	}
	switch id := request.ID.(type) {
	case float64:
		s.waiting.CompareAndSwap(fmt.Sprint(jsonrpc2.NewNumberID(int64(id))), false, true)
	case string:
		s.waiting.CompareAndSwap(fmt.Sprint(jsonrpc2.NewStringID(id)), false, true)
	}
}

// codec encodes and decodes the content of messages.
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
