package format

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v5"
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
	// By names the key whose value picks the schema that a mapping is held against
	// besides, from Variants, in lower case unless Exact says that case counts;
	// Default is the value of mappings without that key. Variants[""] serves the
	// values that are not named, and mappings without that key. Where By is "", the
	// first key of Has that is there picks.
	By, Default string
	Has         []string
	Variants    map[string]*jsonschema.Schema `json:"-"`
	// Exact tells that names are compared with regard to case, Camel that theNames
	// is read as the_names.
	Exact, Camel bool
	// Ref names the definition that decides, Any the alternatives to this schema.
	Ref string               `json:"-"`
	Any []*jsonschema.Schema `json:"-"`
	// Unknown is what becomes of keys that a mapping does not have: "dropped" or
	// "passed" on; they are refused when it is "".
	Unknown string
	// Check names what Go code holds a mapping to besides (see together).
	Check string
	// Is says what a mapping of this schema is, in words.
	Is string
	// Path tells what a local path leads to: "file", "folder" or "any". File is the
	// definition, or the format, of the file that is read from there; Asset is the
	// kind of what azureml: refers to. The path is not read where the key Unless
	// is beside it.
	Path, Unless, File, Asset string
	// names is what the keys of a mapping must look like, named says it in words.
	names *regexp.Regexp
	named *names
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
