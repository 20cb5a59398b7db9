package format

import (
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
)

// annotation is what a schema says about a value besides whether it is valid. It is the schema's note.
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
	Variants    map[string]*literal.Schema `json:"-"`
	// Exact means that names are case-sensitive; Camel means that theNames is read as the_names.
	Exact, Camel bool
	// Ref names the definition to use; Any has the alternatives to this schema.
	Ref string            `json:"-"`
	Any []*literal.Schema `json:"-"`
	// Unknown is what happens to unknown keys of a mapping: "dropped", "passed" on or "rejected"; if it is "", the
	// format decides.
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
	names *plain.Regexp
	named *names
}

// annotationOf returns the annotation of s, or the zero annotation. Callers must not modify it.
func annotationOf(s *literal.Schema) *annotation {
	if s == nil || s.Note == nil {
		return &unannotated
	}
	return s.Note.(*annotation) //nolint:forcetypeassert // nothing else is there
}

var unannotated annotation
