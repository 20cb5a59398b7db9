// Package cause puts the reasons that systems and libraries give for a failure into plain words.
package cause

import (
	"errors"
	"net"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// most is how many characters of words that are not known here are shown.
const most = 200

// phrases tells reasons by what Go's net, crypto and x/crypto packages say, and engines and registries written in Go;
// their types do not travel in an answer. The first that is found counts.
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

// Plain says why something failed: in words of this package where it knows the reason, else in those of the error, on
// one line and without the names of the calls that failed. It is empty when err is nil.
func Plain(err error) string {
	if err == nil {
		return ""
	}
	if text, ok := Known(err.Error()); ok {
		var dns *net.DNSError
		if errors.As(err, &dns) && dns.IsTimeout {
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

// Known looks for a reason that this package knows in what somebody said. ok is false when there is none.
func Known(said string) (plain string, ok bool) {
	for _, p := range phrases {
		if strings.Contains(said, p.says) {
			return p.plain, true
		}
	}
	return "", false
}
