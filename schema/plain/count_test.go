package plain_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/plain"
)

func TestCount(t *testing.T) {
	for want, n := range map[string]int{"0 keys are": 0, "1 key is": 1, "2 keys are": 2} {
		if got := plain.Count(n, "key") + " " + plain.Is(n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := plain.Count(3, "process"); got != "3 processes" {
		t.Error(got)
	}
}
