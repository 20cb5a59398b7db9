package page

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func steps(values ...float64) curve {
	c := curve{y: values, step: "step", unit: "value", showX: number, showY: number}
	for i := range values {
		c.x = append(c.x, float64(i+1))
	}
	return c
}

// TestCharts checks what a chart draws and says for series of every kind.
func TestCharts(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, tt := range map[string]struct {
		values              []float64
		short, note, across string
		pens, dots, marks   int
	}{
		"two":               {[]float64{1, 2}, "Last 2, lowest 1, highest 2", "", "1 1.5 2", 1, 2, 0},
		"equal":             {[]float64{5, 5, 5}, "Last 5, lowest 5, highest 5", "", "4.5 5 5.5", 1, 3, 0},
		"zero":              {[]float64{0, 0}, "Last 0, lowest 0, highest 0", "", "-1 -0.5 0 0.5 1", 1, 2, 0},
		"negative":          {[]float64{-3, 4}, "Last 4, lowest -3, highest 4", "", "-4 -2 0 2 4", 1, 2, 0},
		"gaps":              {[]float64{1, nan, 3, inf, -inf, 2}, "Last 2, lowest 1, highest 3", "3 values are not finite numbers, marked × (NaN), ▲ (+Inf) or ▼ (-Inf) at the bottom.", "1 1.5 2 2.5 3", 3, 3, 3},
		"nothing finite":    {[]float64{nan, inf}, "2 values, none of them a finite number", "None of them is a finite number.", "0 0.5 1", 0, 0, 2},
		"huge":              {[]float64{-math.MaxFloat64, math.MaxFloat64}, "Last 1.7977e+308, lowest -1.7977e+308, highest 1.7977e+308", "", "-1.7977e+308 1.7977e+308", 1, 2, 0},
		"tiny":              {[]float64{5e-324, 0}, "Last 0, lowest 0, highest 4.9407e-324", "", "0 4.9407e-324", 1, 2, 0},
		"hardly different":  {[]float64{1e17, 1e17 + 16}, "Last 1e+17, lowest 1e+17, highest 1e+17", "", "1e+17 1e+17", 1, 2, 0},
		"small differences": {[]float64{0.001, 0.0015}, "Last 0.0015, lowest 0.001, highest 0.0015", "", "0.001 0.0012 0.0014 0.0016", 1, 2, 0},
	} {
		c := steps(tt.values...).draw("c", "name")
		var across []string
		for _, l := range c.Across {
			across = append(across, l.Text)
		}
		testkit.Same(t, []string{tt.short, tt.note, tt.across}, []string{c.Short, c.Note, strings.Join(across, " ")}, name)
		if pens := strings.Count(c.Line, "M"); pens != tt.pens || len(c.Dots) != tt.dots || len(c.Marks) != tt.marks {
			t.Errorf("%s: %d lines, %d dots, %d marks", name, pens, len(c.Dots), len(c.Marks))
		}
		within(t, name, c)
	}
}

// within fails the test if a point is outside the drawing.
func within(t *testing.T, name string, c chart) {
	t.Helper()
	for _, m := range regexp.MustCompile(`[ML](\S+) ([^\sLMZ]+)`).FindAllStringSubmatch(c.Line+c.Area, -1) {
		var x, y float64
		if n, _ := fmt.Sscan(m[1]+" "+m[2], &x, &y); n != 2 || x < plotLeft || x > plotRight || y < plotTop || y > plotBottom {
			t.Errorf("%s: a point at %s", name, m[0])
		}
	}
}

// TestThinning checks that a line with many values keeps the highest and the lowest of each piece, including a single
// outlier, and says what it does not show.
func TestThinning(t *testing.T) {
	for _, n := range []int{2*mostPieces - 1, 2 * mostPieces, 2*mostPieces + 1, 12_345, 1_000_000} {
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Sin(float64(i))
		}
		values[n/3], values[n/2], values[n-2] = 100, -100, math.NaN()
		c := steps(values...)
		keep, piece := c.thin()
		have := map[int]bool{}
		for i, at := range keep {
			if have[at] = true; i > 0 && at <= keep[i-1] {
				t.Fatalf("%d: %d after %d", n, at, keep[i-1])
			}
		}
		for _, at := range []int{0, n / 3, n / 2, n - 2, n - 1} {
			if !have[at] {
				t.Errorf("of %d values number %d is not drawn", n, at)
			}
		}
		drawn := c.draw("c", "name")
		if want := fmt.Sprintf("The line shows the lowest and the highest of each %d of %d values.", piece, n); strings.Contains(drawn.Note, want) != (n > 2*mostPieces) {
			t.Errorf("%d: %s", n, drawn.Note)
		}
		if len(keep) > 4*mostPieces || len(drawn.Line) > 20_000 || len(drawn.Rows) > mostRows || len(drawn.Marks) != 1 {
			t.Errorf("%d: %d points, %d bytes, %d rows, %d marks", n, len(keep), len(drawn.Line), len(drawn.Rows), len(drawn.Marks))
		}
		within(t, fmt.Sprint(n), drawn)
	}
}

func FuzzChart(f *testing.F) {
	f.Add(1.0, 2.0, 3.0)
	f.Add(math.Inf(1), -math.MaxFloat64, 5e-324)
	f.Fuzz(func(t *testing.T, a, b, c float64) {
		drawn := steps(a, b, c, a).draw("c", "name")
		within(t, "fuzz", drawn)
		if n := len(drawn.Across); n < 2 || n > 12 || strings.Contains(drawn.Line+drawn.Area, "N") {
			t.Errorf("%v %v %v: %d lines across, %s", a, b, c, n, drawn.Line)
		}
	})
}
