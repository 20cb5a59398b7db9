package jobs

import (
	"fmt"
	"math"
	"strconv"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// series is one metric of a run: its numbers in the order in which they were logged, or its last value if that is not a
// number.
type series struct {
	name   string
	values []float64
	text   string
}

// readSeries reads the metrics of the record in dir, in the order of their first values. A list of numbers counts as
// that many values. It skips malformed lines, and masks secrets.
func readSeries(dir string) (list []*series) {
	f, err := record.OpenMetrics(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	byName := map[string]*series{}
	_, _ = shim.ReadMetrics(f, func(m shim.Metric) {
		s := byName[m.Name]
		if s == nil {
			s = &series{name: m.Name}
			byName[m.Name], list = s, append(list, s)
		}
		s.add(m)
	})
	for _, s := range list { // before it is cut: the rest of a secret is not recognized
		if s.text = secret.HideValue(s.text); secret.Variable(s.name, s.text) {
			s.text = secret.Mask
		}
	}
	return list
}

func (s *series) add(m shim.Metric) {
	if n, ok := m.Number(); ok {
		s.values = append(s.values, n)
		return
	}
	items, ok := m.Value.([]any)
	var numbers []float64
	for _, item := range items {
		n, is := shim.Metric{Value: item}.Number()
		numbers, ok = append(numbers, n), ok && is
	}
	if !ok {
		s.text = fmt.Sprint(m.Value)
		return
	}
	s.values = append(s.values, numbers...)
}

// last returns the last value as shown to the user.
func (s *series) last() string {
	if len(s.values) == 0 {
		return plain.Fit(s.text, 40)
	}
	return number(s.values[len(s.values)-1])
}

// bounds returns the smallest and the largest of the finite values.
func (s *series) bounds() (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range s.values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high, ok = min(low, v), max(high, v), true
		}
	}
	return low, high, ok
}

// number formats a number with four significant digits.
func number(n float64) string { return strconv.FormatFloat(n, 'g', 4, 64) }

// headline returns the first metric that is a curve, or else the first one, in short form.
func headline(list []*series) string {
	if len(list) == 0 {
		return ""
	}
	best := list[0]
	for _, s := range list {
		if len(s.values) > 1 {
			best = s
			break
		}
	}
	text := plain.Fit(best.name, 16) + " "
	if len(best.values) > 1 {
		text += ui.Sparkline(best.values, 8) + " "
	}
	return text + plain.Fit(best.last(), 16)
}

// seriesRow is the JSON form of a metric.
type seriesRow struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	Last  string `json:"last"`
	Low   string `json:"lowest,omitempty"`
	High  string `json:"highest,omitempty"`
}

func rowsOf(list []*series) []seriesRow {
	rows := []seriesRow{}
	for _, s := range list {
		row := seriesRow{Name: s.name, Count: max(len(s.values), 1), Last: s.last()}
		if low, high, ok := s.bounds(); ok {
			row.Low, row.High = number(low), number(high)
		}
		rows = append(rows, row)
	}
	return rows
}
