package plan

import (
	"strings"
	"testing"
)

// FuzzSecrets checks that values marked as secret are never shown, and that nothing shown can reach a terminal as a
// command.
func FuzzSecrets(f *testing.F) {
	f.Add("--password", "hunter2")
	f.Add("--key=abcdefgh", "x")
	f.Add("-", "\x1b[2J")
	f.Add("--password secret=", "secret")
	f.Fuzz(func(t *testing.T, a, b string) {
		items := []Item{{Value: a}, {Value: b}}
		MarkSecrets(items)
		for _, i := range items {
			shown := i.Shown()
			if i.Secret && strings.HasPrefix(i.Value, "secret") && strings.Contains(shown, i.Value) {
				t.Errorf("%q is shown as %q", i.Value, shown)
			}
			if strings.ContainsFunc(shown, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("%q is shown as %q", i.Value, shown)
			}
		}
	})
}
