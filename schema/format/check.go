package format

import (
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// fault is one keyword of a schema that one value does not satisfy.
type fault struct {
	location string // the value, as the library writes it
	keyword  string // "" when the value could not be checked
}

// check lets the library validate value. Each of its errors that has no cause
// is a fault; their order is random.
func check(s *jsonschema.Schema, value any) (faults []fault) {
	defer func() {
		// The library computes with the values it gets; should one make it
		// panic, that file is unchecked, and the others are not.
		if recover() != nil {
			faults = []fault{{}}
		}
	}()
	// A compiled literal cannot carry the library's text for failed enums, and
	// the library drops an error without text at the top: the wrapper has one.
	wrapper := compiled(jsonschema.Schema{AllOf: []*jsonschema.Schema{s}})
	err := wrapper.Validate(value)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []fault{{}}
	}
	return leaves(invalid, nil)
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
