package pool

import (
	"strings"
	"testing"
)

func TestGuarded(t *testing.T) {
	_, err := Guarded("p", func() int { panic("no") })
	if err == nil || !strings.HasPrefix(err.Error(), "p: amlfix failed") || !strings.HasSuffix(err.Error(), ": no") {
		t.Errorf("guarded = %v", err)
	}
	if n, err := Guarded("p", func() int { return 7 }); n != 7 || err != nil {
		t.Errorf("guarded = %d, %v", n, err)
	}
}
