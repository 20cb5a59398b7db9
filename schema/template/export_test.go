package template

// Marked asks the expression alone.
func Marked(text string) bool { return marks().MatchString(text) }
