// Package source holds the bytes of one file together with what is needed to point into them: byte offsets, lines,
// columns, line ends and comments.
//
// It knows nothing about YAML values, only offsets and spans.
package source

import (
	"bytes"
	"sort"
	"sync"
	"unicode/utf8"
)

// MaxSize is the largest file, in bytes, that amlfix reads. Real configuration files are around one kilobyte; anything
// beyond this is not configuration.
const MaxSize = 1 << 20

// bom is the UTF-8 byte order mark.
const bom = "\xef\xbb\xbf"

// Source is one file's content, unchanged from disk. It is immutable after New and safe for concurrent use.
type Source struct {
	// Path names the file in the operating system's form, as it was opened.
	Path string
	// Text is the whole file, byte order mark included.
	Text []byte

	counted sync.Once // most files have no findings, and need neither of the following
	lines   []int     // offset of the first byte of each display line; lines[0] is after the BOM
	columns columns
}

// New returns the Source of text. Path is used for messages only; text is kept, not copied, and must not change
// afterwards.
func New(path string, text []byte) *Source { return &Source{Path: path, Text: text} }

// count finds the lines and columns, once.
func (s *Source) count() *Source {
	s.counted.Do(func() {
		s.lines = displayLines(s.Text, s.Start())
		s.columns = newColumns(s.Text)
	})
	return s
}

// HasBOM reports whether the file begins with a UTF-8 byte order mark.
func (s *Source) HasBOM() bool { return bytes.HasPrefix(s.Text, []byte(bom)) }

// Start returns the offset of the first byte after the byte order mark.
func (s *Source) Start() int {
	if s.HasBOM() {
		return len(bom)
	}
	return 0
}

// LineCount returns the number of display lines; an empty file has one.
//
//go:noinline
func (s *Source) LineCount() int { return len(s.count().lines) }

// Position is a place as people and editors count it.
type Position struct {
	Line   int // 1-based
	Column int // 1-based, in Unicode code points; an invalid byte counts as one
}

// Position returns the line and column of a byte offset. Offsets outside the text are clamped to it.
func (s *Source) Position(offset int) Position {
	line, start, offset := s.before(offset)
	if s.short() {
		return Position{line, utf8.RuneCount(s.Text[start:offset]) + 1}
	}
	return Position{line, s.count().columns.between(s.Text, start, offset) + 1}
}

// short reports whether line ends are counted as fast as found in a table: at most 4 kB, without lone carriage returns.
func (s *Source) short() bool { return len(s.Text) <= 4<<10 && bytes.IndexByte(s.Text, '\n') >= 0 }

// before returns the number and the beginning of the line that holds an offset, and the offset within the text.
func (s *Source) before(offset int) (line, start, within int) {
	within = min(max(offset, s.Start()), len(s.Text))
	if s.short() {
		above := s.Text[s.Start():within]
		return bytes.Count(above, []byte{'\n'}) + 1, s.Start() + bytes.LastIndexByte(above, '\n') + 1, within
	}
	line = sort.SearchInts(s.count().lines, within+1)
	return line, s.lines[line-1], within
}

// LineWith returns the span of the display line that holds offset, without its line end.
func (s *Source) LineWith(offset int) Span {
	line, start, within := s.before(offset)
	if !s.short() {
		return s.Line(line)
	}
	end := len(s.Text)
	if i := bytes.IndexByte(s.Text[within:], '\n'); i >= 0 {
		end = within + i
	}
	return Span{start, start + len(bytes.TrimRight(s.Text[start:end], "\r"))}
}

// Line returns the span of display line n (1-based) without its line end. It returns an empty span at the end of the
// text if there is no such line.
func (s *Source) Line(n int) Span {
	if n < 1 || n > s.LineCount() {
		return Span{len(s.Text), len(s.Text)}
	}
	span := s.FullLine(n)
	for span.End > span.Start && (s.Text[span.End-1] == '\n' || s.Text[span.End-1] == '\r') {
		span.End--
	}
	return span
}

// FullLine returns the span of display line n (1-based) with its line end.
func (s *Source) FullLine(n int) Span {
	if n < 1 || n > s.LineCount() {
		return Span{len(s.Text), len(s.Text)}
	}
	end := len(s.Text)
	if n < len(s.lines) {
		end = s.lines[n]
	}
	return Span{s.lines[n-1], end}
}

// FirstLine cuts a span at its first line end: carets under ten lines are less clear than under the first.
func (s *Source) FirstLine(span Span) Span {
	if text := s.Slice(span); bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 {
		return span // without finding the lines
	}
	if line := s.Line(s.LineAt(span.Start)); line.End > span.Start {
		span.End = min(span.End, line.End)
	}
	return span
}

// LineAt returns the 1-based number of the display line that holds offset.
//
//go:noinline
func (s *Source) LineAt(offset int) int {
	line, _, _ := s.before(offset)
	return line
}

// Slice returns the bytes of span; it is clamped to the text.
func (s *Source) Slice(span Span) []byte {
	start := min(max(span.Start, 0), len(s.Text))
	end := min(max(span.End, start), len(s.Text))
	return s.Text[start:end]
}

// FinalNewline reports whether the text ends with a line end.
func (s *Source) FinalNewline() bool {
	n := len(s.Text)
	return n > 0 && (s.Text[n-1] == '\n' || s.Text[n-1] == '\r')
}

// LineEnd returns the line end most lines use: "\n", "\r\n", "\r\r\n" or "\r"; "\n" when the file has none.
func (s *Source) LineEnd() string {
	count := map[string]int{}
	best := "\n"
	for n := 1; n < s.LineCount(); n++ {
		end := s.LineEndAt(n)
		count[end]++
		if count[end] > count[best] {
			best = end
		}
	}
	if len(s.lines) > 1 && count[best] == 0 {
		return s.LineEndAt(1)
	}
	return best
}

// LineEndAt returns the line end of display line n as it is in the file,
// "" for the last line of a file without a final newline.
func (s *Source) LineEndAt(n int) string {
	return string(s.Text[s.Line(n).End:s.FullLine(n).End])
}

// displayLines splits as editors and grep do: at every "\n", with any carriage returns before it belonging to the line
// end; a lone "\r" only breaks lines in a file that has no "\n" at all. (SDK v1 on Windows wrote "\r\r\n".)
func displayLines(text []byte, start int) []int {
	lines := make([]int, 1, 1+bytes.Count(text, []byte{'\n'}))
	lines[0] = start
	br := byte('\n')
	if bytes.IndexByte(text, '\n') < 0 {
		br = '\r'
	}
	for i := start; i < len(text); {
		next := bytes.IndexByte(text[i:], br)
		if next < 0 {
			break
		}
		i += next + 1
		lines = append(lines, i)
	}
	return lines
}
