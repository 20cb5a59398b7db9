package jsonrpc

import "errors"

// Error is why a request was not answered.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// The codes of errors: those of JSON-RPC, and two of the language server protocol.
const (
	ServerNotInitialized = -32002
	MethodNotFound       = -32601
	InvalidParams        = -32602
	InternalError        = -32603
	RequestCancelled     = -32800
)

// asError returns an error in the form in which it is sent.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{InternalError, err.Error()}
}
