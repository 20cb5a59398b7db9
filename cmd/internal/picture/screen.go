package main

import (
	"regexp"
	"strings"
)

// columns is the width of the terminal in the picture.
const columns = 104

// run is text in one colour; style is a class of the SVG, or empty.
type run struct{ Style, Text string }

var (
	escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")
	styles = map[string]string{"1": "b", "2": "dim", "1;31": "red", "31": "gone", "1;33": "yellow", "32": "green", "36": "cyan"}
)

// screen returns the lines of a terminal that shows text: runs of one colour, with long lines wrapped, at a space if
// possible.
func screen(text string) [][]run {
	var lines [][]run
	for line := range strings.SplitSeq(text, "\n") {
		var runs []run
		style, begin := "", 0
		for _, m := range append(escape.FindAllStringSubmatchIndex(line, -1), []int{len(line), len(line), len(line), len(line)}) {
			if m[0] > begin {
				runs = append(runs, run{style, line[begin:m[0]]})
			}
			style, begin = styles[line[m[2]:m[3]]], m[1]
		}
		lines = append(lines, wrapped(runs)...)
	}
	return lines
}

// wrapped breaks a line into lines of at most columns characters.
func wrapped(runs []run) [][]run {
	var flat []rune
	var style []string
	for _, r := range runs {
		for _, c := range r.Text {
			flat, style = append(flat, c), append(style, r.Style)
		}
	}
	var lines [][]run
	for {
		end, next := len(flat), len(flat)
		if end > columns {
			end, next = columns, columns
			if space := strings.LastIndex(string(flat[:columns+1]), " "); space > columns/2 {
				end = len([]rune(string(flat[:columns+1])[:space]))
				next = end + 1
			}
		}
		var line []run
		for i := range end {
			if n := len(line); n > 0 && line[n-1].Style == style[i] {
				line[n-1].Text += string(flat[i])
			} else {
				line = append(line, run{style[i], string(flat[i])})
			}
		}
		lines = append(lines, line)
		if next >= len(flat) {
			return lines
		}
		flat, style = flat[next:], style[next:]
	}
}
