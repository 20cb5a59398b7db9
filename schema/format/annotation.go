package format

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/amlfix/amlfix/schema/document"
)

// annotation is what a schema says about a value beyond whether it is valid. It
// travels in the compiled schema as an extension that never fails.
type annotation struct {
	// Deprecated says why a key is dead and what takes its place.
	Deprecated string
	// DeprecatedValues says the same of single values.
	DeprecatedValues map[string]string
	// Unlisted are values that are accepted but not recommended to anyone.
	Unlisted []string
	// Missing says what lacks without a required key, and what to write.
	Missing string
	// By names the key whose value, in lower case, picks the schema that a
	// mapping is held against besides, from Variants; Variants[""] serves the
	// values that are not named, and mappings without that key.
	By       string
	Variants map[string]*jsonschema.Schema
}

// pick returns the variant of s for a mapping whose picking key has the value
// that text returns for its name; s itself when it has no variants.
func pick(s *jsonschema.Schema, text func(key string) string) *jsonschema.Schema {
	a := annotationOf(s)
	if a.By == "" {
		return s
	}
	if variant, ok := a.Variants[strings.ToLower(text(a.By))]; ok {
		return variant
	}
	return a.Variants[""]
}

// variant returns the schema that n is held against where s belongs.
func variant(s *jsonschema.Schema, n *document.Node) *jsonschema.Schema {
	if s == nil || s.Extensions == nil {
		return s
	}
	if n = n.Resolve(); !n.IsMapping() {
		return s
	}
	return pick(s, func(key string) string { return n.Get(key).Text() })
}

// Validate finds nothing: annotations do not decide.
func (annotation) Validate(jsonschema.ValidationContext, any) error { return nil }

const annotationKey = "x-amlfix"

// annotationOf returns the annotation of s, the zero one when it has none.
func annotationOf(s *jsonschema.Schema) annotation {
	if s == nil || s.Extensions == nil {
		return annotation{}
	}
	a, _ := s.Extensions[annotationKey].(annotation)
	return a
}

// annotated wraps an annotation for a compiled schema.
func annotated(a annotation) map[string]jsonschema.ExtSchema {
	return map[string]jsonschema.ExtSchema{annotationKey: a}
}

// compiled completes a schema written as a literal: the library takes -1 for a
// limit that is not set.
func compiled(s jsonschema.Schema) *jsonschema.Schema {
	s.MinProperties, s.MaxProperties = -1, -1
	s.MinItems, s.MaxItems = -1, -1
	s.MinContains, s.MaxContains = 1, -1
	s.MinLength, s.MaxLength = -1, -1
	return &s
}
