package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFailureIsAnswered makes a request fail in amlfix: it is answered with an error, one line is logged without the
// content of the request, and the server continues.
func TestFailureIsAnswered(t *testing.T) {
	var logged []string
	s := New(check.Engine{})
	s.Log = func(line string) { logged = append(logged, line) }
	_, err := s.guarded("textDocument/hover", func() (any, error) { panic("hunter2-Xq81") })
	if err == nil || strings.Contains(err.Error(), "hunter2") || len(logged) != 1 || strings.Contains(logged[0], "hunter2") {
		t.Errorf("%v, %q", err, logged)
	}
	if answer, err := s.guarded("textDocument/hover", func() (any, error) { return 1, nil }); err != nil || answer != 1 {
		t.Errorf("%v, %v", answer, err)
	}
}

// TestNotAMessage checks that an invalid message ends the server, which says why, and that an editor that disconnects
// causes no message.
func TestNotAMessage(t *testing.T) {
	for sent, want := range map[string]int{"Content-Length: 2\r\n\r\n{}": 1, "hunter2-Xq81\r\n\r\n": 1, "": 0} {
		var logged []string
		s := New(check.Engine{})
		s.Log = func(line string) { logged = append(logged, line) }
		if s.Serve(t.Context(), strings.NewReader(sent), io.Discard) || len(logged) != want || strings.Contains(strings.Join(logged, ""), "hunter2") {
			t.Errorf("%q: %q", sent, logged)
		}
	}
}

// TestBeforeInitialize checks that a request before the first one is refused with the protocol's code for it, and that
// a notification is dropped.
func TestBeforeInitialize(t *testing.T) {
	var sent strings.Builder
	for _, m := range []string{
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.yml","text":"a: 1"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"no/such"}`,
		`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","id":4,"method":"no/such"}`,
	} {
		fmt.Fprintf(&sent, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	var out bytes.Buffer
	s := New(check.Engine{})
	s.Serve(t.Context(), strings.NewReader(sent.String()), &out)
	var got []string
	for text := range strings.SplitSeq(out.String(), "Content-Length: ") {
		var answer struct {
			ID    int
			Error struct{ Code int }
		}
		if _, body, ok := strings.Cut(text, "\r\n\r\n"); ok {
			testkit.OK(t, json.Unmarshal([]byte(body), &answer))
			got = append(got, fmt.Sprintf("%d: %d", answer.ID, answer.Error.Code))
		}
	}
	testkit.Same(t, []string{"1: -32002", "2: -32002", "3: 0", "4: -32601"}, got)
	if len(s.buffers) != 0 {
		t.Error("a file was opened")
	}
}
