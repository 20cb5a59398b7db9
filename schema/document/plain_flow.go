package document

import "strings"

// flow reads the flow collection at an offset of the current line: JSON, or something as simple. It returns the offset
// after its bracket, on the line that is current then.
func (r *plainReader) flow(parent *Node, at, depth int) (*Node, int) {
	if r.text[at] == '{' {
		return r.flowMapping(parent, at, depth)
	}
	n := r.make(parent, Sequence, Flow, tagSequence, at, depth)
	if n == nil {
		return nil, at
	}
	mark := len(r.items)
	at = r.flowSkip(at + 1)
	for more := r.flowByte(at) != ']'; more && !r.done; {
		var item *Node
		item, at = r.flowValue(n, at, depth+1)
		r.keepItem(item)
		at, more = r.flowComma(at, ']')
	}
	if r.done {
		return r.refuse(), at
	}
	n.addRare().items = r.itemsFrom(mark)
	n.Span.End = at + 1
	return n, at + 1
}

func (r *plainReader) flowMapping(parent *Node, at, depth int) (*Node, int) {
	n := r.make(parent, Mapping, Flow, tagMapping, at, depth)
	if n == nil {
		return nil, at
	}
	mark := len(r.entries)
	at = r.flowSkip(at + 1)
	for more := r.flowByte(at) != '}'; more && !r.done; {
		key, colon := r.flowScalar(n, at, depth+1)
		if r.done || colon-at > maxPlainKey {
			return r.refuse(), at
		}
		// a key in quotes, as in JSON, needs no space after its colon
		if colon = r.skip(colon); colon == r.line.end || r.text[colon] != ':' || key.Style == Plain && !r.endsKey(colon) {
			return r.refuse(), at
		}
		var value *Node
		value, at = r.flowValue(n, r.flowSkip(colon+1), depth+1)
		r.keepEntry(Entry{key, value})
		at, more = r.flowComma(at, '}')
	}
	if r.done {
		return r.refuse(), at
	}
	n.addRare().entries = r.entriesFrom(mark)
	n.Span.End = at + 1
	if !r.tooMany {
		r.checkDuplicates(n)
	}
	return n, at + 1
}

// flowComma moves past the comma at an offset, or to the bracket there.
func (r *plainReader) flowComma(at int, bracket byte) (next int, more bool) {
	if r.done {
		return at, false
	}
	at = r.flowSkip(at)
	switch r.flowByte(at) {
	case bracket:
		return at, false
	case ',':
		return r.flowSkip(at + 1), true
	}
	r.refuse()
	return at, false
}

// flowSkip returns the offset of the next byte that is neither white space nor part of a comment, and moves to its
// line.
func (r *plainReader) flowSkip(at int) int {
	if at = r.skip(at); at < r.line.end && (r.text[at] != '#' || r.text[at-1] != ' ') {
		return at
	}
	r.advance()
	return r.line.start
}

// flowByte returns the byte at an offset, or 0 where the text has ended.
func (r *plainReader) flowByte(at int) byte {
	if r.done {
		return 0
	}
	return r.text[at]
}

func (r *plainReader) flowValue(parent *Node, at, depth int) (*Node, int) {
	if c := r.flowByte(at); c == '[' || c == '{' {
		return r.flow(parent, at, depth)
	}
	return r.flowScalar(parent, at, depth)
}

// flowScalar reads the scalar at an offset of the line, and returns where it ends.
func (r *plainReader) flowScalar(parent *Node, at, depth int) (*Node, int) {
	if r.done {
		return r.refuse(), at
	}
	text := r.part(at, r.line.end)
	if text[0] == '"' || text[0] == '\'' {
		n := r.quoted(parent, text, at, depth)
		if n == nil {
			return nil, at
		}
		return n, n.Span.End
	}
	end := 0
	for end < len(text) && inFlow(text[end:]) {
		end++
	}
	text = strings.TrimRight(text[:end], " ")
	if text == "" || text[0] == ':' || !beginsPlain(text) {
		return r.refuse(), at
	}
	r.peculiar = true
	n := r.make(parent, Scalar, Plain, plainTag(text), at, depth)
	if n == nil {
		return nil, at
	}
	n.Value, n.Span.End = text, at+len(text)
	return n, n.Span.End
}

// inFlow reports whether the first byte of a text certainly belongs to a plain scalar in a flow collection.
func inFlow(text string) bool {
	switch c := text[0]; {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', isDigit(c):
		return true
	case c == ':':
		return len(text) > 1 && (text[1] == '/' || text[1] >= 'a' && text[1] <= 'z' || isDigit(text[1]))
	default:
		return strings.IndexByte(" _./=<>+-$@", c) >= 0
	}
}
