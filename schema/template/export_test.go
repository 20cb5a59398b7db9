package template

// Marked reports whether the regular expression matches, without the quick check.
func Marked(text string) bool { return marks.Get().MatchString(text) }
