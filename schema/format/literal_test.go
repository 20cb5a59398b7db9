package format

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/amlfix/amlfix/schema/testkit"
)

var update = flag.Bool("update", false, "write compiled.go again")

const header = `// Code generated from the schema files by "go generate"; DO NOT EDIT.

package format

import (
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
)
`

// TestCompiledIsFresh compares compiled.go, which has the schemas as Go literals, with the schema files.
func TestCompiledIsFresh(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(header)
	for _, source := range sources {
		w := writer{names: map[string]string{}, counts: map[string]int{}}
		s := compile(t, source.file, source.fragment)
		w.count(s)
		result := w.expression(s)
		fmt.Fprintf(&b, "\nfunc compiled%s() *literal.Schema {\n%sreturn %s\n}\n", source.name, w.body.String(), result)
	}
	want, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	if *update {
		testkit.OK(t, os.WriteFile("compiled.go", want, 0o644))
	}
	got := testkit.Read(t, "compiled.go")
	testkit.Same(t, string(want), got, "compiled.go is stale: run go generate")
}

// writer prints a schema as a Go expression; equal parts become one variable.
type writer struct {
	body   strings.Builder   // the variables
	names  map[string]string // variables by expression
	counts map[string]int    // uses of an expression
}

// count counts how often each part of s is used.
func (w *writer) count(s *jsonschema.Schema) {
	w.counts[inline(s)]++
	written(s, func(part *jsonschema.Schema) string { w.count(part); return "" }, func(string) string { return "" })
}

// inline returns the expression of s without variables.
func inline(s *jsonschema.Schema) string {
	return written(s, inline, func(pattern string) string { return pattern })
}

// expression returns the expression of s, after writing the variables it uses.
func (w *writer) expression(s *jsonschema.Schema) string {
	e := written(s, w.expression, func(pattern string) string { return w.variable(pattern, "pattern", pattern) })
	if w.counts[inline(s)] < 2 {
		return e
	}
	return w.variable(inline(s), "schema", e)
}

// variable returns the variable that holds the expression key, declared as e.
func (w *writer) variable(key, prefix, e string) string {
	name, ok := w.names[key]
	if !ok {
		name = fmt.Sprintf("%s%d", prefix, len(w.names)+1)
		w.names[key] = name
		fmt.Fprintf(&w.body, "%s := %s\n", name, e)
	}
	return name
}

// written returns the composite literal of s; part and pattern format what it refers to.
func written(s *jsonschema.Schema, part func(*jsonschema.Schema) string, pattern func(string) string) string {
	s = flatten(s)
	var fields []string
	add := func(format string, a ...any) { fields = append(fields, fmt.Sprintf(format, a...)) }
	if s.Title != "" && s.Description == "" {
		add("Title: %q", s.Title)
	}
	if len(s.Types) > 0 {
		add("Types: %#v", s.Types)
	}
	if len(s.Enum) > 0 {
		add("Enum: %s", strings.Replace(fmt.Sprintf("%#v", s.Enum), "interface {}", "any", 1))
	}
	if s.Pattern != nil {
		add("Pattern: %s", pattern(fmt.Sprintf("&plain.Regexp{Text: %q}", s.Pattern)))
	}
	if len(s.Required) > 0 {
		add("Required: %#v", s.Required)
	}
	if s.Properties != nil {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			fmt.Fprintf(&b, "%q: %s,\n", name, part(s.Properties[name]))
		}
		add("Properties: map[string]*literal.Schema{\n%s}", b.String())
	}
	switch additional := s.AdditionalProperties.(type) {
	case bool:
		if !additional {
			add("Closed: true")
		}
	case *jsonschema.Schema:
		add("Additional: %s", part(additional))
	}
	if items, ok := s.Items.(*jsonschema.Schema); ok {
		add("Items: %s", part(items))
	}
	if a := withVariants(s); s.Extensions != nil || a.By != "" {
		add("Note: &%s", annotationLiteral(a, part))
	}
	open, end := "{", "}"
	if len(fields) > 1 {
		open, end = "{\n", ",\n}"
	}
	return "&literal.Schema" + open + strings.Join(fields, ",\n") + end
}

// varied is an annotation whose variants are schemas of the library.
type varied struct {
	annotation
	variants map[string]*jsonschema.Schema
}

// withVariants returns the annotation of s with the variants in its "allOf": a list of "if" and "then" for the values
// of a key, with the one for all other values last.
func withVariants(s *jsonschema.Schema) (a varied) {
	if e, ok := s.Extensions[annotationKey].(extension); ok {
		a.annotation = e.annotation
	}
	for _, one := range s.AllOf {
		if one.If == nil {
			continue
		}
		if one.If.Not != nil {
			a.variants[""] = one.Then
			continue
		}
		for key, value := range one.If.Properties {
			if a.By == "" {
				a.By, a.variants = key, map[string]*jsonschema.Schema{}
			}
			for _, name := range append(value.Constant, value.Enum...) {
				a.variants[strings.ToLower(name.(string))] = one.Then
			}
		}
	}
	return a
}

func annotationLiteral(a varied, part func(*jsonschema.Schema) string) string {
	var fields []string
	if a.Deprecated != "" {
		fields = append(fields, fmt.Sprintf("Deprecated: %q", a.Deprecated))
	}
	if a.Missing != "" {
		fields = append(fields, fmt.Sprintf("Missing: %q", a.Missing))
	}
	if a.Unknown != "" {
		fields = append(fields, fmt.Sprintf("Unknown: %q", a.Unknown))
	}
	if a.Unlisted != nil {
		fields = append(fields, fmt.Sprintf("Unlisted: %#v", a.Unlisted))
	}
	if a.DeprecatedValues != nil {
		var b strings.Builder
		for _, value := range slices.Sorted(maps.Keys(a.DeprecatedValues)) {
			fmt.Fprintf(&b, "%q: %q,\n", value, a.DeprecatedValues[value])
		}
		fields = append(fields, "DeprecatedValues: map[string]string{\n"+b.String()+"}")
	}
	if a.By != "" {
		var b strings.Builder
		for _, value := range slices.Sorted(maps.Keys(a.variants)) {
			fmt.Fprintf(&b, "%q: %s,\n", value, part(a.variants[value]))
		}
		fields = append(fields, fmt.Sprintf("By: %q", a.By), "Variants: map[string]*literal.Schema{\n"+b.String()+"}")
	}
	return "annotation{" + strings.Join(fields, ", ") + "}"
}
