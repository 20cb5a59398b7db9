package plain

import (
	"strconv"
	"strings"

	"github.com/docker/go-units"
)

// Bytes parses a size as Docker does: a number followed by b, k, m, g, t or p in powers of 1024, in any case,
// optionally followed by "b" or "ib". ok is false for what Docker refuses, for zero, and for sizes of 4 EiB and more.
func Bytes(text string) (n int64, ok bool) {
	n, err := units.RAMInBytes(strings.TrimSpace(text))
	return n, err == nil && n > 0 && n < 1<<62
}

// Quantity reads a number as Kubernetes writes it: "4Gi", "500m", "1e3".
func Quantity(text string) (n float64, ok bool) {
	number := strings.TrimRight(text, "numkKMGTPEi")
	n, err := strconv.ParseFloat(number, 64)
	unit, known := map[string]float64{
		"": 1, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
		"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50, "Ei": 1 << 60,
	}[text[len(number):]]
	return n * unit, err == nil && known
}
