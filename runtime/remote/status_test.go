package remote

import (
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestStatus(t *testing.T) {
	type read struct {
		Number int
		At     time.Time
		OK     bool
	}
	for text, want := range map[string]read{
		"3 1700000000.250000000": {3, time.Unix(1700000000, 250e6), true},
		"3 1700000000.000000007": {3, time.Unix(1700000000, 7), true},
		"143 1700000000":         {143, time.Unix(1700000000, 0), true}, // written by an earlier version
		"0 1700000000.%N":        {0, time.Unix(1700000000, 0), true},   // where date does not support fractions
		"0 1700000000.N":         {0, time.Unix(1700000000, 0), true},
		"0 1700000000.5":         {0, time.Unix(1700000000, 0), true},
		"0":                      {},
		"":                       {},
		"x 1700000000":           {0, time.Unix(1700000000, 0), false},
	} {
		n, at, ok := status(text)
		testkit.Same(t, want, read{n, at, ok}, "%q", text)
	}
}

func FuzzStatus(f *testing.F) {
	for _, text := range []string{"3 1700000000.250000000", "3 1700000000", "0 1.%N", "none"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, at, ok := status(text); ok && (at.Nanosecond() < 0 || at.Nanosecond() > 999999999) {
			t.Errorf("%q: %v", text, at)
		}
	})
}
