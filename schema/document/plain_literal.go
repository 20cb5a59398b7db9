package document

import (
	"bytes"
	"strings"
)

// literal reads the block scalar, "|" or ">", at an offset of the current line, in a collection with an indentation,
// and moves to the line after it.
func (r *plainReader) literal(parent *Node, at, indent, depth int) *Node {
	n := r.make(parent, Scalar, Literal, tagString, at, depth)
	if n == nil {
		return nil
	}
	if r.text[at] == '>' {
		n.Style = Folded
	}
	header := r.part(at+1, r.line.end)
	if header != "" && header != "-" && header != "+" {
		return r.refuse() // an indentation, or a comment
	}
	f := folder{folds: n.Style == Folded}
	content, widest := 0, 0 // the columns before the content, once it is known, and before the empty lines
	for r.next < len(r.text) {
		start := r.next
		end, next := r.rawLine(start)
		r.next = next
		column := end - start - len(bytes.TrimLeft(r.text[start:end], " "))
		broken := r.next > end
		if start+column == end && (content == 0 || column <= content) {
			widest = max(widest, column)
			f.empty(broken)
			continue
		}
		if content == 0 {
			content = column
		}
		if column < content && r.text[start+column] != '\t' {
			r.next = start
			break
		}
		if content <= indent || content < widest || column < content || column == content && r.text[start+column] == '\t' && f.Len() == 0 ||
			!printableText(r.text[start+content:end]) {
			return r.refuse()
		}
		f.line(r.text[start+content:end], broken)
		n.Span.End = end
	}
	if content == 0 {
		return r.refuse()
	}
	n.Value = f.end(header)
	r.advance()
	return r.ends(n, indent)
}

// folder joins the lines of a block scalar.
type folder struct {
	strings.Builder
	folds   bool
	white   bool // the latest line begins with white space
	broken  bool // there is a line end behind it
	empties int  // how many empty lines follow it
}

// empty adds a line without content.
func (f *folder) empty(broken bool) {
	if broken {
		f.empties++
	}
}

// line adds a line, which is not empty.
func (f *folder) line(text []byte, broken bool) {
	white := isSpace(text[0])
	switch {
	case !f.broken: // the first
	case !f.folds || white || f.white:
		f.WriteByte('\n')
	case f.empties == 0:
		f.WriteByte(' ')
	}
	f.breaks()
	f.Write(text)
	f.white, f.broken = white, broken
}

func (f *folder) breaks() {
	for ; f.empties > 0; f.empties-- {
		f.WriteByte('\n')
	}
}

// end returns the whole text; chomp says what happens to the line ends after it.
func (f *folder) end(chomp string) string {
	if chomp != "-" && f.broken {
		f.WriteByte('\n')
	}
	if chomp == "+" {
		f.breaks()
	}
	return f.String()
}
