package plain

import (
	"strings"

	"github.com/docker/go-units"
)

// Bytes parses a size as Docker does: a number followed by b, k, m, g, t or p in powers of 1024, in any case,
// optionally followed by "b" or "ib". ok is false for what Docker refuses, for zero, and for sizes of 4 EiB and more.
func Bytes(text string) (n int64, ok bool) {
	n, err := units.RAMInBytes(strings.TrimSpace(text))
	return n, err == nil && n > 0 && n < 1<<62
}
