package lsp

import (
	"io"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/check"
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
