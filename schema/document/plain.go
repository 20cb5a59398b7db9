package document

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// plainReader reads the block YAML of ordinary configuration files directly into located nodes, in a tenth of the time
// that yaml.v3 takes. It knows few of YAML's forms. At the first one that it does not know for certain, it refuses the
// whole text and yaml.v3 reads it, so it never has to explain what is wrong with a text.
type plainReader struct {
	builder
	s       string // the contents of the lines ahead, and of the current one, without what is between them
	copied  []byte // for s
	next    int    // where the next line begins
	line    textLine
	done    bool       // there is no line at hand
	ahead   []textLine // the lines that follow, as far as they have been found
	room    []textLine // for them
	found   int        // where the lines after them begin
	refused bool
	unusual bool // there are backslashes, or other characters than ASCII outside lines with only a comment

	peculiar bool // there are plain scalars in flow collections, with ":" or "#", or not asItLooks

	// of the collections being read, innermost last
	entries []Entry
	items   []*Node

	tooMany bool       // there are as many values as are not read: the rest is looked through
	scraps  [][2]*Node // nodes that nobody keeps, by their depth: a key and its value
}

// textLine is a line with more than a comment, or with a comment that yaml.v3 may refuse.
type textLine struct {
	indent     int  // columns before its content
	start, end int  // of its content, without white space at its end
	next       int  // where the next line begins
	left       int  // bytes of the text before start that s lacks
	odd        bool // only a block scalar may hold it
}

const (
	// maxSlab is the number of nodes allocated at once: a text may be refused at its end.
	maxSlab = 512
	// maxAhead is the number of lines found at once.
	maxAhead = 128
)

var plainReaders = sync.Pool{New: func() any { return new(plainReader) }}

// readPlain adds the only document of a text to a stream, and reports whether it could: otherwise nothing has changed.
// It accepts no text in which checkBytes finds a problem, unless it is too large.
func (s *Stream) readPlain(src *source.Source) bool {
	r, _ := plainReaders.Get().(*plainReader) // nothing else is put
	defer plainReaders.Put(r)
	defer r.forget()
	r.builder = builder{locator: locator{text: src.Text}, src: src}
	r.next = src.Start()
	if r.advance(); r.done {
		return false
	}
	root := r.root()
	if r.refused || !r.done {
		return false
	}
	if r.tooMany {
		s.Problems = []Problem{tooLarge()}
		return true
	}
	s.only[0] = root
	s.Documents, s.Values, s.Problems, s.usual = s.only[:], r.count, r.problems, !r.unusual
	s.ordinary = s.usual && !r.peculiar
	plain.SortFunc(s.Problems, func(a, b Problem) int { return a.Span.Start - b.Span.Start })
	return true
}

func (r *plainReader) root() *Node {
	if c := r.text[r.line.start]; c == '{' || c == '[' {
		return r.inline(nil, r.line.start, -1, 0)
	}
	return r.block(nil, 0)
}

// keepItem and keepEntry hold a collection's content until it ends.
func (r *plainReader) keepItem(item *Node) {
	if !r.tooMany {
		r.items = append(r.items, item)
	}
}

func (r *plainReader) keepEntry(entry Entry) {
	if !r.tooMany {
		r.entries = append(r.entries, entry)
	}
}

// itemsFrom and entriesFrom return the content of a collection that ends.
func (r *plainReader) itemsFrom(mark int) (items []*Node) {
	if !r.tooMany {
		items = append(items, r.items[mark:]...)
	}
	r.items = r.items[:mark]
	return items
}

func (r *plainReader) entriesFrom(mark int) (entries []Entry) {
	if !r.tooMany {
		entries = append(entries, r.entries[mark:]...)
	}
	r.entries = r.entries[:mark]
	return entries
}

// scrap returns a node that is only scanned; it is valid until the next but one of its depth.
func (r *plainReader) scrap(depth int) *Node {
	for len(r.scraps) <= depth {
		r.scraps = append(r.scraps, [2]*Node{new(Node), new(Node)})
	}
	pair := &r.scraps[depth]
	pair[0], pair[1] = pair[1], pair[0]
	*pair[0] = Node{}
	return pair[0]
}

// forget releases the text, so that the reader can be reused.
func (r *plainReader) forget() {
	if cap(r.entries)+cap(r.items) > maxSlab {
		r.entries, r.items = nil, nil // of a huge file
	}
	clear(r.entries[:cap(r.entries)])
	clear(r.items[:cap(r.items)])
	*r = plainReader{entries: r.entries[:0], items: r.items[:0], room: r.room, copied: r.copied}
}

// refuse leaves the text to yaml.v3.
func (r *plainReader) refuse() *Node {
	r.refused, r.done = true, true
	return nil
}

