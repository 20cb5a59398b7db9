package format

import (
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// fault is a keyword of a schema that a value does not satisfy.
type fault struct {
	location string // the value, as the library writes it
	keyword  string // "" if the value could not be checked
}

// picked is a value of the document and the schema selected for it, which the library cannot know from the enclosing
// schema.
type picked struct {
	schema   *jsonschema.Schema
	value    any
	location string
}

// check validates the document's value with the library, and each value below it against the schema that was selected
// for it.
func (v *validation) check(s *jsonschema.Schema, value any) []fault {
	faults := check(s, value)
	for _, p := range v.picked {
		for _, f := range check(p.schema, p.value) {
			faults = append(faults, fault{p.location + f.location, f.keyword})
		}
	}
	return faults
}

// check validates value with the library. Each of its errors without a cause is a fault; their order is random.
func check(s *jsonschema.Schema, value any) (faults []fault) {
	defer func() {
		// The library computes with the values it gets; if one makes it panic, only that file remains unchecked.
		if recover() != nil {
			faults = []fault{{}}
		}
	}()
	wrapper := wrapped(s)
	if err := wrapper.Validate(value); err != nil {
		invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
		if !ok {
			return []fault{{}}
		}
		faults = leaves(invalid, nil)
	}
	return faults
}

var wrappers cache[*jsonschema.Schema, *jsonschema.Schema] // by the one that each wraps

// wrapped returns a schema that consists only of s. A compiled literal cannot have the library's text for failed enums,
// and the library drops an error without text at the top; the wrapper has a text.
func wrapped(s *jsonschema.Schema) *jsonschema.Schema {
	return wrappers.of(s, func() *jsonschema.Schema { return compiled(&jsonschema.Schema{AllOf: []*jsonschema.Schema{s}}) })
}

func leaves(e *jsonschema.ValidationError, faults []fault) []fault {
	if len(e.Causes) == 0 {
		keyword := e.AbsoluteKeywordLocation[strings.LastIndexByte(e.AbsoluteKeywordLocation, '/')+1:]
		return append(faults, fault{e.InstanceLocation, keyword})
	}
	for _, cause := range e.Causes {
		faults = leaves(cause, faults)
	}
	return faults
}
