package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format/library"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// keywords are the keywords that the schemas may use and this package supports; the value says what is below: schemas
// by name, one schema, or neither.
var keywords = map[string]string{
	"$schema": "", "$id": "", "$ref": "", "title": "", "description": "", "default": "", "examples": "",
	"type": "", "enum": "", "const": "", "pattern": "", "required": "",
	"deprecated": "", "deprecationMessage": "", annotationKey: "",
	"properties": "named", "definitions": "named",
	"items": "one", "additionalProperties": "one", "if": "one", "then": "one", "not": "one", "propertyNames": "one",
	"allOf": "list", "anyOf": "list",
}

// walk calls visit for every schema in a schema file, with its JSON pointer.
func walk(schema map[string]any, pointer string, visit func(pointer string, schema map[string]any)) {
	visit(pointer, schema)
	for keyword, value := range schema {
		below := pointer + "/" + keyword
		switch keywords[keyword] {
		case "one":
			if s, ok := value.(map[string]any); ok {
				walk(s, below, visit)
			}
		case "named":
			for name, s := range value.(map[string]any) {
				walk(s.(map[string]any), below+"/"+document.EscapeToken(name), visit)
			}
		case "list":
			for i, s := range value.([]any) {
				walk(s.(map[string]any), fmt.Sprintf("%s/%d", below, i), visit)
			}
		}
	}
}

func read(t testing.TB, kind string) map[string]any {
	t.Helper()
	text, _ := Text(kind)
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var schema map[string]any
	if err := d.Decode(&schema); err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return schema
}

func TestSchemasUseKnownKeywords(t *testing.T) {
	annotations := map[string]bool{"deprecatedValues": true, "unlisted": true, "missing": true,
		"by": true, "default": true, "has": true, "exact": true, "camel": true, "unknown": true, "check": true, "is": true,
		"path": true, "unless": true, "file": true, "asset": true, "anyKeys": true}
	for _, kind := range Kinds() {
		walk(read(t, kind), "#", func(pointer string, schema map[string]any) {
			for keyword := range schema {
				if _, ok := keywords[keyword]; !ok {
					t.Errorf("%s %s: unknown keyword %q", kind, pointer, keyword)
				}
			}
			if (schema["deprecated"] == true) != (schema["deprecationMessage"] != nil) {
				t.Errorf("%s %s: deprecated and deprecationMessage go together", kind, pointer)
			}
			own, _ := schema[annotationKey].(map[string]any)
			for name := range own {
				if !annotations[name] {
					t.Errorf("%s %s: unknown annotation %q", kind, pointer, name)
				}
			}
		})
	}
}

func TestEveryKeyIsDescribed(t *testing.T) {
	for _, kind := range ownKinds() {
		root := read(t, kind)
		walk(root, "#", func(pointer string, schema map[string]any) {
			properties, _ := schema["properties"].(map[string]any)
			if strings.Contains(pointer, "/if") {
				return
			}
			for name, s := range properties {
				property := s.(map[string]any)
				if ref, ok := property["$ref"].(string); ok {
					property = root["definitions"].(map[string]any)[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any)
				}
				description, _ := property["description"].(string)
				if !strings.HasSuffix(description, ".") {
					t.Errorf("%s %s: key %q needs a sentence of description, has %q", kind, pointer, name, description)
				}
			}
			if properties != nil && pointer != "#" && schema["additionalProperties"] != false {
				t.Errorf("%s %s: the mapping is open", kind, pointer)
			}
		})
	}
}

// TestDefaultsAndExamplesFit validates what the schemas recommend against the schemas themselves.
func TestDefaultsAndExamplesFit(t *testing.T) {
	held := 0
	for _, kind := range Kinds() {
		part := compiler(t, kind)
		walk(read(t, kind), "#", func(pointer string, schema map[string]any) {
			values, _ := schema["examples"].([]any)
			if value, ok := schema["default"]; ok {
				values = append(values, value)
			}
			for _, value := range values {
				held++
				if err := part(pointer).Validate(value); err != nil {
					t.Errorf("%s %s: %v does not fit: %v", kind, pointer, value, err)
				}
			}
		})
	}
	if held < 50 {
		t.Errorf("only %d values held", held)
	}
}

