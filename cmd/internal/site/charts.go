package main

import (
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A comment above a table has it shown as a chart, too: the first column names the bars, and those that the comment
// names say how long they are.
//
//	<!-- chart: before; after: Processor time -->    a bar for each of these columns
//	<!-- chart: right of reported: Findings -->     a part of a whole
//	<!-- chart: ratio beside 1: Against docker -->  with a line at one
var directive = regexp.MustCompile(`(?m)^<!-- chart: ([^:\n]+): (.+) -->\n\n?((?:\|.*\n)+)`)

// chart is the content of a comment and the table below it.
type chart struct {
	caption string
	series  []string
	part    bool // the first series is a part of the second
	one     bool // a line at 1
	labels  []string
	cells   [][]string // of each series, as in the table
}

// charts inserts the charts of a page above the tables that they show.
func charts(text string) (string, error) {
	var failed error
	text = directive.ReplaceAllStringFunc(text, func(found string) string {
		m := directive.FindStringSubmatch(found)
		c, err := readChart(m[1], m[2], m[3])
		if err != nil {
			failed = fmt.Errorf("the chart %q: %w", m[2], err)
			return found
		}
		return c.draw() + "\n" + m[3]
	})
	if failed == nil && strings.Contains(text, "<!-- chart:") {
		failed = errors.New("a chart has no table below it, or is not written as: chart: COLUMN; COLUMN: CAPTION")
	}
	return text, failed
}

func readChart(columns, caption, table string) (chart, error) {
	c := chart{caption: caption}
	columns, c.one = strings.CutSuffix(columns, " beside 1")
	c.series = strings.Split(columns, "; ")
	if part, whole, ok := strings.Cut(columns, " of "); ok {
		c.part, c.series = true, []string{part, whole}
	}
	var rows [][]string
	for row := range strings.Lines(table) {
		rows = append(rows, strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|"))
	}
	if len(rows) < 3 {
		return c, errors.New("the table has no rows")
	}
	for _, row := range rows[2:] {
		c.labels = append(c.labels, plain(row[0]))
	}
	for _, name := range c.series {
		at := slices.IndexFunc(rows[0], func(h string) bool { return plain(h) == name })
		if at < 0 {
			return c, fmt.Errorf("the table has no column %q", name)
		}
		var cells []string
		for _, row := range rows[2:] {
			if at >= len(row) {
				return c, fmt.Errorf("a row has no column %q: %q", name, row)
			}
			cells = append(cells, plain(row[at]))
		}
		c.cells = append(c.cells, cells)
	}
	if c.longest() == 0 {
		return c, errors.New("its columns hold no numbers")
	}
	return c, nil
}

var marks = regexp.MustCompile("`|\\[([^]]*)\\]\\([^)]*\\)")

// plain returns a cell's text without Markdown.
func plain(cell string) string { return strings.TrimSpace(marks.ReplaceAllString(cell, "$1")) }

var number = regexp.MustCompile(`^([\d.,]+)(?: (µs|ms|s|KB|MB|GB))?(?:$|[ ;(%])`)

// units are the factors for conversion to milliseconds and megabytes.
var units = map[string]float64{"": 1, "µs": 1e-3, "ms": 1, "s": 1e3, "KB": 1e-3, "MB": 1, "GB": 1e3}

// value parses the number at the beginning of a cell.
func value(cell string) (float64, bool) {
	m := number.FindStringSubmatch(cell)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
	return n * units[m[2]], err == nil
}

func (c chart) longest() (most float64) {
	for _, cells := range c.cells {
		for _, cell := range cells {
			n, _ := value(cell)
			most = max(most, n)
		}
	}
	if c.one {
		most = max(most, 1)
	}
	return most
}

// The dimensions of a chart, in units of its SVG.
const (
	width, longest       = 480.0, 370.0
	line, thick, between = 17.0, 14.0, 9.0
)

// draw returns the chart as an SVG in a figure, without empty lines, which would end it in Markdown.
func (c chart) draw() string {
	var bars strings.Builder
	scale, y := longest/c.longest(), 0.0
	for i, label := range c.labels {
		fmt.Fprintf(&bars, `<text x="0" y="%.1f">%s</text>`+"\n", y+line-4, html.EscapeString(label))
		y += line
		for s := range c.series {
			n, ok := value(c.cells[s][i])
			if !ok {
				continue
			}
			class, text := fmt.Sprintf("bar-%d", s), c.cells[s][i]
			if c.part {
				if s == 0 {
					continue // drawn over the whole
				}
				class, text = "rest", c.cells[0][i]+" of "+text
			}
			fmt.Fprintf(&bars, `<rect class="%s" x="0" y="%.1f" width="%.1f" height="%.0f" rx="2"/>`+"\n", class, y, max(n*scale, 1), thick)
			if part, ok := value(c.cells[0][i]); ok && c.part && part > 0 {
				fmt.Fprintf(&bars, `<rect class="bar-0" x="0" y="%.1f" width="%.1f" height="%.0f" rx="2"/>`+"\n", y, part*scale, thick)
			}
			text, _, _ = strings.Cut(text, " (")
			fmt.Fprintf(&bars, `<text class="value" x="%.1f" y="%.1f">%s</text>`+"\n", max(n*scale, 1)+6, y+thick-3, html.EscapeString(text))
			y += thick + 2
		}
		y += between
	}
	if c.one {
		fmt.Fprintf(&bars, `<line class="one" x1="%[1]f" x2="%[1]f" y1="0" y2="%[2]f"/>`+"\n", scale, y-between)
	}
	return fmt.Sprintf("<figure class=\"chart\"><figcaption>%s%s</figcaption>\n<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s: the table below has its figures\">\n%s</svg></figure>\n",
		html.EscapeString(c.caption), c.keys(), width, y, html.EscapeString(c.caption), bars.String())
}

// keys explains the colours, if there are several.
func (c chart) keys() string {
	if len(c.series) == 1 {
		return ""
	}
	var text strings.Builder
	text.WriteString("<br>")
	for s, name := range c.series {
		class := fmt.Sprintf("bar-%d", s)
		if c.part && s == 1 {
			class = "rest"
		}
		fmt.Fprintf(&text, `<span class="key %s"></span>%s`, class, html.EscapeString(name))
	}
	return text.String()
}
