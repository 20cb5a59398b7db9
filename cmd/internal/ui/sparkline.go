package ui

import (
	"math"
	"strings"
)

var bars = []rune("▁▂▃▄▅▆▇█")

// Sparkline draws values as a line of at most width characters, the lowest value as "▁" and the highest as "█". If
// there are more values than characters, each character shows the mean of several. Equal values are all "▄", and values
// that are not finite numbers are "·".
func Sparkline(values []float64, width int) string {
	if len(values) == 0 || width <= 0 {
		return ""
	}
	points := make([]float64, min(width, len(values)))
	low, high := math.Inf(1), math.Inf(-1)
	for i := range points {
		points[i] = mean(values[i*len(values)/len(points) : (i+1)*len(values)/len(points)])
		if !math.IsNaN(points[i]) {
			low, high = min(low, points[i]), max(high, points[i])
		}
	}
	var b strings.Builder
	for _, p := range points {
		switch {
		case math.IsNaN(p):
			b.WriteRune('·')
		case low == high:
			b.WriteRune('▄')
		default: // halves keep the difference of two huge values finite
			share := (p/2 - low/2) / (high/2 - low/2)
			b.WriteRune(bars[min(int(share*float64(len(bars))), len(bars)-1)])
		}
	}
	return b.String()
}

// mean returns the mean of the finite numbers in values; NaN if there are none.
func mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			n++
			sum += (v - sum) / float64(n)
		}
	}
	if n == 0 || math.IsInf(sum, 0) || math.IsNaN(sum) {
		return math.NaN()
	}
	return sum
}
