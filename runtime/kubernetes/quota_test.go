package kubernetes

import (
	"testing"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestQuantity(t *testing.T) {
	for text, want := range map[string]float64{"4": 4, "500m": 0.5, "4Gi": 4 << 30, "1e3": 1000, "1E": 1e18, "2k": 2000, "1.5Mi": 1.5 * (1 << 20), "": -1, "x": -1, "4Xi": -1, "Gi": -1} {
		got, ok := plain.Quantity(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q is %v, not %v", text, got, want)
		}
	}
	for want, n := range map[string]float64{"8Gi": 8 << 30, "512Mi": 512 << 20, "0.5": 0.5, "3": 3, "1000000000": 1e9} {
		testkit.Same(t, want, written(n))
	}
}
