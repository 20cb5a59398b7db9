package literal

// Library validates a value with a library; package library sets it when it starts. Await, unless it is nil, is called
// before that, and returns when the program has started: a check may begin earlier.
var (
	Library func(s *Schema, value any) []Fault
	Await   func()
)

// Faults returns what is wrong with a value, as encoding/json decodes it, in random order. It panics in a program that
// does not import package library.
func Faults(s *Schema, value any) []Fault {
	if Await != nil {
		Await()
	}
	if Library == nil {
		panic(`no library validates: import _ "github.com/amlfix/amlfix/schema/format/library"`)
	}
	return Library(s, value)
}
