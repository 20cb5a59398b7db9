package plain

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled on its first use: few runs need any one of them. As a package
// variable it costs nothing at start, because the compiler lays it out in the program's data.
type Regexp struct {
	Text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// Get returns the compiled expression; it panics if the text is faulty.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.Text) })
	return r.compiled
}
