package ui

import (
	"math"
	"testing"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestSparkline(t *testing.T) {
	up := make([]float64, 800)
	for i := range up {
		up[i] = float64(i)
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		values []float64
		width  int
		want   string
	}{
		{nil, 8, ""},
		{[]float64{1}, 0, ""},
		{[]float64{3}, 8, "▄"},
		{[]float64{3, 3, 3}, 8, "▄▄▄"},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█"},
		{[]float64{2, 1}, 8, "█▁"},
		{up, 8, "▁▂▃▄▅▆▇█"},
		{[]float64{1, nan, 2, inf}, 8, "▁·█·"},
		{[]float64{nan}, 8, "·"},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, 8, "▁█"},
	} {
		testkit.Same(t, tt.want, Sparkline(tt.values, tt.width), "Sparkline(%v, %d)", tt.values, tt.width)
	}
}

func FuzzSparkline(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 2)
	f.Fuzz(func(t *testing.T, a, b, c float64, width int) {
		got := Sparkline([]float64{a, b, c}, width)
		if n := utf8.RuneCountInString(got); n != max(0, min(width, 3)) {
			t.Errorf("%q has %d characters", got, n)
		}
	})
}
