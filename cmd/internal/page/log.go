package page

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// Limits on how much of a log the page shows: its beginning and its end, lines around the one on which the GPU verdict
// is based, and the beginning of each line.
const (
	headLines, headBytes = 1000, 128 << 10
	tailLines, tailBytes = 4000, 512 << 10
	aroundLine           = 3
	lineBytes            = 4 << 10
	lineMargin           = 1 << 10 // read in addition, so that a truncated secret is recognized
)

// logPart is a sequence of lines from a log, and what is omitted after them.
type logPart struct {
	Lines []logLine
	Gap   string
}

type logLine struct {
	Number int
	Text   string
	Error  bool // from standard error
	raw    []byte
	size   int64 // including its end
}

// logReader keeps the lines of a log that are shown. Lines are counted as in package evidence: over both streams, in
// the order in which they end.
type logReader struct {
	proof      int // the line on which the verdict is based; 0: none
	count      int
	head, near []logLine
	tail       []logLine
	headSize   int
	tailSize   int
	gaps       [2]gap // before and after near
	streams    [2]lineReader
}

// gap counts what is omitted.
type gap struct {
	lines int
	bytes int64
}

func (g gap) String() string {
	if g.lines == 0 {
		return ""
	}
	return plain.CountIs(g.lines, "line") + " left out here (" + progress.Bytes(g.bytes) + ")"
}

// readLog reads the log of a record; nil if there is none.
func readLog(dir string, proof int) ([]logPart, int, error) {
	f, err := record.Follow(dir)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	l := &logReader{proof: proof}
	for i := range l.streams {
		l.streams[i] = lineReader{log: l, isError: i == 1}
	}
	if err := f.CopyTo(process.Streams{Stdout: &l.streams[0], Stderr: &l.streams[1]}); err != nil {
		return nil, 0, err
	}
	for i := range l.streams {
		if s := &l.streams[i]; s.size > 0 {
			s.end()
		}
	}
	return l.parts(), l.count, nil
}

// lineReader splits a stream into lines. For a line that is overwritten, such as a progress bar, the last state counts.
type lineReader struct {
	log     *logReader
	isError bool
	line    []byte
	size    int64
	back    bool // the last character was a carriage return
}

func (s *lineReader) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			s.add(p)
			break
		}
		s.add(p[:i])
		s.size++
		s.end()
		p = p[i+1:]
	}
	return n, nil
}

func (s *lineReader) add(p []byte) {
	s.size += int64(len(p))
	text := bytes.TrimRight(p, "\r")
	if len(text) > 0 && s.back {
		s.line = s.line[:0]
	}
	s.back = len(text) < len(p) || s.back && len(text) == 0
	if i := bytes.LastIndexByte(text, '\r'); i >= 0 {
		s.line, text = s.line[:0], text[i+1:]
	}
	s.line = append(s.line, text[:min(len(text), max(0, lineBytes+lineMargin-len(s.line)))]...)
}

func (s *lineReader) end() {
	s.log.count++
	s.log.add(logLine{Number: s.log.count, Error: s.isError, raw: bytes.Clone(s.line), size: s.size})
	s.line, s.size, s.back = s.line[:0], 0, false
}

func (l *logReader) add(line logLine) {
	if len(l.tail) == 0 && len(l.head) < headLines && l.headSize+len(line.raw) <= headBytes {
		l.head, l.headSize = append(l.head, line), l.headSize+len(line.raw)
		return
	}
	l.tail, l.tailSize = append(l.tail, line), l.tailSize+len(line.raw)
	for len(l.tail) > tailLines || l.tailSize > tailBytes {
		l.leave(l.tail[0])
		l.tailSize -= len(l.tail[0].raw)
		l.tail[0].raw = nil
		l.tail = l.tail[1:]
	}
}

// leave omits a line, unless it is close to the proof.
func (l *logReader) leave(line logLine) {
	if l.proof > 0 && line.Number >= l.proof-aroundLine && line.Number <= l.proof+aroundLine {
		l.near = append(l.near, line)
		return
	}
	g := &l.gaps[0]
	if len(l.near) > 0 {
		g = &l.gaps[1]
	}
	g.lines++
	g.bytes += line.size
}

// parts returns the log as shown.
func (l *logReader) parts() (list []logPart) {
	list = []logPart{{shown(l.head), l.gaps[0].String()}, {shown(l.near), l.gaps[1].String()}, {shown(l.tail), ""}}
	return slices.DeleteFunc(list, func(p logPart) bool { return len(p.Lines) == 0 })
}

// shown makes lines harmless: it removes colours and secrets, and makes control characters visible.
func shown(lines []logLine) []logLine {
	var all []byte
	for i, l := range lines {
		if i > 0 {
			all = append(all, '\n')
		}
		all = append(all, evidence.PlainText(string(l.raw))...)
	}
	all = keyless(all)
	texts := strings.Split(secret.Masked(all, source.Span{End: len(all)}, secret.Spans(all)), "\n")
	for i := range lines {
		text, more := texts[i], int(lines[i].size)-1-lineBytes
		if len(text) > lineBytes {
			text = strings.ToValidUTF8(text[:lineBytes], "")
		}
		text = escape.Page(text)
		if len(lines[i].raw) > lineBytes && more > 0 {
			text += fmt.Sprintf(" … and %s more of this line", progress.Bytes(int64(more)))
		}
		lines[i].Text, lines[i].raw = text, nil
	}
	return lines
}

// keyless masks the end of a private key whose beginning is omitted.
func keyless(text []byte) []byte {
	end := bytes.Index(text, []byte("-----END "))
	if begin := bytes.Index(text, []byte("-----BEGIN ")); end < 0 || begin >= 0 && begin < end {
		return text
	}
	lines := strings.Split(string(text[:end]), "\n")
	for i := len(lines) - 2; i >= 0 && isBase64(lines[i]); i-- {
		lines[i] = secret.Mask
	}
	return append([]byte(strings.Join(lines, "\n")), text[end:]...)
}

func isBase64(line string) bool {
	return len(line) >= 16 && strings.Trim(strings.TrimSpace(line), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == ""
}
