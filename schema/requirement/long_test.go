package requirement

import (
	"strings"
	"testing"
)

// TestLongInput passes each parser long texts that could make it nest or start over; with quadratic work, it would not
// finish.
func TestLongInput(t *testing.T) {
	const size = 1 << 18
	for _, pattern := range []string{
		"a", "a ", "(", "[", "'", "#", "-", ":", "::", " ", "=", "==1,", "==1#a ,", "x==1#a ,==1#a ,", "1|", "1.", "1-", "!=1,", "and ", "a@", "a/",
		"x[a,", "a=b,", "x;(", "x;a=='b'and ", "--a ", "-e ", "%2B", "+a.", "a;", "^1$,", "a::", "a: ",
	} {
		for _, prefix := range []string{"", "x", "x==1#a ,", "x[", "x;", "x ", "x >", "https://", "https://a#egg=", "-e ", "1+", "==", "a:"} {
			s := prefix + strings.Repeat(pattern, size/len(pattern))
			for name, parse := range map[string]func() error{
				"pip":            func() error { _, err := ParsePip(s); return err },
				"conda":          func() error { _, err := ParseConda(s); return err },
				"wheel":          func() error { _, err := wheelNamed(s); return err },
				"image":          func() error { _, err := ParseImage(s); return err },
				"version":        func() error { _, err := ParseVersion(s); return err },
				"pip versions":   func() error { _, err := ParseConstraint(Pip, s); return err },
				"conda versions": func() error { _, err := ParseConstraint(Conda, s); return err },
			} {
				if err := parse(); err != nil && len(err.Error()) > 300 {
					t.Errorf("%s of %q and many %q: an error of %d bytes", name, prefix, pattern, len(err.Error()))
				}
			}
		}
	}
}
