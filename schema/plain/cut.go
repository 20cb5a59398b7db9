package plain

// Cut returns the first most characters of a text, followed by "…" if there are more. It is not copied to its hundreds
// of callers.
//
//go:noinline
func Cut(text string, most int) string { return cut(text, most, most) }

// Fit is like Cut where there is only room for most characters, including the "…".
func Fit(text string, most int) string { return cut(text, most, most-1) }

// cut returns a text of at most most characters, or else the first ones of a longer one.
func cut(text string, most, first int) string {
	if len(text) > most {
		if runes := []rune(text); len(runes) > most {
			return string(runes[:first]) + "…"
		}
	}
	return text
}
