package plan

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestUnpassable(t *testing.T) {
	const long = "is longer than 128 KiB, which Linux passes to no program: write it to a file, and give the file's name"
	full := strings.Repeat("x", 128<<10-1)
	for text, want := range map[string]string{"": "", "a\nb\xff": "", full: "", full + "x": long, "a\x00": "contains a NUL character: remove it"} {
		testkit.Same(t, want, Unpassable(text), "%.9q", text)
	}
	testkit.Same(t, `the value of the environment variable "A" `+long, Unsettable("A", full, false))
	testkit.Same(t, "", Unsettable("A", full[2:], false))
}
