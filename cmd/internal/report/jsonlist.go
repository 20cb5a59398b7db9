package report

import (
	"bufio"
	"io"
)

// jsonList writes JSON with a list of items, one per line, without keeping any of them.
type jsonList struct {
	w     *bufio.Writer
	begun bool
}

// newJSONList returns a list whose text goes to w in large pieces: nobody can use a part of it.
func newJSONList(w io.Writer) jsonList { return jsonList{w: bufio.NewWriterSize(w, 64<<10)} }

// item writes an item, and before the first one what begin writes.
func (l *jsonList) item(begin func(), v any) {
	if l.begun {
		l.print(",")
	} else {
		begin()
		l.begun = true
	}
	l.print("\n")
	l.value(v)
}

// end ends the last line, or begins the list if it is empty.
func (l *jsonList) end(begin func()) {
	if l.begun {
		l.print("\n")
	} else {
		begin()
	}
}

//go:noinline
func (l *jsonList) print(text string) { _, _ = l.w.WriteString(text) }

// value writes v on one line. The types of this package always encode.
func (l *jsonList) value(v any) { _, _ = l.w.Write(OneLine(v)) }
