package jobs

import (
	"strings"
	"testing"

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
