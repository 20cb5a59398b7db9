package format

import "github.com/amlfix/amlfix/schema/format/literal"

// picked is a value of the document and the schema selected for it, which the library cannot know from the enclosing
// schema.
type picked struct {
	schema   *literal.Schema
	value    any
	location string
}

// check validates the document's value with the library, and each value below it against the schema that was selected
// for it.
func (v *validation) check(s *literal.Schema, value any) []literal.Fault {
	faults := literal.Faults(s, value)
	for _, p := range v.picked {
		for _, f := range literal.Faults(p.schema, p.value) {
			faults = append(faults, literal.Fault{Location: p.location + f.Location, Keyword: f.Keyword})
		}
	}
	return faults
}
