package format

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/testkit"
)

const address = "https://amlfix.github.io/schema/"

// sources are the schemas that files are validated against: the name and result of each function in compiled.go, and
// where its JSON text is.
var sources = []struct {
	name, file, fragment string
	literal              func() *literal.Schema
}{
	{"Local", "compute", "#/definitions/local", compiledLocal},
	{"Localdocker", "compute", "#/definitions/localdocker", compiledLocaldocker},
	{"Remotedocker", "compute", "#/definitions/remotedocker", compiledRemotedocker},
	{"Remote", "compute", "#/definitions/remote", compiledRemote},
	{"Cluster", "compute", "#/definitions/cluster", compiledCluster},
	{"Other", "compute", "#/definitions/other", compiledOther},
	{"Untyped", "compute", "#/definitions/untyped", compiledUntyped},
	{"WorkbenchRunconfig", "workbench-runconfig", "", compiledWorkbenchRunconfig},
	{"SdkRunconfig", "sdk-runconfig", "", compiledSdkRunconfig},
	{"Conda", "conda", "", compiledConda},
	{"Spark", "spark", "", compiledSpark},
	{"Settings", "settings", "", compiledSettings},
}

// compile compiles a schema's text with the library, including its annotations. It also validates the text against the
// draft's metaschema.
func compile(t testing.TB, file, fragment string) *jsonschema.Schema {
	t.Helper()
	return compiler(t, file)(fragment)
}

// compiler returns a function that compiles the parts of one schema file.
func compiler(t testing.TB, file string) func(fragment string) *jsonschema.Schema {
	t.Helper()
	text, ok := Text(file)
	if !ok {
		t.Fatalf("no schema %q", file)
	}
	c := jsonschema.NewCompiler()
	c.ExtractAnnotations = true
	c.LoadURL = func(s string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("the schema refers to %s, but schemas must stand alone", s)
	}
	c.RegisterExtension(annotationKey, nil, annotationCompiler{})
	url := address + file + ".schema.json"
	testkit.OK(t, c.AddResource(url, bytes.NewReader(text)))
	return func(fragment string) *jsonschema.Schema {
		t.Helper()
		s, err := c.Compile(url + fragment)
		if err != nil {
			t.Fatalf("%#v", err)
		}
		return s
	}
}

// annotationCompiler reads the nonstandard keywords that editors and this package use.
type annotationCompiler struct{}

func (annotationCompiler) Compile(_ jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	var a annotation
	a.Deprecated, _ = m["deprecationMessage"].(string)
	if own, ok := m[annotationKey].(map[string]any); ok {
		a.Missing, _ = own["missing"].(string)
		a.Unknown, _ = own["unknown"].(string)
		if values, ok := own["unlisted"].([]any); ok {
			for _, value := range values {
				a.Unlisted = append(a.Unlisted, value.(string))
			}
		}
		if values, ok := own["deprecatedValues"].(map[string]any); ok {
			a.DeprecatedValues = map[string]string{}
			for value, message := range values {
				a.DeprecatedValues[value] = message.(string)
			}
		}
	}
	if a.Deprecated == "" && a.Missing == "" && a.Unknown == "" && a.DeprecatedValues == nil && a.Unlisted == nil {
		return nil, nil
	}
	return extension{a}, nil
}

// annotationKey is the keyword of the schemas' annotations.
const annotationKey = "x-amlfix"

// extension is an annotation in a schema of the library, which never fails.
type extension struct{ annotation }

func (extension) Validate(jsonschema.ValidationContext, any) error { return nil }

// flatten replaces a $ref, or an allOf that consists of one, with the schema that it refers to, and keeps what is next
// to the reference.
func flatten(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Ref != nil {
		return flatten(s.Ref)
	}
	if len(s.AllOf) == 1 {
		flat := *flatten(s.AllOf[0])
		if s.Extensions != nil {
			flat.Extensions = s.Extensions
		}
		return &flat
	}
	return s
}

func TestEverySchemaCompiles(t *testing.T) {
	files, err := filepath.Glob("*.schema.json")
	if err != nil || len(files) != len(ownKinds()) {
		t.Fatalf("%d schema files, %d kinds, error %v", len(files), len(Kinds()), err)
	}
	metaschema, err := jsonschema.NewCompiler().Compile("http://json-schema.org/draft-07/schema")
	testkit.OK(t, err)
	for _, kind := range Kinds() {
		if err := metaschema.Validate(read(t, kind)); err != nil {
			t.Errorf("%s: %#v", kind, err)
		}
		s := compile(t, kind, "")
		if s.Title == "" || s.Description == "" {
			t.Errorf("%s: no title or description", kind)
		}
		if want := address + kind + ".schema.json#"; s.Location != want {
			t.Errorf("$id of %s: %s, want %s", kind, s.Location, want)
		}
	}
}
