package plain_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestCount(t *testing.T) {
	for want, n := range map[string]int{"0 keys are it": 0, "1 key is it": 1, "2 keys are them": 2} {
		testkit.Same(t, want, plain.Count(n, "key")+" "+plain.Is(n)+" "+plain.Them(n))
	}
	if got := plain.Count(3, "process"); got != "3 processes" {
		t.Error(got)
	}
}
