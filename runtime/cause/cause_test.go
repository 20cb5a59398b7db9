package cause

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/amlfix/amlfix/schema/testkit"
)

// jargon lists what no reason may contain: calls, sockets and packages.
var jargon = []string{"dial ", "lookup ", "read tcp", "write tcp", "x509", "tls:", "ssh:", "EOF", "127.0.0.1", "syscall", "connect:"}

// TestRealReasons uses errors produced by the system and the library themselves.
func TestRealReasons(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	_ = closed.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.StartTLS()
	defer secure.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	defer func() { _ = silent.Close() }()

	get := func(url string) error {
		_, err := http.Get(url) //nolint:bodyclose // an error is expected
		return err
	}
	for _, tt := range []struct {
		name string
		err  func() error
		want string
	}{
		{"refused", func() error { _, err := net.Dial("tcp", closed.Addr().String()); return err }, "nothing is listening"},
		{"silent", func() error {
			c, err := net.Dial("tcp", silent.Addr().String())
			if err != nil {
				return err
			}
			defer func() { _ = c.Close() }()
			_ = c.SetDeadline(time.Now().Add(time.Millisecond))
			_, err = c.Read(make([]byte, 1))
			return err
		}, "no answer in time"},
		{"too late", func() error {
			ctx, cancel := context.WithTimeout(t.Context(), 0)
			defer cancel()
			_, err := (&net.Dialer{}).DialContext(ctx, "tcp", silent.Addr().String())
			return err
		}, "no answer in time"},
		{"own certificate", func() error { return get(secure.URL) }, "certificate is not signed by an authority"},
		{"no TLS", func() error { return get(strings.Replace(plain.URL, "http:", "https:", 1)) }, "without encryption"},
		{"no TLS, raw", func() error { _, err := tls.Dial("tcp", plain.Listener.Addr().String(), nil); return err }, "without encryption"},
		{"no name", func() error {
			return &net.DNSError{Err: "no such host", Name: "gpu.invalid", Server: "127.0.0.1:53", IsNotFound: true}
		}, "the name has no address"},
		{"no name server", func() error {
			return &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "i/o timeout", Name: "gpu", Server: "127.0.0.1:53", IsTimeout: true}}
		}, "the DNS server does not answer"},
		{"ended", func() error { return errors.New("ssh: handshake failed: " + io.EOF.Error()) }, "closed the connection"},
		{"a session's machine is gone", func() error { return fmt.Errorf("wait: %w", new(ssh.ExitMissingError)) }, "closed the connection"},
	} {
		err := tt.err()
		if err == nil {
			t.Errorf("%s: no error", tt.name)
			continue
		}
		got := Plain(err)
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		for _, j := range jargon {
			if strings.Contains(got, j) {
				t.Errorf("%s: %q has %q", tt.name, got, j)
			}
		}
	}
}

func TestPlainKeepsWhatItDoesNotKnow(t *testing.T) {
	for text, want := range map[string]string{
		"ssh: handshake failed: ssh: odd\n  thing": "odd thing",
		"known_hosts:3: bad key":                   "known_hosts:3: bad key",
		strings.Repeat("ü", most+1):                strings.Repeat("ü", most) + "…",
	} {
		testkit.Same(t, want, Plain(errors.New(text)))
	}
	if Plain(nil) != "" {
		t.Error("a reason without an error")
	}
}
