// Package library validates values with github.com/santhosh-tekuri/jsonschema. Programs that check files must import
// it, for its effect on package literal: no other package does, so that a check can begin before this one has started,
// which takes longer than the check of one project.
package library

import (
	"errors"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/amlfix/amlfix/schema/format/literal"
)

func init() { literal.Library = Faults } //nolint:gochecknoinits // as a driver of a database

// Faults returns what is wrong with a value, as encoding/json decodes it, in random order.
func Faults(s *literal.Schema, value any) []literal.Fault { return FaultsOf(converted(s), value) }

// FaultsOf is like Faults for a schema of the library: each of its errors without a cause is a fault.
func FaultsOf(s *jsonschema.Schema, value any) (faults []literal.Fault) {
	defer func() {
		// The library computes with the values it gets; if one makes it panic, only that file remains unchecked.
		if recover() != nil {
			faults = []literal.Fault{{}}
		}
	}()
	// A literal lacks the library's text for failed enums, and the library drops an error without text at the top.
	wrapper := completed(&jsonschema.Schema{AllOf: []*jsonschema.Schema{s}})
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

var known sync.Map // *jsonschema.Schema by *literal.Schema

// converted returns a schema in the library's form. Each is converted once: schemas share parts, and are used often.
func converted(s *literal.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if c, ok := known.Load(s); ok {
		return c.(*jsonschema.Schema) //nolint:forcetypeassert // nothing else is stored
	}
	c := completed(&jsonschema.Schema{Types: s.Types, Enum: s.Enum, Pattern: s.Pattern, Required: s.Required})
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
	known.Store(s, c)
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
