package requirement

import (
	"fmt"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestKept checks that a kept result is that of the parser, also when there is no room for more.
func TestKept(t *testing.T) {
	for i := range 1024 {
		for _, text := range []string{fmt.Sprintf("a%d", i), fmt.Sprintf("B_%d[x] ==1.0; python_version>'3'", i), fmt.Sprintf("c::d%d=1=b", i), "https://e.example/f-1.0-py3-none-any.whl", "g:h", ""} {
			for range 2 {
				image, err := ParseImage(text)
				wantImage, wantErr := parseImage(text)
				testkit.Same(t, wantImage, image, "%q", text)
				testkit.Same(t, wantErr, err, "%q", text)
				conda, err := ParseConda(text)
				want, wantErr := parseConda(text)
				testkit.Same(t, want, conda, "%q", text)
				testkit.Same(t, wantErr, err, "%q", text)
				pip, err := ParsePip(text)
				want, wantErr = parsePip(text)
				testkit.Same(t, want, pip, "%q", text)
				testkit.Same(t, wantErr, err, "%q", text)
			}
		}
	}
}
