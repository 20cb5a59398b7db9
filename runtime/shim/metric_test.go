package shim

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestReadMetrics(t *testing.T) {
	at := time.Unix(1511222333, 250_000_000).UTC()
	line := func(name, value string) string {
		return `{"t": 1511222333.25, "name": "` + name + `", "value": ` + value + "}\n"
	}
	long := strings.Repeat("1,", 50_000) + "1"
	for _, tt := range []struct {
		name, text string
		want       []Metric
		unread     int // bytes
		err        string
	}{
		{name: "nothing"},
		{name: "number", text: line("loss", "0.5"), want: []Metric{{at, "loss", 0.5}}},
		{name: "string", text: line("note", `"a\u00e9"`), want: []Metric{{at, "note", "aé"}}},
		{name: "array", text: line("a", `[[1, 2], ["x", "NaN"]]`), want: []Metric{{at, "a", []any{[]any{1., 2.}, []any{"x", "NaN"}}}}},
		{name: "order", text: line("a", "2") + line("b", "1") + line("a", "1"), want: []Metric{{at, "a", 2.}, {at, "b", 1.}, {at, "a", 1.}}},
		{name: "being written", text: line("a", "1") + `{"t": 15`, want: []Metric{{at, "a", 1.}}, unread: 8},
		{name: "longer than the buffer", text: line("a", "["+long+"]") + line("b", "1"), want: []Metric{{at, "a", ones(50_001)}, {at, "b", 1.}}},
		{name: "broken lines", text: "no\n" + line("a", "1") + line("n", "null") + "\n" + line("b", "[{}]") + line("c", "true"),
			want: []Metric{{at, "a", 1.}}, err: `line 1 of the metrics is skipped: it does not have the form {"t": 1.0, "name": "loss", "value": 0.5}`},
		{name: "no time", text: `{"name": "a", "value": 1}` + "\n" + `{"t": 1e30, "name": "a", "value": 1}` + "\n", err: "line 1 "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []Metric
			read, err := ReadMetrics(iotest.HalfReader(strings.NewReader(tt.text)), func(m Metric) { got = append(got, m) })
			testkit.Same(t, tt.want, got)
			if read != int64(len(tt.text)-tt.unread) {
				t.Errorf("read %d of %d bytes", read, len(tt.text))
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v", err)
			}
		})
	}
	if _, err := ReadMetrics(iotest.ErrReader(io.ErrUnexpectedEOF), nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a failing disk gives %v", err)
	}
}

func ones(n int) (list []any) {
	for range n {
		list = append(list, 1.)
	}
	return list
}

func TestNumber(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  float64
		ok    bool
	}{{1.5, 1.5, true}, {"Infinity", math.Inf(1), true}, {"-Infinity", math.Inf(-1), true}, {"infinity", 0, false}, {[]any{1.}, 0, false}} {
		if got, ok := (Metric{Value: tt.value}).Number(); got != tt.want || ok != tt.ok {
			t.Errorf("%v: %v, %v", tt.value, got, ok)
		}
	}
	if n, ok := (Metric{Value: "NaN"}).Number(); !ok || !math.IsNaN(n) {
		t.Errorf("NaN: %v, %v", n, ok)
	}
}

func FuzzReadMetrics(f *testing.F) {
	f.Add("{\"t\": 1511222333.25, \"name\": \"loss\", \"value\": 0.25}\n{\"t\": 1}\nx")
	f.Fuzz(func(t *testing.T, text string) {
		var all []Metric
		read, _ := ReadMetrics(strings.NewReader(text), func(m Metric) { all = append(all, m) })
		if end := int64(strings.LastIndexByte(text, '\n') + 1); read != end {
			t.Fatalf("read %d bytes, the last line ends at %d", read, end)
		}
		// reading in two steps gives the same result
		var parts []Metric
		half := len(text) / 2
		n, _ := ReadMetrics(strings.NewReader(text[:half]), func(m Metric) { parts = append(parts, m) })
		_, _ = ReadMetrics(strings.NewReader(text[n:]), func(m Metric) { parts = append(parts, m) })
		if d := cmp.Diff(all, parts); d != "" {
			t.Fatal(d)
		}
	})
}
