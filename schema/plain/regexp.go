package plain

import "regexp"

// Regexp returns a function that compiles an expression on its first call: few runs need any one of them. It is not
// copied to its callers, for the same reason as Once.
//
//go:noinline
func Regexp(expression string) func() *regexp.Regexp {
	return Once(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
