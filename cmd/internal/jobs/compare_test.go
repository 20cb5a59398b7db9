package jobs

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestApart checks that two long values are shown where they differ.
func TestApart(t *testing.T) {
	long := "python train.py --data somewhere --rate 0.125 --epochs "
	for _, tt := range []struct{ one, other, want, wantOther string }{
		{"a", "-", "a", "-"},
		{long + "3", long + "4", long + "3", long + "4"},
		{long + "3 --verbose", long + "4 --verbose", "…rate 0.125 --epochs 3 --verbose", "…rate 0.125 --epochs 4 --verbose"},
		{strings.Repeat("ä", 70), strings.Repeat("ä", 70), strings.Repeat("ä", 59) + "…", strings.Repeat("ä", 59) + "…"},
		{strings.Repeat("ä", 70), strings.Repeat("ä", 70) + "b", "…" + strings.Repeat("ä", 20), "…" + strings.Repeat("ä", 20) + "b"},
	} {
		one, other := apart(tt.one, tt.other, 60)
		testkit.Same(t, tt.want, one)
		testkit.Same(t, tt.wantOther, other)
	}
}

// TestShownInOneLine checks that a command of several lines needs no escapes.
func TestShownInOneLine(t *testing.T) {
	row := pairRow{Values: [2]string{"set -e\npython train.py\n", ""}}
	testkit.Same(t, [2]string{"set -e python train.py", "-"}, [2]string{row.shown(0), row.shown(1)})
}

// TestManyMetrics compares runs of a job that logs a metric for each step under a name of its own.
func TestManyMetrics(t *testing.T) {
	testkit.Linear(t, "metrics with names of their own", 3000, func(size int) func() {
		var two [2]foundRun
		for side := range two {
			var text strings.Builder
			for i := range size {
				fmt.Fprintf(&text, "{\"t\": 1795431600, \"name\": \"m%d\", \"value\": %d}\n", i, side)
			}
			at := t.TempDir()
			testkit.Write(t, at, ".amlfix/runs/r/metrics.jsonl", text.String())
			two[side].Entry = record.Entry{Dir: filepath.Join(at, ".amlfix", "runs", "r")}
		}
		return func() {
			rows := compared(two)
			if n := len(rows); n < size || n > size+20 {
				t.Fatalf("%d rows", n)
			}
		}
	})
}
