package plain

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles an expression on its first call: few runs need any one of them.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
