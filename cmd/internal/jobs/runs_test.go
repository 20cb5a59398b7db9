package jobs

import (
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestTook checks that a clock with whole seconds is not presented as more precise.
func TestTook(t *testing.T) {
	began := time.Unix(1700000000, 0)
	for after, want := range map[time.Duration]string{0: "<1s", 2 * time.Second: "2s", 2500 * time.Millisecond: "2.5s", 30 * time.Millisecond: "30ms", 65 * time.Second: "1m05s", -time.Second: ""} {
		r := foundRun{Entry: record.Entry{Record: record.Record{Exit: &process.Exit{Started: began, Ended: began.Add(after)}}}}
		testkit.Same(t, want, r.took(), after)
	}
}

// TestBegun checks that a run that seems to begin later than now is not said to have begun some time ago.
func TestBegun(t *testing.T) {
	created := time.Date(2026, 11, 22, 10, 11, 12, 0, time.Local)
	for after, want := range map[time.Duration]string{90 * time.Second: "  (1m30s ago)", -time.Hour: ""} {
		testkit.Same(t, "Sun 22 Nov 2026 10:11:12"+want, begun(created, created.Add(after)), after)
	}
}

// TestSeries checks that a list counts as numbers only if all of it does.
func TestSeries(t *testing.T) {
	for _, c := range []struct {
		value any
		last  string
		count int
	}{{1.5, "1.5", 1}, {"a", "a", 0}, {[]any{1.0, "NaN", 3.0}, "3", 3}, {[]any{1.0, "b"}, "[1 b]", 0}, {[]any{}, "", 0}} {
		var s series
		s.add(shim.Metric{Value: c.value})
		testkit.Same(t, c.last, s.last(), c.value)
		testkit.Same(t, c.count, len(s.values), c.value)
	}
}

// TestPlanLine checks that a narrow terminal shows the origin of a value below it, and never breaks the value.
func TestPlanLine(t *testing.T) {
	l := plan.Line{Name: "command", Value: "python train.py --epochs 3", Origin: plan.Origin{Path: "job.yml", Line: 4, Note: "a note"}}
	for columns, want := range map[int]string{
		0:  "command      python train.py --epochs 3  (job.yml:4, a note)",
		60: "command      python train.py --epochs 3  (job.yml:4, a note)",
		59: "command      python train.py --epochs 3\n             (job.yml:4, a note)",
		20: "command      python train.py --epochs 3\n             (job.yml:4, a note)",
	} {
		testkit.Same(t, want, planLine(l, columns), columns)
	}
	testkit.Same(t, "outputs      outputs/", planLine(plan.Line{Name: "outputs", Value: "outputs/"}, 10))
}
