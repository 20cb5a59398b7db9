package page

import (
	"fmt"
	"math"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

func (c curve) say(i int) string { return c.step + " " + c.showX(c.x[i]) + ": " + c.showY(c.y[i]) }

func sign(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "▲"
	case math.IsInf(v, -1):
		return "▼"
	}
	return "×"
}

// notes returns what the line does not show.
func notes(piece, odd, marked, n int) string {
	var list []string
	if piece > 1 {
		list = append(list, fmt.Sprintf("The line shows the lowest and the highest of each %d of %d values.", piece, n))
	}
	switch {
	case odd == n:
		list = append(list, "None of them is a finite number.")
	case odd > 0:
		list = append(list, plain.Count(odd, "value")+" "+map[bool]string{true: "is not a finite number", false: "are not finite numbers"}[odd == 1]+
			", marked × (NaN), ▲ (+Inf) or ▼ (-Inf) at the bottom.")
	}
	if odd > marked && piece <= 1 {
		list = append(list, fmt.Sprintf("The first %d of these are marked.", marked))
	}
	return strings.Join(list, " ")
}

// describe returns what the chart shows, in words, in short and in full.
func (c curve) describe(odd int) (short, full string) {
	n := len(c.y)
	if odd == n {
		full = plain.Count(n, "value") + ", none of them a finite number"
		return full, full
	}
	low, high, atLow, atHigh := math.Inf(1), math.Inf(-1), 0, 0
	for i, v := range c.y {
		if finite(v) && v < low {
			low, atLow = v, i
		}
		if finite(v) && v > high {
			high, atHigh = v, i
		}
	}
	short = fmt.Sprintf("Last %s, lowest %s, highest %s", c.showY(c.y[n-1]), c.showY(low), c.showY(high))
	full = fmt.Sprintf("%s from %s %s to %s: first %s, last %s, lowest %s at %[2]s %[8]s, highest %[9]s at %[2]s %[10]s", plain.Count(n, "value"), c.step, c.showX(c.x[0]), c.showX(c.x[n-1]),
		c.showY(c.y[0]), c.showY(c.y[n-1]), c.showY(low), c.showX(c.x[atLow]), c.showY(high), c.showX(c.x[atHigh]))
	return short, full
}

// rows returns the values as a table for people who cannot see the chart, and what the table omits.
func (c curve) rows() (list [][2]string, note string) {
	n := len(c.y)
	count := min(n, mostRows)
	for k := range count {
		i := k
		if n > count {
			i = int(int64(k) * int64(n-1) / int64(count-1))
		}
		list = append(list, [2]string{c.showX(c.x[i]), c.showY(c.y[i])})
	}
	if n > count {
		note = fmt.Sprintf("%d of %d values, evenly apart", count, n)
	}
	return list, note
}
