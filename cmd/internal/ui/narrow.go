package ui

import (
	"cmp"
	"io"
	"slices"
	"strings"
)

// leastWrapped is how narrow the column may become that is wrapped.
const leastWrapped = 16

// wrapping returns the column that is wrapped, of several.
func (t *Table) wrapping(widths []int) int { return cmp.Or(t.wrapped, len(widths)-1) }

// narrow makes columns narrower, and those that are left out -2 wide, until all of them with their gaps, and over, are
// not wider than 0. It reports whether that succeeded, or nothing else can be done.
func (t *Table) narrow(widths []int, over int) bool {
	for _, n := range widths {
		over += n + 2
	}
	over -= 2
	for i := range widths {
		filled := func(row []string) bool { return i < len(row) && row[i] != "-" }
		if over > 0 && t.headed && !slices.ContainsFunc(t.rows[1:], filled) {
			over -= widths[i] + 2
			widths[i] = -2
		}
	}
	if i := t.wrapping(widths); over > 0 && i >= 0 && widths[i]-over >= leastWrapped {
		widths[i] -= over
		over = 0
	}
	return over <= 0 || !t.headed
}

// list writes each row as a list of its cells, in lines of a number of columns.
func (t *Table) list(w io.Writer, indent string, columns int) {
	most := 0
	for _, name := range t.rows[0] {
		most = max(most, width(name))
	}
	for r, row := range t.rows[1:] {
		if r > 0 {
			_, _ = io.WriteString(w, "\n")
		}
		for i, cell := range row {
			if name := t.rows[0][i]; cell != "-" {
				begin := indent + strings.ReplaceAll(t.painted(0, i, name)+strings.Repeat(" ", most-width(name)+2), " ", NoBreak)
				_, _ = io.WriteString(w, Fold(begin+t.painted(r+1, i, cell), columns, indent+strings.Repeat(" ", most+2))+"\n")
			}
		}
	}
}
