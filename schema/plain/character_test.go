package plain

import "testing"

func TestCharacter(t *testing.T) {
	for text, want := range map[string]string{
		"": "the end", " ": "a space", "\t": "a tab", "\n": "a line break", "\r": "a line break", "\u00a0": "a non-breaking space",
		"\u202f": "a non-breaking space", "\xff": "a byte that is not text", "\ufffd": "'\ufffd' (U+FFFD)", "\u200b": "an invisible character (U+200B)",
		"a": "'a'", "é": "'é' (U+00E9)",
	} {
		if got := Character("x"+text, 1); got != want {
			t.Errorf("%q: %s instead of %s", text, got, want)
		}
	}
}
