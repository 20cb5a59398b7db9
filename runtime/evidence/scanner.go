package evidence

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/catalog"
)

// standInMarks are in the output of programs that take the part of a GPU in tests.
var standInMarks = []string{"STAND-IN", "STANDIN"}

// Scanner looks for evidence in the streams of one run. It is safe for use by several goroutines.
type Scanner struct {
	mu       sync.Mutex
	patterns []*pattern
	other    []*pattern // of other makers' GPUs: lines that match do not count
	needles  *needles   // what every line that counts holds, or one next to it
	window   int        // lines that the longest pattern may span
	streams  []*stream
	lines    int
	standIn  bool
	best     *find
	gpus     []device // of the matches of the kind that decides
}

// find is a match.
type find struct {
	pattern *pattern
	line    int
	quote   string
}

type device struct {
	kind      catalog.Verdict
	name, key string // key tells devices of the same name apart
}

// New makes a scanner for patterns, those that count most first. A pattern that does not compile matches nothing.
func New(patterns []catalog.LogPattern) *Scanner {
	s, needed := &Scanner{window: 1}, slices.Clone(standInMarks)
	for i, row := range patterns {
		p := newPattern(row, i)
		if row.Verdict == catalog.VerdictNotNVIDIA {
			s.other = append(s.other, p)
			continue
		}
		s.patterns = append(s.patterns, p)
		s.window = max(s.window, p.lines())
		if len(p.needs) == 0 {
			needed = append(needed, "") // nothing is left out
		}
		needed = append(needed, p.needs...)
	}
	s.needles = newNeedles(needed)
	return s
}

// Stream returns a writer for one stream of the run's output. It never fails and keeps no more than a few lines.
func (s *Scanner) Stream() io.Writer {
	st := &stream{scanner: s}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams = append(s.streams, st)
	return st
}

// Verdict tells what the output so far proves. It takes unfinished lines as finished, so it belongs at the end.
func (s *Scanner) Verdict() Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.streams {
		if len(st.line) > 0 {
			st.end(true)
		}
	}
	v := Verdict{StandIn: s.standIn, Lines: s.lines}
	if s.best == nil {
		return v
	}
	row := s.best.pattern.row
	v.Kind, v.Pattern, v.Framework, v.Line, v.Quote = row.Verdict, row.ID, row.Framework, s.best.line, s.best.quote
	v.Level = meanings(row.Verdict).level
	for _, d := range s.gpus {
		// a run whose memory ran out has named its GPU in an earlier line
		if d.kind == row.Verdict || row.Verdict == catalog.VerdictOutOfMemory && d.kind == catalog.VerdictGPUUsed {
			v.GPUs = append(v.GPUs, d.name)
		}
	}
	return v
}

// stream cuts one stream into lines.
type stream struct {
	scanner *Scanner
	line    []byte     // the unfinished line, as far as it is looked at
	cr      bool       // a carriage return follows it
	last    []numbered // the lines before, at most window-1
	near    int        // how many more lines may belong to a match, because one before holds a needle
}

type numbered struct {
	text   string
	number int
}

func (st *stream) Write(p []byte) (int, error) {
	st.scanner.mu.Lock()
	defer st.scanner.mu.Unlock()
	next := [...]ahead{{of: func(p []byte) int { return first(st.scanner.needles, p) }}, {of: byteAt('\r')}, {of: byteAt('\x1b')}}
	for at := 0; at < len(p); {
		if len(st.line) == 0 && !st.cr && st.near == 0 {
			dull := len(p)
			for i := range next {
				dull = min(dull, next[i].from(p, at))
			}
			if end := bytes.LastIndexByte(p[at:dull], '\n') + 1; end > 0 {
				st.pass(p[at : at+end])
				at += end
				continue
			}
		}
		end := bytes.IndexAny(p[at:], "\r\n")
		if end < 0 {
			st.add(p[at:])
			break
		}
		st.add(p[at : at+end])
		if at += end + 1; p[at-1] == '\n' {
			st.end(true)
		} else {
			st.cr = true
		}
	}
	return len(p), nil
}

// ahead looks for the next place of something, each time only behind the last one.
type ahead struct {
	of func([]byte) int // where the first one is; the length when there is none
	at int
	ok bool // at is known
}

// from returns the first place at or behind start.
func (a *ahead) from(p []byte, start int) int {
	if !a.ok || a.at < start {
		a.at, a.ok = start+a.of(p[start:]), true
	}
	return a.at
}

