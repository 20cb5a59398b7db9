package evidence

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/catalog"
)

// standInMarks appear in the output of programs that stand in for a GPU in tests.
var standInMarks = []string{"STAND-IN", "STANDIN"}

// Scanner searches the streams of one run for evidence. It is safe for concurrent use.
type Scanner struct {
	mu       sync.Mutex
	patterns []*pattern
	other    []*pattern // of other vendors' GPUs: lines that match do not count
	needles  *needles   // every line that counts, or one next to it, contains one of these
	window   int        // lines that the longest pattern may span
	streams  []*stream
	lines    int
	standIn  bool
	best     *find
	gpus     []device // of the matches of the deciding kind
}

// find is a match.
type find struct {
	pattern *pattern
	line    int
	quote   string
}

type device struct {
	kind      catalog.Verdict
	name, key string // key distinguishes devices with the same name
}

// New returns a scanner for patterns, which are in order of precedence. A pattern that does not compile matches
// nothing.
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
			needed = append(needed, "") // no line is skipped
		}
		needed = append(needed, p.needs...)
	}
	s.needles = newNeedles(needed)
	return s
}

// Stream returns a writer for one stream of the run's output. Writes never fail, and no more than a few lines are kept.
func (s *Scanner) Stream() io.Writer {
	st := &stream{scanner: s}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams = append(s.streams, st)
	return st
}

// Verdict returns what the output so far proves. It treats unfinished lines as finished, so call it at the end.
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
	v.Level = meanings()[row.Verdict].level
	for _, d := range s.gpus {
		// a run that ran out of memory named its GPU in an earlier line
		if d.kind == row.Verdict || row.Verdict == catalog.VerdictOutOfMemory && d.kind == catalog.VerdictGPUUsed {
			v.GPUs = append(v.GPUs, d.name)
		}
	}
	return v
}

// stream splits one stream into lines.
type stream struct {
	scanner *Scanner
	line    []byte     // the unfinished line, up to the limit
	cr      bool       // a carriage return follows it
	last    []numbered // the preceding lines, at most window-1
	near    int        // how many more lines may belong to a match, because an earlier line contains a needle
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

// ahead searches for the next occurrence of something, each time only after the previous one.
type ahead struct {
	of func([]byte) int // returns the position of the first; the length if there is none
	at int
	ok bool // at is known
}

// from returns the first position at or after start.
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

// pass handles whole lines that cannot belong to a match, except as context for the next lines.
func (st *stream) pass(text []byte) {
	s := st.scanner
	s.lines += bytes.Count(text, []byte{'\n'})
	from := len(text)
	for n := 1; n < s.window && from > 0; n++ {
		from = bytes.LastIndexByte(text[:from-1], '\n') + 1
	}
	kept := bytes.SplitAfter(text[from:], []byte{'\n'})
	kept = kept[:len(kept)-1] // after the last newline
	for i, line := range kept {
		line = line[:min(len(line)-1, lineLimit)]
		st.keep(numbered{string(line), s.lines - len(kept) + 1 + i})
	}
}

// keep remembers a line as context for the next lines.
func (st *stream) keep(line numbered) {
	if st.last = append(st.last, line); len(st.last) >= st.scanner.window {
		st.last = st.last[1:]
	}
}

// add appends to the unfinished line. Text after a carriage return replaces what was before, as on a terminal.
func (st *stream) add(text []byte) {
	if st.cr && len(text) > 0 {
		st.cr = false
		st.end(false)
	}
	if room := lineLimit - len(st.line); room > 0 {
		st.line = append(st.line, text[:min(room, len(text))]...)
	}
}

// end searches a line that is complete. A line that ended in a carriage return will be overwritten, so it is neither
// counted nor joined with others.
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

// look searches one line, alone and joined with the lines before it.
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

// together joins lines if one of them may belong to a match of p; otherwise it returns an empty string.
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

// another reports whether the text is about another vendor's GPU.
func (s *Scanner) another(text string) bool {
	return slices.ContainsFunc(s.other, func(p *pattern) bool {
		_, _, _, ok := p.match(text)
		return ok
	})
}

func (s *Scanner) take(p *pattern, line int, quote string, groups map[string]string) {
	better := s.best == nil || p.weight < s.best.pattern.weight
	if better || p == s.best.pattern && line == s.best.line { // the same position, with one more line in view
		s.best = &find{pattern: p, line: line, quote: quotation(quote)}
	}
	if name := groups["gpu"]; name != "" {
		s.device(device{kind: p.row.Verdict, name: quotation(name), key: groups["index"] + " " + groups["bus"]})
	}
}

// device remembers a GPU; the same one is often named several times, and a second mention may add details.
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
