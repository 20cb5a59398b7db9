package report

import (
	"testing"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestRegionOf compares the ends of regions, which are counted from their beginnings, with positions.
func TestRegionOf(t *testing.T) {
	for _, text := range []string{"", "a: b\nc: dé\n", "\xef\xbb\xbfa\r\nb", "a\rb", "ä\xff\xe2\x82b\n"} {
		src := source.New("x", []byte(text))
		for start := -1; start <= len(text)+1; start++ {
			for end := start; end <= len(text)+1; end++ {
				from, to := src.Position(start), src.Position(end)
				testkit.Same(t, Region{from.Line, from.Column, to.Line, to.Column}, regionOf(src, source.Span{Start: start, End: end}), "%q %d %d", text, start, end)
			}
		}
	}
}
