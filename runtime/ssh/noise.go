package ssh

import (
	"bytes"
	"io"
)

// begin is printed before the output of a script, because start-up files such as .bashrc may print something first;
// beginMark is the same as an argument of printf.
const (
	begin     = "\x1eamlfix\x1e\n"
	beginMark = `\036amlfix\036\n`
)

// afterMark returns a writer that passes on only what follows the mark, or nil for nil.
func afterMark(w io.Writer) io.Writer {
	if w == nil {
		return nil
	}
	return &skipper{w: w}
}

type skipper struct {
	w      io.Writer
	noise  []byte // the end of what was discarded, which may contain the start of the mark, or say why there is none
	passed bool
}

// noiseKept is how many bytes of the noise are kept.
const noiseKept = 200

func (s *skipper) Write(p []byte) (int, error) {
	if s.passed {
		return s.w.Write(p)
	}
	s.noise = append(s.noise, p...)
	i := bytes.Index(s.noise, []byte(begin))
	if i < 0 {
		s.noise = bytes.Clone(s.noise[max(0, len(s.noise)-noiseKept):])
		return len(p), nil
	}
	s.passed = true
	rest := s.noise[i+len(begin):]
	s.noise = nil
	if len(rest) > 0 {
		if _, err := s.w.Write(rest); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
