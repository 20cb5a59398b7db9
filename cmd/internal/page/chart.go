package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The layout of a chart of 400 by 170 units, of about one pixel each.
const (
	plotLeft   = 52.0 // to the left are the labels of the horizontal lines
	plotRight  = 392.0
	plotTop    = 10.0
	plotBottom = 144.0
)

// Limits on what is drawn: points marked individually, marks for values that are not finite numbers, pieces into which
// a longer series is divided, and rows in the table below.
const (
	mostDots   = 60
	mostMarks  = 40
	mostPieces = 200
	mostRows   = 100
)

// curve is what a chart shows: the y value for each x, finite or not. x never decreases.
type curve struct {
	x, y []float64
	// low and high are the least range of the y axis; they may be equal.
	low, high    float64
	area         bool // the area below the curve is filled
	step, unit   string
	showX, showY func(float64) string
}

// chart is a curve in the form that the template draws.
type chart struct {
	ID, Title, Desc string
	Line, Area      string // path data
	Dense           bool   // the line goes up and down for each piece of a long series
	Dots, Marks     []dot
	Across          []tick // horizontal lines, with their values of y
	Along           []tick // values of x
	Short           string // a shorter Desc for those who see the chart
	Note            string // what the line omits; "" if it is complete
	Rows            [][2]string
	RowsNote        string
	Step, Unit      string
}

type dot struct {
	X, Y, Text, Sign string
}

type tick struct {
	At, Text, Anchor string
}

func at(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// draw converts a curve with at least one point to a chart.
func (c curve) draw(id, title string) chart {
	out := chart{ID: id, Title: title, Step: c.step, Unit: c.unit}
	low, high, odd := c.low, c.high, 0
	if low == high {
		low, high = math.Inf(1), math.Inf(-1)
	}
	for _, v := range c.y {
		if finite(v) {
			low, high = min(low, v), max(high, v)
		} else {
			odd++
		}
	}
	if low > high { // no value is finite
		low, high = 0, 1
	}
	axis := newAxis(low, high)
	first, last := c.x[0], c.x[len(c.x)-1]
	px := func(v float64) float64 {
		if last == first {
			return (plotLeft + plotRight) / 2
		}
		return plotLeft + (plotRight-plotLeft)*((v-first)/(last-first))
	}
	py := func(v float64) float64 { return plotBottom - (plotBottom-plotTop)*axis.share(v) }
	keep, piece := c.thin()
	c.trace(&out, keep, px, py)
	out.Dense = piece > 1
	for _, v := range axis.ticks() {
		out.Across = append(out.Across, tick{at(py(v)), c.showY(v), ""})
	}
	out.Along = c.along(px)
	out.Note = notes(piece, odd, len(out.Marks), len(c.y))
	out.Short, out.Desc = c.describe(odd)
	out.Rows, out.RowsNote = c.rows()
	return out
}

// trace draws the line through the points to keep, the area below it, and what is marked.
func (c curve) trace(out *chart, keep []int, px, py func(float64) float64) {
	var line, area strings.Builder
	pen, from, before := "M", 0.0, 0.0
	lift := func() {
		if pen == "L" {
			fmt.Fprintf(&area, "L%s %sL%s %sZ", at(before), at(plotBottom), at(from), at(plotBottom))
		}
		pen = "M"
	}
	for _, i := range keep {
		x, v := px(c.x[i]), c.y[i]
		if !finite(v) {
			lift()
			if len(out.Marks) < mostMarks {
				out.Marks = append(out.Marks, dot{at(x), at(plotBottom - 3), c.say(i), sign(v)})
			}
			continue
		}
		if pen == "M" {
			from = x
		}
		to := pen + at(x) + " " + at(py(v))
		line.WriteString(to)
		area.WriteString(to)
		pen, before = "L", x
		alone := (i == 0 || !finite(c.y[i-1])) && (i+1 == len(c.y) || !finite(c.y[i+1]))
		if len(c.y) <= mostDots || alone && len(out.Dots) < mostDots {
			out.Dots = append(out.Dots, dot{X: at(x), Y: at(py(v)), Text: c.say(i)})
		}
	}
	lift()
	if out.Line = line.String(); c.area {
		out.Area = area.String()
	}
}

// along returns the values below the chart: the first, the last and one in between.
func (c curve) along(px func(float64) float64) (list []tick) {
	n := len(c.x)
	list = append(list, tick{at(px(c.x[0])), c.showX(c.x[0]), "start"})
	if c.x[0] == c.x[n-1] {
		list[0].Anchor = "middle"
		return list
	}
	if n > 4 {
		list = append(list, tick{at(px(c.x[n/2])), c.showX(c.x[n/2]), "middle"})
	}
	return append(list, tick{at(px(c.x[n-1])), c.showX(c.x[n-1]), "end"})
}

// thin returns the points to draw, in order: all points of a short series, and for each piece of a long one the lowest,
// the highest and those that are not finite. piece is how many values a piece has; 1 if all are drawn.
func (c curve) thin() (keep []int, piece int) {
	n := len(c.y)
	if n <= 2*mostPieces {
		for i := range n {
			keep = append(keep, i)
		}
		return keep, 1
	}
	piece = (n + mostPieces - 1) / mostPieces
	for from := 0; from < n; from += piece {
		lowest, highest, odd := -1, -1, -1
		for i := from; i < min(from+piece, n); i++ {
			switch v := c.y[i]; {
			case !finite(v):
				if odd < 0 {
					odd = i
				}
			default:
				if lowest < 0 || v < c.y[lowest] {
					lowest = i
				}
				if highest < 0 || v > c.y[highest] {
					highest = i
				}
			}
		}
		keep = append(keep, lowest, highest, odd)
	}
	keep = slices.DeleteFunc(append(keep, 0, n-1), func(i int) bool { return i < 0 })
	slices.Sort(keep)
	return slices.Compact(keep), piece
}
