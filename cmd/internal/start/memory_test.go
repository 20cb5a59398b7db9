package start

import "testing"

// A heap with little alive may always grow to one size, and never beyond two and a half times what is alive otherwise.
func TestCollection(t *testing.T) {
	for _, c := range []struct {
		alive   uint64
		percent int
	}{{0, 400}, {size / 5, 400}, {size/5 + 1, 399}, {8 << 20, 200}, {12 << 20, 150}, {large, 150}, {large + 1, 45}} {
		if percent := collection(c.alive); percent != c.percent {
			t.Errorf("%d bytes alive: %d %%", c.alive, percent)
		}
	}
}
