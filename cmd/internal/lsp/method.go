package lsp

import (
	"encoding/json"

	"github.com/amlfix/amlfix/cmd/internal/lsp/jsonrpc"
)

// method answers one kind of request or handles one kind of notification, given its raw parameters. It is called with
// the state locked.
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
				return nil, failed(jsonrpc.InvalidParams, "the parameters cannot be read")
			}
		}
		result, err := answer(s, params)
		return result, err
	}
}

// none is the result of notifications.
type none = any

var errCancelled = &jsonrpc.Error{Code: jsonrpc.RequestCancelled, Message: "the request was cancelled"}

// failed returns the error with which a request is answered.
func failed(code int, message string) error { return &jsonrpc.Error{Code: code, Message: message} }

// handle handles a message. Notifications and the first and last requests are handled in order; other requests let
// later messages in, so that they can be cancelled while they wait.
func (s *Server) handle(m jsonrpc.Message) {
	if m.Method == "$/cancelRequest" {
		s.cancel(m.Params)
		return
	}
	answer := methods(m.Method)
	if answer == nil {
		if m.IsCall() && !isOptional(m.Method) {
			_ = s.out.Answer(m.ID, nil, failed(jsonrpc.MethodNotFound, "amlfix does not know "+m.Method))
		} else if m.IsCall() {
			_ = s.out.Answer(m.ID, nil, nil)
		}
		return
	}
	if !m.IsCall() {
		_, _ = s.answer(m, answer)
		return
	}
	s.waiting.Store(string(m.ID), false)
	reply := func() {
		result, err := s.answer(m, answer)
		_ = s.out.Answer(m.ID, result, err)
	}
	if m.Method == "initialize" || m.Method == "shutdown" {
		reply()
	} else {
		s.answers.Go(reply)
	}
}

// answer calls a method when it is its turn.
func (s *Server) answer(m jsonrpc.Message, call method) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.given(string(m.ID)) {
		return nil, errCancelled
	}
	return s.guarded(m.Method, func() (any, error) { return call(s, m.Params) })
}

// isOptional reports whether a server may ignore a method.
func isOptional(name string) bool { return len(name) > 2 && name[:2] == "$/" }

// given ends a request's wait, and reports whether it was cancelled in the meantime.
func (s *Server) given(id string) bool {
	cancelled, _ := s.waiting.LoadAndDelete(id)
	return cancelled == true
}

// cancel handles a request's cancellation, which may come too late.
func (s *Server) cancel(params []byte) {
	var request struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(params, &request) == nil {
		s.waiting.CompareAndSwap(string(request.ID), false, true)
	}
}
