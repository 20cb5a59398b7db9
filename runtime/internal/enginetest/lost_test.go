//go:build linux

package enginetest

import "testing"

func TestLacksOneBlock(t *testing.T) {
	const printed = "tick 1\ntick 2\ntick 12\ntick 3\nlast"
	for log, want := range map[string]bool{
		printed:                                         true,
		"tick 1\ntick 2\ntick 3\nlast":                  true,
		"tick 1\nlast":                                  true,
		"tick 2\ntick 12\ntick 3\nlast":                 false, // what was shown
		"tick 1\ntick 12\nlast":                         false, // two
		"tick 1\ntick 2\ntick 12\ntick 3\n":             false, // the end
		"tick 1\ntick 2\n2\ntick 3\nlast":               false, // a part of a line
		"tick 1\ntick 2\ntick 2\ntick 12\ntick 3\nlast": false,
		printed + "last":                                false,
		"":                                              false,
	} {
		if got := LacksOneBlock(log, printed, len("tick 1\n")); got != want {
			t.Errorf("%q: %v", log, got)
		}
	}
}
