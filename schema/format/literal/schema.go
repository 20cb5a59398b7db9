// Package literal has JSON Schemas as Go values, with the few keywords that amlfix's schemas use, and finds what is
// wrong with a value. It does not import the library that validates, so that a check does not wait for that to start.
package literal

import "github.com/amlfix/amlfix/schema/plain"

// Schema is a JSON Schema. Its zero value accepts everything. It must not be changed while it is in use.
type Schema struct {
	Title string
	// Types are the types that a value may have; none for any type.
	Types []string
	// Enum lists what a value may be: texts, and nil for null. None for any value.
	Enum []any
	// Pattern matches texts that fit; nil for any text. Most patterns are never asked.
	Pattern *plain.Regexp
	// Required are the keys that a mapping must have.
	Required []string
	// Properties are the schemas of the values of known keys, and Additional is the schema of those of other keys, nil
	// if any value fits. Closed means that there may be no other keys.
	Properties map[string]*Schema
	Additional *Schema
	Closed     bool
	// Items is the schema of the items of a list; nil if any item fits.
	Items *Schema
	// Note is what package format knows of the value besides whether it fits; nil for nothing.
	Note any
}

// Fault is a keyword of a schema that a value does not satisfy.
type Fault struct {
	// Location is the JSON pointer to the value, with the escapes of a URL.
	Location string
	// Keyword is "" if the value could not be checked.
	Keyword string
}
