package source

import (
	"encoding/binary"
	"unicode/utf8"
)

// columns counts the code points between two offsets without reading everything between them: a file may be a single
// line with thousands of findings.
type columns struct {
	ascii bool
	marks []mark // of a text beyond ASCII, one in each block
}

// mark is the beginning of a character, and how many come before it.
type mark struct{ at, count int }

// block is the length, in bytes, of the text between two marks.
const block = 1 << 10

func newColumns(text []byte) columns {
	if from := asciiLength(text); from < len(text) {
		return columns{marks: marks(text, from)}
	}
	return columns{ascii: true}
}

// ASCII reports whether the text has no other characters.
func (s *Source) ASCII() bool { return asciiLength(s.Text) == len(s.Text) }

// asciiLength returns the length in bytes of the ASCII that a text begins with. It looks at 16 bytes at once.
func asciiLength(text []byte) int {
	rest := text
	for len(rest) >= 16 && (binary.LittleEndian.Uint64(rest)|binary.LittleEndian.Uint64(rest[8:]))&0x8080808080808080 == 0 {
		rest = rest[16:]
	}
	for len(rest) > 0 && rest[0] < utf8.RuneSelf {
		rest = rest[1:]
	}
	return len(text) - len(rest)
}

// marks counts the characters of a text that is ASCII up to from.
func marks(text []byte, from int) []mark {
	list := make([]mark, 0, len(text)/block+1)
	count := 0
	for i := 0; i < len(text); count++ {
		if i >= len(list)*block {
			list = append(list, mark{i, count})
		}
		width := 1
		if i >= from && text[i] >= utf8.RuneSelf {
			_, width = utf8.DecodeRune(text[i:])
		}
		i += width
	}
	return list
}

// between returns the number of code points in text[from:to]; an invalid byte counts as one.
func (c columns) between(text []byte, from, to int) int {
	first, last := from/block+1, to/block
	switch {
	case c.ascii:
		return to - from
	case first >= last || last >= len(c.marks) || c.marks[last].at > to:
		return utf8.RuneCount(text[from:to])
	}
	start, end := c.marks[first], c.marks[last]
	return utf8.RuneCount(text[from:start.at]) + end.count - start.count + utf8.RuneCount(text[end.at:to])
}
