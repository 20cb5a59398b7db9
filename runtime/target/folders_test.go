package target

import (
	"testing"

	"github.com/amlfix/amlfix/runtime/preflight"
)

func TestSpace(t *testing.T) {
	for _, tt := range []struct {
		free, size int64
		want       preflight.Status
	}{{0, 1, preflight.Failed}, {5e9, 6e9, preflight.Failed}, {1e8, 0, preflight.Doubtful}, {6.1e9, 6e9, preflight.Doubtful}, {1e9, 1e6, preflight.OK}} {
		if got := Space(tt.size, tt.free, "/tmp", "next"); got.Status != tt.want || (got.Next == "") != (tt.want == preflight.OK) {
			t.Errorf("%d, %d: %+v", tt.free, tt.size, got)
		}
	}
}
