package jsonrpc

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestRead(t *testing.T) {
	t.Parallel()
	framed := func(header, text string) string { return header + "\r\n\r\n" + text }
	for _, c := range []struct {
		sent, method string
		isCall       bool
		err          error
	}{
		{sent: framed("Content-Length: 45", `{"jsonrpc": "2.0", "id": 1, "method": "call"}`), method: "call", isCall: true},
		{sent: framed("content-length:37\r\nContent-Type: x", `{"jsonrpc": "2.0", "method": "notify"}`), err: errNoMessage},
		{sent: framed("content-length:38\r\nContent-Type: x", `{"jsonrpc": "2.0", "method": "notify"}`), method: "notify"},
		{sent: framed("Content-Length: 43", `{"jsonrpc": "2.0", "id": 1, "result": null}`)},
		{sent: "", err: io.EOF},
		{sent: "Content-Length: 2\r\n", err: errNoMessage},
		{sent: framed("Content-Length: 900000000000", "{}"), err: io.ErrUnexpectedEOF},
		{sent: framed("Content-Length: -1", "{}"), err: errNoMessage},
		{sent: framed("Content-Length: 2", "{}"), err: errNoMessage},
		{sent: framed("Content-Length: 2", "[]"), err: errNoMessage},
		{sent: strings.Repeat("x", 1<<20), err: errNoMessage},
	} {
		m, err := Read(bufio.NewReader(strings.NewReader(c.sent)))
		if !errors.Is(err, c.err) {
			t.Errorf("%.60q: %v, want %v", c.sent, err, c.err)
		}
		if err == nil {
			testkit.Same(t, []any{c.method, c.isCall}, []any{m.Method, m.IsCall()}, c.sent)
		}
	}
}

// TestWrite compares what is written with the bytes that an editor reads.
func TestWrite(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	w := NewWriter(&b)
	testkit.OK(t, w.Notify("noted", map[string]any{"text": "<é>"}))
	testkit.OK(t, w.Call("asked", nil))
	testkit.OK(t, w.Answer([]byte(`"a"`), nil, nil))
	testkit.OK(t, w.Answer([]byte("7"), "unused", &Error{InvalidParams, "no"}))
	testkit.OK(t, w.Answer([]byte("8"), nil, errors.New("other")))
	testkit.Same(t, strings.Join([]string{
		`Content-Length: 59`, ``, `{"jsonrpc":"2.0","method":"noted","params":{"text":"<é>"}}` + `Content-Length: 41`,
		``, `{"id":1,"jsonrpc":"2.0","method":"asked"}` + `Content-Length: 40`,
		``, `{"id":"a","jsonrpc":"2.0","result":null}` + `Content-Length: 63`,
		``, `{"error":{"code":-32602,"message":"no"},"id":7,"jsonrpc":"2.0"}` + `Content-Length: 66`,
		``, `{"error":{"code":-32603,"message":"other"},"id":8,"jsonrpc":"2.0"}`,
	}, "\r\n"), b.String())
}
