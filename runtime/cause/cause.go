// Package cause explains in plain words why systems and libraries report a failure.
package cause

import (
	"errors"
	"net"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// most is how many characters of an unrecognized message are shown.
const most = 200

// phrases recognizes the messages of Go's net, crypto and x/crypto packages, and of engines and registries written in
// Go, whose error types are not sent along. The first match counts.
var phrases = []struct{ says, plain string }{
	{"no such host", "the name has no address"},
	{"server misbehaving", "the DNS server gives no usable answer"},
	{"TLS handshake timeout", "no answer in time"},
	{"Client.Timeout exceeded", "no answer in time"},
	{"i/o timeout", "no answer in time"},
	{"deadline exceeded", "no answer in time"},
	{"connection timed out", "no answer in time"},
	{"connection refused", "connection refused: nothing is listening on that port"},
	{"connection reset by peer", "the other side closed the connection"},
	{"without exit status or exit signal", "the other side closed the connection"}, // of an SSH session
	{"broken pipe", "the other side closed the connection"},
	{"use of closed network connection", "the connection was closed"},
	{"no route to host", "no route to that machine"},
	{"network is unreachable", "there is no route to it from this network"},
	{"signed by unknown authority", "its certificate is not signed by an authority that this computer trusts"},
	{"certificate has expired", "its certificate has expired, or a clock is wrong"},
	{"certificate is valid for", "its certificate is for another name"},
	{"doesn't contain any IP SANs", "its certificate is for another name"},
	{"server gave HTTP response to HTTPS client", "it answers without encryption"},
	{"first record does not look like a TLS handshake", "it answers without encryption"},
	{"overflow reading version string", "it does not answer as an SSH server"},
	{"no common algorithm", "the two sides support no common encryption algorithm"},
}

// Plain returns why something failed, on one line: in this package's words if it knows the reason, otherwise in the
// error's words without the names of the failed calls. It returns an empty string if err is nil.
func Plain(err error) string {
	if err == nil {
		return ""
	}
	if text, ok := Known(err.Error()); ok {
		if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsTimeout {
			return "the DNS server does not answer"
		}
		return text
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	for _, call := range []string{"ssh: ", "handshake failed: ", "ssh: "} {
		text = strings.TrimPrefix(text, call)
	}
	if text == "EOF" || text == "unexpected EOF" {
		return "the other side closed the connection"
	}
	return escape.Said(text, most)
}

// Known searches a message for a reason that this package knows. ok is false if there is none.
func Known(said string) (plain string, ok bool) {
	for _, p := range phrases {
		if strings.Contains(said, p.says) {
			return p.plain, true
		}
	}
	return "", false
}