// TestRequiredKeysSayWhatIsMissing checks that every required key has a message.
func TestRequiredKeysSayWhatIsMissing(t *testing.T) {
	for _, source := range sources {
		s := compile(t, source.file, source.fragment)
		for _, name := range s.Required {
			if withVariants(flatten(s.Properties[name])).Missing == "" {
				t.Errorf("%s: nothing to say when %q is missing", source.name, name)
			}
		}
	}
}

// TestCondaInSDK checks that the schema of a conda file inside an SDK v1 run configuration equals that of a conda file.
func TestCondaInSDK(t *testing.T) {
	sdk := read(t, string(SDKRunConfig))
	at := []string{"properties", "environment", "properties", "python", "properties", "condaDependencies", "properties"}
	var inline any = sdk
	for _, token := range at {
		inline = inline.(map[string]any)[token]
	}
	testkit.Same(t, read(t, string(Conda))["properties"], inline, "conda.schema.json and condaDependencies of the SDK differ (-conda +sdk)")
}

// TestCombinedComputeSchema compares the combined compute schema for editors with the small ones that Validate selects
// from.
func TestCombinedComputeSchema(t *testing.T) {
	combined := compile(t, string(Compute), "")
	types := []string{"", "Local", "unknown", "3", "[local]"}
	for _, name := range read(t, string(Compute))["definitions"].(map[string]any)["anyType"].(map[string]any)["enum"].([]any) {
		types = append(types, name.(string))
	}
	keys := slices.Sorted(maps.Keys(compile(t, string(Compute), "#/definitions/other").Properties))
	keys = append(slices.DeleteFunc(keys, func(k string) bool { return k == "type" }), "cluster", "native", "foo")
	agreed := map[bool]int{}
	for _, typ := range types {
		for _, base := range []string{"", "address:\nusername: b\n"} {
			for _, key := range keys {
				for _, value := range []string{"x", "true", "null"} {
					text := base + key + ": " + value + "\n"
					if strings.Contains(base, key) {
						text = base
					}
					if typ != "" {
						text = "type: " + typ + "\n" + text
					}
					root := document.Parse(source.New("x.compute", []byte(text))).Root()
					v := &validation{kind: Compute, src: source.New("", nil), places: map[string]*place{}}
					small := computeSchema(root)
					plain := v.convert(&place{schema: small, value: root}, "")
					want := len(literal.Faults(small, plain)) == 0
					testkit.Same(t, want, combined.Validate(everything(root)) == nil, "%q: combined schema says", text)
					agreed[want]++
				}
			}
		}
	}
	t.Log(agreed)
	if agreed[true] < 100 || agreed[false] < 100 {
		t.Errorf("too few cases of either kind: %v", agreed)
	}
}

// everything converts a document without the guidance of a schema.
func everything(n *document.Node) any {
	switch n.Kind {
	case document.Mapping:
		m := map[string]any{}
		for _, e := range n.Entries() {
			m[e.Key.Value] = everything(e.Value)
		}
		return m
	case document.Sequence:
		list := make([]any, len(n.Items()))
		for i, item := range n.Items() {
			list[i] = everything(item)
		}
		return list
	}
	return convertScalar(n)
}

// TestLiteralsDecideLikeTheLibrary compares validation with the schemas compiled by the library and with the literals.
func TestLiteralsDecideLikeTheLibrary(t *testing.T) {
	values := []any{nil, true, "x", "3", wholeNumber, otherNumber, []any{}, []any{"x", nil}, map[string]any{}, map[string]any{"x": "y"}}
	for _, source := range sources {
		want := compile(t, source.file, source.fragment)
		got := source.literal()
		for name := range want.Properties {
			for _, value := range values {
				doc := map[string]any{name: value}
				faults, wanted := literal.Faults(got, doc), library.FaultsOf(want, doc)
				slices.SortFunc(faults, compareFaults)
				slices.SortFunc(wanted, compareFaults)
				if diff := cmp.Diff(wanted, faults); diff != "" {
					t.Errorf("%s %v: (-library +literal):\n%s", source.name, doc, diff)
				}
			}
		}
	}
}

func compareFaults(a, b literal.Fault) int {
	return strings.Compare(a.Location+" "+a.Keyword, b.Location+" "+b.Keyword)
}
