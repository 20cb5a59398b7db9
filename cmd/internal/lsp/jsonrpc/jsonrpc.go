// Package jsonrpc reads and writes messages of JSON-RPC 2.0 as the language server protocol frames them.
package jsonrpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// Message is a request, a notification or an answer.
type Message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// IsCall reports whether the sender waits for an answer.
func (m Message) IsCall() bool { return m.Method != "" && len(m.ID) > 0 && string(m.ID) != "null" }

var errNoMessage = errors.New("what was sent is not a JSON-RPC 2.0 message")

// Read reads the next message; its error is io.EOF if there is none.
func Read(r *bufio.Reader) (m Message, err error) {
	size, err := readHeader(r)
	if err != nil {
		return m, err
	}
	text, err := io.ReadAll(io.LimitReader(r, size)) // grows as the text comes, whatever the header announces
	if err != nil {
		return m, fmt.Errorf("reading a message: %w", err)
	}
	if int64(len(text)) < size {
		return m, io.ErrUnexpectedEOF
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Version != "2.0" || m.Method == "" && len(m.ID) == 0 {
		return m, errNoMessage // without the library's error, which quotes the message
	}
	return m, nil
}

// readHeader reads the lines in front of a message, and returns the message's size.
func readHeader(r *bufio.Reader) (size int64, err error) {
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && first && len(line) == 0:
			return 0, io.EOF
		case err != nil:
			return 0, errNoMessage
		}
		field := strings.TrimRight(string(line), "\r\n")
		if field == "" && size > 0 {
			return size, nil
		}
		name, value, ok := strings.Cut(field, ":")
		if !ok {
			return 0, errNoMessage
		}
		if strings.EqualFold(name, "Content-Length") {
			if size, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || size <= 0 {
				return 0, errNoMessage
			}
		}
	}
}

// Writer writes messages, each as a whole.
type Writer struct {
	mu    sync.Mutex
	out   io.Writer
	calls int
}

// NewWriter returns a writer to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Notify sends a notification.
func (w *Writer) Notify(method string, params any) error {
	return w.write(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Call sends a request whose answer does not matter.
func (w *Writer) Call(method string, params any) error {
	w.mu.Lock()
	w.calls++
	call := map[string]any{"jsonrpc": "2.0", "id": w.calls, "method": method}
	w.mu.Unlock()
	if params != nil {
		call["params"] = params
	}
	return w.write(call)
}

// Answer answers a request: with the error, if it is not nil.
func (w *Writer) Answer(id json.RawMessage, result any, err error) error {
	answer := map[string]any{"jsonrpc": "2.0", "id": id}
	if err != nil {
		answer["error"] = asError(err)
	} else {
		answer["result"] = result
	}
	return w.write(answer)
}

func (w *Writer) write(message map[string]any) error {
	text, err := Marshal(message)
	if err != nil {
		return err
	}
	framed := append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(text)), text...)
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.out.Write(framed)
	return err
}

// Marshal encodes a value, with the characters of HTML as they are.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding a message: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
