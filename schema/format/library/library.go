// Package library validates values with github.com/santhosh-tekuri/jsonschema. Programs that check files import it, for
// its effect on package literal: no other package does, so that a check can begin, and end, before this one has
// started, which takes longer than the check of one project.
package library

import (
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
)

func init() { literal.Library = faults } //nolint:gochecknoinits // as a driver of a database

// faults returns what is wrong with a value, as encoding/json decodes it, in random order.
func faults(s *literal.Schema, value any) []literal.Fault {
	return faultsOf(wrappers.Of(s, func() *jsonschema.Schema { return wrapped(converted(s)) }), value)
}

// FaultsOf is like faults for a schema of the library: each of its errors without a cause is a fault.
func FaultsOf(s *jsonschema.Schema, value any) []literal.Fault { return faultsOf(wrapped(s), value) }

// wrapped returns a schema that consists only of s. A literal lacks the library's text for failed enums, and the
// library drops an error without text at the top; the wrapper has a text.
func wrapped(s *jsonschema.Schema) *jsonschema.Schema {
	return completed(&jsonschema.Schema{AllOf: []*jsonschema.Schema{s}})
}

func faultsOf(wrapper *jsonschema.Schema, value any) (faults []literal.Fault) {
	defer func() {
		// The library computes with the values it gets; if one makes it panic, only that file remains unchecked.
		if recover() != nil {
			faults = []literal.Fault{{}}
		}
	}()
	if err := wrapper.Validate(value); err != nil {
		invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
		if !ok {
			return []literal.Fault{{}}
		}
		faults = leaves(invalid, nil)
	}
	return faults
}

func leaves(e *jsonschema.ValidationError, faults []literal.Fault) []literal.Fault {
	if len(e.Causes) == 0 {
		keyword := e.AbsoluteKeywordLocation[strings.LastIndexByte(e.AbsoluteKeywordLocation, '/')+1:]
		return append(faults, literal.Fault{Location: e.InstanceLocation, Keyword: keyword})
	}
	for _, cause := range e.Causes {
		faults = leaves(cause, faults)
	}
	return faults
}

// known are the schemas in the library's form, and wrappers are those that wrap them: schemas share parts, and are used
// often.
var known, wrappers plain.Cache[*literal.Schema, *jsonschema.Schema]

// converted returns a schema in the library's form.
func converted(s *literal.Schema) *jsonschema.Schema {
	return known.Of(s, func() *jsonschema.Schema { return convert(s) })
}

func convert(s *literal.Schema) *jsonschema.Schema {
	c := completed(&jsonschema.Schema{Types: s.Types, Enum: s.Enum, Required: s.Required})
	if s.Pattern != nil {
		c.Pattern = s.Pattern.Get()
	}
	if s.Properties != nil {
		c.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
		for name, p := range s.Properties {
			c.Properties[name] = converted(p)
		}
	}
	if s.Closed {
		c.AdditionalProperties = false
	} else if s.Additional != nil {
		c.AdditionalProperties = converted(s.Additional)
	}
	if s.Items != nil {
		c.Items = converted(s.Items)
	}
	return c
}

// completed sets the limits of a schema that are not set to what the library uses for that.
func completed(s *jsonschema.Schema) *jsonschema.Schema {
	s.MinProperties, s.MaxProperties = -1, -1
	s.MinItems, s.MaxItems = -1, -1
	s.MinContains, s.MaxContains = 1, -1
	s.MinLength, s.MaxLength = -1, -1
	return s
}
