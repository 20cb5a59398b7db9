package ui

import (
	"io"
	"strings"

	"github.com/amlfix/amlfix/schema/secret"
)

// Table formats rows in columns that are as wide as their widest cell.
type Table struct {
	rows  [][]string
	paint map[[2]int]func(string) string
}

// Heading returns a table with a heading row.
func Heading(style Style, columns ...string) *Table {
	table := new(Table)
	table.Row(columns...)
	for i := range columns {
		table.Paint(i, style.Bold)
	}
	return table
}

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

// Write writes the table to w, with every line indented by indent.
func (t *Table) Write(w io.Writer, indent string) {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
	for r, row := range t.rows {
		var line strings.Builder
		line.WriteString(indent)
		for i, cell := range row {
			gap := ""
			if i < len(row)-1 {
				gap = strings.Repeat(" ", widths[i]-width(cell)+2)
			}
			if paint := t.paint[[2]int{r, i}]; paint != nil {
				cell = paint(cell)
			}
			line.WriteString(cell + gap)
		}
		_, _ = io.WriteString(w, strings.TrimRight(line.String(), " ")+"\n")
	}
}