// advance goes to the next line that holds more than a comment.
func (r *plainReader) advance() {
	for !r.done {
		if len(r.ahead) == 0 {
			r.look()
			r.done = len(r.ahead) == 0
			continue
		}
		line := r.ahead[0]
		r.ahead = r.ahead[1:]
		switch {
		case line.start < r.next: // in a block scalar
		case line.odd:
			r.refuse()
		default:
			r.line, r.next = line, line.next
			return
		}
	}
}

// look finds the next lines that become a textLine, and about how many nodes they have.
func (r *plainReader) look() {
	text, ahead, copied, likely := r.text, r.room[:0], r.copied[:0], 1
	next := max(r.found, r.next)
	for next < len(text) && len(ahead) < maxAhead {
		start := afterComments(text, next)
		at := start
		for at < len(text) && text[at] == ' ' {
			at++
		}
		end, ok, ascii := at+plainBytes(text[at:]), true, true
		if end < len(text) && text[end] == '\n' { // as nearly all lines
			next = end + 1
		} else {
			rest := end
			end, next = r.rawLine(rest)
			ok, ascii = printableLine(text[rest:end], at < end && text[at] == '#')
		}
		if at == end {
			continue
		}
		line := text[at:end]
		comment := line[0] == '#'
		odd := !ok || at == start && marker(line)
		if comment && !odd {
			continue
		}
		r.unusual = r.unusual || !ascii
		for line[len(line)-1] == ' ' {
			line = line[:len(line)-1]
		}
		ahead = append(ahead, textLine{at - start, at, at + len(line), next, at - len(copied), odd})
		copied = append(copied, line...)
		likely += 2
		if line[0] == '-' {
			likely += 2*bytes.Count(line, []byte(": ")) - 1
			if line[len(line)-1] == ':' {
				likely += 2
			}
		}
	}
	r.ahead, r.room, r.found, r.likely = ahead, ahead[:0], next, likely
	r.copied, r.s = copied, string(copied)
}

// part returns the text between two offsets of the current line.
func (r *plainReader) part(start, end int) string { return r.s[start-r.line.left : end-r.line.left] }

// plainBytes returns the number of bytes that a text begins with that are ASCII and no control characters. It looks at
// eight of them at once: below a space, the subtraction sets a byte's highest bit; at DEL, the sum does. Either may set
// those of later bytes too.
//
//go:noinline
func plainBytes(text []byte) (n int) {
	const each = 0x0101010101010101
	for n < len(text)-7 {
		eight := binary.LittleEndian.Uint64(text[n : n+8 : len(text)]) // the compiler needs no checks for these bounds
		if other := (eight | (eight - ' '*each) | (eight + each)) & (0x80 * each); other != 0 {
			return n + bits.TrailingZeros64(other)/8
		}
		n += 8
	}
	for n < len(text) && text[n] >= ' ' && text[n] < 0x7f {
		n++
	}
	return n
}

// afterComments returns where the first line begins, from an offset on, that is neither empty nor a comment of what
// plainBytes counts.
func afterComments(text []byte, start int) int {
	for at := start; at < len(text); {
		switch text[at] {
		case ' ':
			at++
		case '\n':
			at++
			start = at
		case '#':
			if at += plainBytes(text[at:]); at < len(text) && text[at] != '\n' {
				return start
			}
		default:
			return start
		}
	}
	return len(text)
}

// rawLine returns where the line around an offset ends, without its line end, and where the next one begins.
func (r *plainReader) rawLine(start int) (end, next int) {
	n := bytes.IndexByte(r.text[start:], '\n')
	if n < 0 {
		return len(r.text), len(r.text)
	}
	end = start + n
	next = end + 1
	if end > start && r.text[end-1] == '\r' {
		end--
	}
	return end, next
}

// marker reports whether a line may begin or end a document.
func marker(line []byte) bool {
	return len(line) >= 3 && (string(line[:3]) == "---" || string(line[:3]) == "...")
}

// printableLine reports whether a line is valid UTF-8 and holds no control character (except tabs in comments) and
// nothing that yaml.v3 refuses or takes for the end of a line, and whether that is ASCII.
func printableLine(line []byte, tabs bool) (ok, ascii bool) {
	ascii = true
	for i := plainBytes(line); i < len(line); {
		c := line[i]
		if c >= ' ' && c < 0x7f || c == '\t' && tabs {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			return false, true
		}
		ascii = false
		r, width := utf8.DecodeRune(line[i:])
		if r < 0xa0 || r == utf8.RuneError && width == 1 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			return false, false
		}
		i += width
	}
	return true, ascii
}

// printableText reports whether a line of a block scalar is what printableLine accepts.
func printableText(line []byte) bool {
	ok, _ := printableLine(line, true)
	return ok
}