func byteAt(c byte) func([]byte) int {
	return func(p []byte) int {
		if i := bytes.IndexByte(p, c); i >= 0 {
			return i
		}
		return len(p)
	}
}

// pass takes whole lines that cannot belong to a match, unless as those before the next ones.
func (st *stream) pass(text []byte) {
	s := st.scanner
	s.lines += bytes.Count(text, []byte{'\n'})
	from := len(text)
	for n := 1; n < s.window && from > 0; n++ {
		from = bytes.LastIndexByte(text[:from-1], '\n') + 1
	}
	kept := bytes.SplitAfter(text[from:], []byte{'\n'})
	kept = kept[:len(kept)-1] // what follows the last line
	for i, line := range kept {
		line = line[:min(len(line)-1, lineLimit)]
		st.keep(numbered{string(line), s.lines - len(kept) + 1 + i})
	}
}

// keep remembers a line for the next ones.
func (st *stream) keep(line numbered) {
	if st.last = append(st.last, line); len(st.last) >= st.scanner.window {
		st.last = st.last[1:]
	}
}

// add appends to the unfinished line. Text behind a carriage return replaces what was before, as on a terminal.
func (st *stream) add(text []byte) {
	if st.cr && len(text) > 0 {
		st.cr = false
		st.end(false)
	}
	if room := lineLimit - len(st.line); room > 0 {
		st.line = append(st.line, text[:min(room, len(text))]...)
	}
}

// end looks at the line that has come to its end. A line that a carriage return ended will be written over: it is no
// line of the log, so it is neither counted nor joined with others.
func (st *stream) end(counts bool) {
	text := PlainText(string(st.line))
	st.line, st.cr = st.line[:0], false
	s := st.scanner
	held := s.needles == nil || first(s.needles, text) < len(text)
	if !counts {
		if held {
			s.look(nil, numbered{text, s.lines + 1})
		}
		return
	}
	s.lines++
	line := numbered{text, s.lines}
	if held {
		st.near = s.window
	}
	if st.near > 0 {
		st.near--
		s.look(st.last, line)
	}
	st.keep(line)
}

// look searches one line, alone and together with the lines before it.
func (s *Scanner) look(before []numbered, line numbered) {
	for _, mark := range standInMarks {
		s.standIn = s.standIn || strings.Contains(line.text, mark)
	}
	for _, p := range s.patterns {
		lines := before[max(0, len(before)-p.lines()+1):]
		text := line.text
		if len(lines) > 0 {
			if text = together(p, lines, line); text == "" {
				continue
			}
		}
		start, end, groups, ok := p.match(text)
		if !ok || s.another(matchedLines(text, start, end)) {
			continue
		}
		from := line.number
		if n := strings.Count(text[:start], "\n"); n < len(lines) {
			from = lines[n].number
		}
		s.take(p, from, text[start:end], groups)
	}
}

// together joins lines when one of them may belong to a match of p; otherwise it returns nothing.
func together(p *pattern, lines []numbered, last numbered) string {
	maybe := p.maybe(last.text)
	for _, l := range lines {
		maybe = maybe || p.maybe(l.text)
	}
	if !maybe {
		return ""
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	b.WriteString(last.text)
	return b.String()
}

// matchedLines widens a match to whole lines.
func matchedLines(text string, start, end int) string {
	start = strings.LastIndexByte(text[:start], '\n') + 1
	if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
		return text[start : end+i]
	}
	return text[start:]
}

// another reports whether the text is about the GPU of another maker.
func (s *Scanner) another(text string) bool {
	for _, p := range s.other {
		if _, _, _, ok := p.match(text); ok {
			return true
		}
	}
	return false
}

func (s *Scanner) take(p *pattern, line int, quote string, groups map[string]string) {
	better := s.best == nil || p.weight < s.best.pattern.weight
	if better || p == s.best.pattern && line == s.best.line { // the same place, with one more line in view
		s.best = &find{pattern: p, line: line, quote: quotation(quote)}
	}
	if name := groups["gpu"]; name != "" {
		s.device(device{kind: p.row.Verdict, name: quotation(name), key: groups["index"] + " " + groups["bus"]})
	}
}

// device remembers a GPU; the same one is often named several times. A second mention may tell more.
func (s *Scanner) device(d device) {
	for i, known := range s.gpus {
		if known.kind != d.kind || known.name != d.name {
			continue
		}
		if known.key == d.key {
			return
		}
		if strings.TrimSpace(known.key) == "" {
			s.gpus[i].key = d.key
			return
		}
	}
	if len(s.gpus) < gpuLimit {
		s.gpus = append(s.gpus, d)
	}
}
