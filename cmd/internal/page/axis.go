package page

import (
	"math"
	"strconv"
)

// axis is the range of values on a chart's axis.
type axis struct{ low, high, apart float64 }

// newAxis rounds a range outwards to the nearest grid lines. Calculating with halves keeps the difference of two huge
// numbers finite.
func newAxis(low, high float64) axis {
	if low == high {
		off := math.Abs(low) / 10
		if off == 0 || math.IsInf(off, 0) {
			off = 1
		}
		low, high = low-off, high+off
	}
	span := high/2 - low/2
	apart := nice(span / 2)
	if apart == 0 || math.IsInf(apart, 0) || low/apart == low/apart+1 {
		return axis{low, high, 0} // too close together, or too far apart, to round
	}
	a := axis{math.Floor(low/apart) * apart, math.Ceil(high/apart) * apart, apart}
	if math.IsInf(a.low, 0) || math.IsInf(a.high, 0) {
		return axis{low, high, 0}
	}
	return a
}

// nice returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least v.
func nice(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 2, 5, 10} {
		if f*power >= v {
			return f * power
		}
	}
	return 10 * power
}

// share returns the position of a value, from 0 to 1.
func (a axis) share(v float64) float64 {
	s := (v/2 - a.low/2) / (a.high/2 - a.low/2)
	if !finite(s) {
		return 0
	}
	return min(max(s, 0), 1)
}

// ticks returns the values of the grid lines.
func (a axis) ticks() (list []float64) {
	if a.apart == 0 {
		return []float64{a.low, a.high}
	}
	for i := range 12 {
		v := a.low + float64(i)*a.apart
		if v > a.high+a.apart/2 {
			break
		}
		if math.Abs(v) < a.apart/1e6 {
			v = 0
		}
		list = append(list, v)
	}
	return list
}

// number formats a number with five significant digits.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case v == math.Trunc(v) && math.Abs(v) < 1e7:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}
