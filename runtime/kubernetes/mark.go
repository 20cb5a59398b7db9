package kubernetes

import (
	"bytes"
	"io"
	"strconv"
)

// marked passes on what a command writes until the mark that follows: "\x1e", a secret word, a space, the exit code,
// and "\x1e\n". Without the mark the command has not ended, whatever kubectl reports.
type marked struct {
	w    io.Writer // nil discards
	word string
	held []byte // possibly the beginning of the mark
	code int
	seen bool
}

const markEnd = "\x1e\n"

func (m *marked) Write(p []byte) (int, error) {
	if m.seen {
		return len(p), nil
	}
	m.held = append(m.held, p...)
	start := []byte("\x1e" + m.word + " ")
	at := bytes.Index(m.held, start)
	pass := at
	if at < 0 {
		pass = len(m.held)
		for i := max(0, len(m.held)-len(start)+1); i < len(m.held); i++ {
			if bytes.HasPrefix(start, m.held[i:]) {
				pass = i
				break
			}
		}
	}
	if m.w != nil && pass > 0 {
		if _, err := m.w.Write(m.held[:pass]); err != nil {
			return 0, err
		}
	}
	m.held = bytes.Clone(m.held[pass:])
	if at >= 0 {
		code, _, whole := bytes.Cut(m.held[len(start):], []byte(markEnd))
		if whole {
			m.code, _ = strconv.Atoi(string(code))
			m.seen = true
		}
	}
	return len(p), nil
}
