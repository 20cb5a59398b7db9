package prepare

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

// Trouble is what the tools' output says about the machine rather than about the packages.
type Trouble int

// The kinds of trouble; of two, the greater one explains more.
const (
	NoTrouble     Trouble = iota
	Unreachable           // the package index, or the proxy
	Untrusted             // the certificate of the index or of a proxy
	NoAuthorities         // the file of trusted certificates is missing
	FullDisk
)

// sayings are words of the system, pip and conda, in lower case.
var sayings = []struct {
	words   []byte
	trouble Trouble
}{
	{[]byte("no space left on device"), FullDisk},
	{[]byte("could not find a suitable tls ca"), NoAuthorities}, // requests, in pip and conda
	{[]byte("certificate_verify_failed"), Untrusted},
	{[]byte("certificate verify failed"), Untrusted},
	{[]byte("confirming the ssl certificate"), Untrusted},
	{[]byte("ssl certificate problem"), Untrusted}, // libmamba
	{[]byte("connection broken by"), Unreachable},
	{[]byte("failed to establish a new connection"), Unreachable},
	{[]byte("http 000 connection failed"), Unreachable}, // conda
	{[]byte("could not resolve host"), Unreachable},     // libmamba
	{[]byte("could not connect to server"), Unreachable},
	{[]byte("connection timed out"), Unreachable},
	{[]byte("read timed out"), Unreachable},
	{[]byte("downloading "), NoTrouble}, // a later attempt has succeeded
}

const longestSaying = 40

// listener searches the output of pip or conda for signs of trouble.
type listener struct {
	mu   sync.Mutex
	last []byte // the end of the output so far
	now  Trouble
}

// to returns a writer that also searches what goes to w.
func (l *listener) to(w io.Writer) io.Writer { return io.MultiWriter(w, l) }

// Write implements io.Writer; it never fails.
func (l *listener) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := slices.Concat(l.last, bytes.ToLower(p))
	for at := range text {
		for _, s := range sayings {
			switch {
			case !bytes.HasPrefix(text[at:], s.words):
			case s.trouble == NoTrouble && l.now < FullDisk:
				l.now = NoTrouble
			default:
				l.now = max(l.now, s.trouble)
			}
		}
	}
	l.last = append(l.last[:0], text[max(0, len(text)-longestSaying):]...)
	return len(p), nil
}
