package lsp

import (
	"encoding/json"

	"github.com/amlfix/amlfix/cmd/internal/lsp/jsonrpc"
	"github.com/amlfix/amlfix/schema/plain"
)

// method answers one kind of request or handles one kind of notification, given its raw parameters. It is called with
// the state locked.
type method func(s *Server, params []byte) (any, error)

// methods are the methods that the server supports, by name.
var methods = plain.Once[map[string]method]{Make: func() map[string]method {
	return map[string]method{
		"initialize":                          with((*Server).initialize),
		"initialized":                         with((*Server).initialized),
		"shutdown":                            with((*Server).shutdown),
		"textDocument/didOpen":                with((*Server).didOpen),
		"textDocument/didChange":              with((*Server).didChange),
		"textDocument/didSave":                with((*Server).didSave),
		"textDocument/didClose":               with((*Server).didClose),
		"workspace/didChangeWatchedFiles":     with((*Server).didChangeFiles),
		"workspace/didChangeWorkspaceFolders": with((*Server).didChangeFolders),
		"textDocument/diagnostic":             with((*Server).diagnostic),
		"textDocument/codeAction":             with((*Server).codeAction),
		"textDocument/hover":                  with((*Server).hover),
		"textDocument/completion":             with((*Server).completion),
		"textDocument/definition":             with((*Server).definition),
		"textDocument/references":             with((*Server).references),
		"textDocument/documentLink":           with((*Server).documentLink),
		"textDocument/documentSymbol":         with((*Server).documentSymbol),
		"textDocument/codeLens":               with((*Server).codeLens),
		"textDocument/prepareRename":          with((*Server).prepareRename),
		"textDocument/rename":                 with((*Server).rename),
	}
}}

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

// handle handles a message, once initialize has been requested. Notifications and the first and last requests are
// handled in order; other requests let later messages in, so that they can be cancelled while they wait.
func (s *Server) handle(m jsonrpc.Message) {
	if m.Method == "$/cancelRequest" {
		s.cancel(m.Params)
		return
	}
	if m.Method == "initialize" {
		s.begun = true
	} else if !s.begun {
		if m.IsCall() {
			_ = s.out.Answer(m.ID, nil, failed(jsonrpc.ServerNotInitialized, "the first request must be initialize"))
		}
		return
	}
	answer := methods.Get()[m.Method]
	if answer == nil {
		if m.IsCall() {
			_ = s.out.Answer(m.ID, nil, failed(jsonrpc.MethodNotFound, "amlfix does not know "+m.Method))
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
	if cancelled, _ := s.waiting.LoadAndDelete(string(m.ID)); cancelled == true {
		return nil, errCancelled
	}
	return s.guarded(m.Method, func() (any, error) { return call(s, m.Params) })
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
