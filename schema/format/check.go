package format

import (
	"errors"
	"strconv"
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
	if err := wrapper.Validate(value); err != nil {
		var invalid *jsonschema.ValidationError
		if !errors.As(err, &invalid) {
			return []fault{{}}
		}
		faults = leaves(invalid, nil)
	}
	return variantFaults(s, value, "", faults)
}

// variantFaults adds what the variants of schemas, of which the library knows
// nothing, find in the mappings that they are for.
func variantFaults(s *jsonschema.Schema, value any, location string, faults []fault) []fault {
	if s == nil {
		return faults
	}
	switch value := value.(type) {
	case []any:
		items, _ := s.Items.(*jsonschema.Schema)
		for i, item := range value {
			faults = variantFaults(items, item, location+"/"+strconv.Itoa(i), faults)
		}
	case map[string]any:
		if annotationOf(s).By != "" {
			v := pick(s, func(key string) string { text, _ := value[key].(string); return text })
			for _, f := range check(v, value) {
				faults = append(faults, fault{location + f.location, f.keyword})
			}
			return faults
		}
		for key, child := range value {
			below, known := s.Properties[key]
			if !known {
				below, _ = s.AdditionalProperties.(*jsonschema.Schema)
			}
			faults = variantFaults(below, child, location+"/"+locationToken(key), faults)
		}
	}
	return faults
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
