package document

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/source"
)

// maxPlainKey is the length of the longest key, in bytes; yaml.v3 takes 1,024 characters at most.
const maxPlainKey = 1000

// make returns a node without children, whose end is not set yet.
func (r *plainReader) make(parent *Node, kind Kind, style Style, tag tag, start, depth int) *Node {
	if depth > MaxDepth {
		return r.refuse()
	}
	var n *Node
	if r.tooMany = r.tooMany || r.count+1 >= MaxValues; r.tooMany {
		n = r.scrap(depth)
	} else {
		n = r.alloc()
	}
	n.Kind, n.Style, n.tag, n.Parent = kind, style, tag, parent
	n.Span, n.Properties = source.Span{Start: start, End: start}, start
	return n
}

// block reads the mapping or sequence that begins on the current line, and stops at the first line after it.
func (r *plainReader) block(parent *Node, depth int) *Node {
	if r.dash(r.line.start) {
		return r.sequence(parent, depth)
	}
	return r.mapping(parent, depth)
}

// dash reports whether a list item begins at an offset of the line.
func (r *plainReader) dash(at int) bool {
	return r.text[at] == '-' && (at+1 == r.line.end || r.text[at+1] == ' ')
}

func (r *plainReader) sequence(parent *Node, depth int) *Node {
	n := r.make(parent, Sequence, Block, tagSequence, r.line.start, depth)
	if n == nil {
		return nil
	}
	indent, mark := r.line.indent, len(r.items)
	for !r.done && r.line.indent == indent && r.dash(r.line.start) {
		dash := r.line.start
		item := r.item(n, indent, depth+1)
		if r.refused {
			return nil
		}
		item.setDash(dash)
		r.keepItem(item)
		n.Span.End = max(item.Span.End, dash+1)
	}
	if !r.done && r.line.indent > indent {
		return r.refuse()
	}
	n.addRare().items = r.itemsFrom(mark)
	return n
}

// item reads what is behind the dash of the line.
func (r *plainReader) item(parent *Node, indent, depth int) *Node {
	dash := r.line.start
	at := r.skip(dash + 1)
	if at == r.line.end || r.text[at] == '#' {
		return r.below(parent, dash+1, indent, depth, false)
	}
	if c := r.text[at]; c != '[' && c != '{' && (r.dash(at) || r.colon(at) >= 0) {
		r.line.indent += at - dash
		r.line.start = at
		return r.block(parent, depth)
	}
	return r.inline(parent, at, indent, depth)
}

// skip returns the first offset from at on that is not a space, or the end of the line.
func (r *plainReader) skip(at int) int {
	for at < r.line.end && r.text[at] == ' ' {
		at++
	}
	return at
}

// below reads the value of a key or dash that ends the current line: a collection that is indented more, or, for a key,
// a sequence at the same indentation; a null at an offset if there is neither.
func (r *plainReader) below(parent *Node, at, indent, depth int, key bool) *Node {
	r.advance()
	if !r.done && (r.line.indent > indent || key && r.line.indent == indent && r.dash(r.line.start)) {
		return r.block(parent, depth)
	}
	return r.make(parent, Scalar, Plain, tagNull, at, depth)
}

func (r *plainReader) mapping(parent *Node, depth int) *Node {
	n := r.make(parent, Mapping, Block, tagMapping, r.line.start, depth)
	if n == nil {
		return nil
	}
	indent, mark := r.line.indent, len(r.entries)
	for !r.done && r.line.indent == indent && !r.dash(r.line.start) {
		entry := r.entry(n, indent, depth+1)
		if r.refused {
			return nil
		}
		r.keepEntry(entry)
		n.Span.End = max(entry.Key.Span.End, entry.Value.Span.End)
	}
	if !r.done && r.line.indent > indent {
		return r.refuse()
	}
	n.addRare().entries = r.entriesFrom(mark)
	if !r.tooMany {
		r.checkDuplicates(n)
	}
	return n
}

func (r *plainReader) entry(parent *Node, indent, depth int) Entry {
	start := r.line.start
	colon := r.colon(start)
	if colon < 0 || colon-start > maxPlainKey {
		return Entry{r.refuse(), nil}
	}
	key := r.scalar(parent, start, colon, depth, true)
	if key == nil {
		return Entry{}
	}
	at := r.skip(colon + 1)
	if at < r.line.end && r.text[at] != '#' {
		return Entry{key, r.inline(parent, at, indent, depth)}
	}
	return Entry{key, r.below(parent, colon+1, indent, depth, true)}
}

// colon returns the offset of the colon that ends the key at an offset of the line, or -1.
func (r *plainReader) colon(at int) int {
	if c := r.text[at]; c == '"' || c == '\'' {
		end := bytes.IndexByte(r.text[at+1:r.line.end], c)
		if end < 0 {
			return -1
		}
		if at = r.skip(at + end + 2); at < r.line.end && r.endsKey(at) {
			return at
		}
		return -1
	}
	line := r.text[at:r.line.end]
	for i, c := range line {
		switch c {
		case ':':
			if i+1 == len(line) || line[i+1] == ' ' {
				return at + i
			}
			r.peculiar = true
		case '#':
			if i > 0 && line[i-1] == ' ' {
				return -1
			}
			r.peculiar = true
		}
	}
	return -1
}

// endsKey reports whether there is a colon at an offset of the line followed by a space or nothing.
func (r *plainReader) endsKey(at int) bool {
	return r.text[at] == ':' && (at+1 == r.line.end || r.text[at+1] == ' ')
}

// inline reads the value that begins on the current line, in a collection with an indentation, and moves to the line
// after it.
func (r *plainReader) inline(parent *Node, at, indent, depth int) *Node {
	switch r.text[at] {
	case '|', '>':
		return r.literal(parent, at, indent, depth)
	case '[', '{':
		n, end := r.flow(parent, at, depth)
		if n == nil || !r.onlyComment(end, r.line.end) {
			return r.refuse()
		}
		r.advance()
		return r.ends(n, indent)
	}
	n := r.scalar(parent, at, r.line.end, depth, false)
	if n == nil {
		return nil
	}
	r.advance()
	return r.ends(n, indent)
}

// ends returns n unless the current line may continue it.
func (r *plainReader) ends(n *Node, indent int) *Node {
	if !r.done && r.line.indent > indent {
		return r.refuse()
	}
	return n
}

// onlyComment reports whether there is nothing but white space and a comment between two offsets of the line.
func (r *plainReader) onlyComment(at, end int) bool {
	next := min(r.skip(at), end)
	return next == end || next > at && r.text[next] == '#'
}
