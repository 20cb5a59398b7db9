package ui

import (
	"io"
	"strings"

	"github.com/amlfix/amlfix/schema/secret"
)

// Table formats rows in columns that are as wide as their widest cell. On a terminal that is too narrow for that, it
// leaves out empty columns, wraps the text of one, or writes each row as a list (see Write).
type Table struct {
	rows    [][]string
	paint   map[[2]int]func(string) string
	headed  bool
	wrapped int // the column to wrap; 0 for the last
}

// Heading returns a table with a heading row.
func Heading(style Style, columns ...string) *Table {
	table := &Table{headed: true}
	table.Row(columns...)
	for i := range columns {
		table.Paint(i, style.Bold)
	}
	return table
}

// Wrap says which column is wrapped where the terminal is too narrow, instead of the last one.
func (t *Table) Wrap(column int) { t.wrapped = column }

// Row adds a row. It makes cells printable and masks secrets in them; an empty cell is shown as "-".
func (t *Table) Row(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		if row[i] = Printable(secret.Hide(cell)); row[i] == "" {
			row[i] = "-"
		}
	}
	t.rows = append(t.rows, row)
}

// Paint colours a cell of the last row.
func (t *Table) Paint(column int, paint func(string) string) {
	if t.paint == nil {
		t.paint = map[[2]int]func(string) string{}
	}
	t.paint[[2]int{len(t.rows) - 1, column}] = paint
}

// Write writes the table to w, with every line indented by indent. If w is a terminal with fewer columns, it writes the
// rows of a table with a heading one below the other unless they can be made to fit.
func (t *Table) Write(w io.Writer, indent string) { t.write(w, indent, Columns(w)) }

// write is Write for a terminal with a number of columns; 0 for no limit.
func (t *Table) write(w io.Writer, indent string, columns int) {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
	if columns > 0 && !t.narrow(widths, len(indent)-columns) {
		t.list(w, indent, columns)
		return
	}
	for r, row := range t.rows {
		lines := []string{""}
		if i := t.wrapping(widths); i < len(row) {
			lines = strings.Split(fold(row[i], widths[i], ""), "\n")
		}
		for n := range lines {
			var line strings.Builder
			line.WriteString(indent)
			for i, cell := range row {
				if i == t.wrapping(widths) {
					cell = lines[n]
				} else if n > 0 {
					cell = ""
				}
				if widths[i] < 0 {
					continue
				}
				gap := ""
				if i < len(row)-1 {
					gap = strings.Repeat(" ", max(widths[i]-width(cell), 0)+2)
				}
				line.WriteString(t.painted(r, i, cell) + gap)
			}
			_, _ = io.WriteString(w, strings.TrimRight(line.String(), " ")+"\n")
		}
	}
}

// painted returns a part of a cell in the cell's colour.
func (t *Table) painted(row, column int, text string) string {
	if paint := t.paint[[2]int{row, column}]; paint != nil && text != "" {
		return paint(text)
	}
	return text
}
