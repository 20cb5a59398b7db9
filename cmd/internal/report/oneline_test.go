package report

import (
	"bytes"
	"testing"
)

// TestASCII checks each byte at each place.
func TestASCII(t *testing.T) {
	t.Parallel()
	for at := range 20 {
		for b := range 256 {
			text := bytes.Repeat([]byte("~"), 20)
			text[at] = byte(b)
			if got := ascii(text); got != (b < 0x7f) {
				t.Errorf("%q: %v", text, got)
			}
		}
	}
}
