package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRoff(t *testing.T) {
	for line, want := range map[string]string{
		".TH x": `\&.TH x`, "a.b": "a.b", `c:\n`: `c:\en`, "it's --x": `it\(aqs \-\-x`, "'x": `\(aqx`,
	} {
		if d := cmp.Diff(want, roff(line)); d != "" {
			t.Errorf("%q:\n%s", line, d)
		}
	}
}
