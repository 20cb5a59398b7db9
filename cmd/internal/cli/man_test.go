package cli

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestRoff(t *testing.T) {
	for line, want := range map[string]string{
		".TH x": `\&.TH x`, "a.b": "a.b", `c:\n`: `c:\en`, "it's --x": `it\(aqs \-\-x`, "'x": `\(aqx`,
	} {
		testkit.Same(t, want, roff(line), "%q", line)
	}
}
