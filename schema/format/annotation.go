package format

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// annotation is what a schema says about a value besides whether it is valid. It is stored in the compiled schema as an
// extension that never fails.
type annotation struct {
	// Deprecated says why a key is obsolete and what replaces it.
	Deprecated string
	// DeprecatedValues says the same about single values.
	DeprecatedValues map[string]string
	// Unlisted are values that are accepted but not recommended.
	Unlisted []string
	// Missing says what is missing without a required key, and what to write.
	Missing string
	// By is the key whose value selects an additional schema for a mapping from Variants, in lower case unless Exact is
	// set; Default is the value for mappings without that key. Variants[""] is for other values, and for mappings
	// without that key. If By is "", the first key of Has that is present selects the schema.
	By, Default string
	Has         []string
	Variants    map[string]*jsonschema.Schema `json:"-"`
	// Exact means that names are case-sensitive; Camel means that theNames is read as the_names.
	Exact, Camel bool
	// Ref names the definition to use; Any has the alternatives to this schema.
	Ref string               `json:"-"`
	Any []*jsonschema.Schema `json:"-"`
	// Unknown is what happens to unknown keys of a mapping: "dropped" or "passed" on; if it is "", they are rejected.
	Unknown string
	// AnyKeys means that the keys of a mapping need not be text.
	AnyKeys bool
	// Check names an additional check of a mapping in Go code (see together).
	Check string
	// Is describes a mapping with this schema in words.
	Is string
	// Path is what a local path leads to: "file", "folder" or "any". File is the definition, or the format, of the file
	// at the path; Asset is the kind of asset that azureml: refers to. The path is not read if the mapping also has the
	// key Unless.
	Path, Unless, File, Asset string
	// names matches valid keys of a mapping; named describes them in words.
	names *regexp.Regexp
	named *names
}

// Validate returns nil: annotations do not affect validity.
func (*annotation) Validate(jsonschema.ValidationContext, any) error { return nil }

const annotationKey = "x-amlfix"

// annotationOf returns the annotation of s, or the zero annotation. Callers must not modify it.
func annotationOf(s *jsonschema.Schema) *annotation {
	if s == nil || s.Extensions == nil {
		return &unannotated
	}
	if a, ok := s.Extensions[annotationKey].(*annotation); ok {
		return a
	}
	return &unannotated
}

var unannotated annotation

// annotated wraps an annotation for a compiled schema.
func annotated(a annotation) map[string]jsonschema.ExtSchema {
	return map[string]jsonschema.ExtSchema{annotationKey: &a}
}

// compiled completes a schema written as a literal: the library uses -1 for a limit that is not set. Hundreds of
// literals call it, so that copies of it would take 36 kB.
//
//go:noinline
func compiled(s *jsonschema.Schema) *jsonschema.Schema {
	s.MinProperties, s.MaxProperties = -1, -1
	s.MinItems, s.MaxItems = -1, -1
	s.MinContains, s.MaxContains = 1, -1
	s.MinLength, s.MaxLength = -1, -1
	return s
}
