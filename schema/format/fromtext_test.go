package format

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFromText compares the schemas that are read from their texts with what the library reads.
func TestFromText(t *testing.T) {
	for kind, parts := range map[Kind]int{Baseline: 8, Compose: 40, Kubernetes: 150} {
		if n := sameSchema(t, string(kind), compile(t, string(kind), ""), fromText(kind)); n < parts {
			t.Errorf("%s: only %d parts were compared", kind, n)
		}
	}
}

// sameSchema compares a schema and its parts, and returns how many they are.
func sameSchema(t *testing.T, at string, want *jsonschema.Schema, got *literal.Schema) (parts int) {
	t.Helper()
	if got == nil {
		t.Fatalf("%s: there is none", at)
	}
	want = flatten(want)
	described, a := literal.Schema{Types: want.Types, Enum: want.Enum, Required: want.Required, Closed: want.AdditionalProperties == false}, withVariants(want)
	if want.Description == "" {
		described.Title = want.Title
	}
	if want.Pattern != nil {
		testkit.Same(t, want.Pattern.String(), got.Pattern.Text, "%s", at)
	}
	testkit.Same(t, described, literal.Schema{Title: got.Title, Types: got.Types, Enum: got.Enum, Required: got.Required, Closed: got.Closed}, "%s", at)
	testkit.Same(t, []string{a.Missing, a.By, ""}, []string{annotationOf(got).Missing, annotationOf(got).By, annotationOf(got).Ref}, "%s", at)
	list := map[string]*literal.Schema{"": got.Items, "*": got.Additional}
	maps.Copy(list, got.Properties)
	for name, s := range annotationOf(got).Variants {
		list["?"+name] = s
	}
	wanted := maps.Clone(want.Properties)
	if wanted == nil {
		wanted = map[string]*jsonschema.Schema{}
	}
	for name, s := range a.variants {
		wanted["?"+name] = s
	}
	if s, ok := want.AdditionalProperties.(*jsonschema.Schema); ok {
		wanted["*"] = s
	}
	if s, ok := want.Items.(*jsonschema.Schema); ok {
		wanted[""] = s
	}
	maps.DeleteFunc(list, func(_ string, s *literal.Schema) bool { return s == nil })
	testkit.Same(t, strings.Join(slices.Sorted(maps.Keys(wanted)), " "), strings.Join(slices.Sorted(maps.Keys(list)), " "), "%s", at)
	for name, s := range wanted {
		parts += sameSchema(t, at+"/"+name, s, list[name])
	}
	return parts + 1
}
