package format

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// bundle holds the schemas of Azure ML v2, written by v2/generate.py: the kinds,
// and below them the definitions that they share, each on a line of its own.
//
//go:embed v2/schemas.json
var bundle []byte

// index holds the lines of the bundle: the text of each kind and definition.
// Nothing is decoded before a file needs it.
var index = sync.OnceValue(func() (x struct{ kinds, definitions map[string][]byte }) {
	into := map[string][]byte{}
	x.kinds = into
	for line := range bytes.Lines(bundle) {
		name, text, ok := bytes.Cut(bytes.TrimRight(line, ",\n"), []byte(`": `))
		switch {
		case !ok || len(name) == 0:
		case string(name) == `"definitions`:
			into = map[string][]byte{}
			x.definitions = into
		case text[0] == '{' && len(text) > 1:
			into[string(name[1:])] = text
		}
	}
	return x
})

// v2Kinds returns the names of the kinds of Azure ML v2, sorted.
func v2Kinds() []string { return slices.Sorted(maps.Keys(index().kinds)) }

// node is a schema as the bundle writes it, in the few keywords it uses.
type node struct {
	Ref           string           `json:"$ref"`
	Title         string           `json:"title"`
	Type          []string         `json:"type"`
	Enum          []any            `json:"enum"`
	Const         string           `json:"const"`
	Pattern       string           `json:"pattern"`
	Required      []string         `json:"required"`
	Properties    map[string]*node `json:"properties"`
	PropertyNames *names           `json:"propertyNames"`
	Additional    json.RawMessage  `json:"additionalProperties"`
	Items         *node            `json:"items"`
	AnyOf         []*node          `json:"anyOf"`
	AllOf         []*node          `json:"allOf"`
	If            *node            `json:"if"`
	Then          *node            `json:"then"`
	Not           *node            `json:"not"`
	Own           annotation       `json:"x-amlfix"`
}

// names is what the keys of a mapping must look like: Title says what has them,
// Description what they are made of.
type names struct{ Title, Description, Pattern string }

const definitionsAt = "#/definitions/"

// compiledDefinitions are the definitions that were needed so far, by name.
var compiledDefinitions sync.Map

// definition returns the schema of a definition, compiled when it is needed first;
// nil when the bundle has none of that name.
func definition(name string) *jsonschema.Schema {
	if s, ok := compiledDefinitions.Load(name); ok {
		return s.(*jsonschema.Schema) //nolint:forcetypeassert // nothing else is stored
	}
	text, ok := index().definitions[name]
	if !ok {
		return nil
	}
	s, _ := compiledDefinitions.LoadOrStore(name, decoded(text).schema())
	return s.(*jsonschema.Schema) //nolint:forcetypeassert // nothing else is stored
}

// v2Schema returns the schema of a kind of Azure ML v2, nil when there is none.
func v2Schema(kind Kind) *jsonschema.Schema {
	text, ok := index().kinds[string(kind)]
	if !ok {
		return nil
	}
	return definition(strings.TrimPrefix(decoded(text).AllOf[0].Ref, definitionsAt))
}

func decoded(text []byte) *node {
	n := new(node)
	_ = json.Unmarshal(text, n) // a test holds that each line is a schema
	return n
}

// schema returns the node as the library and this package take it: references,
// alternatives and choices are in its annotation, to be followed for a value at
// hand.
func (n *node) schema() *jsonschema.Schema {
	s := jsonschema.Schema{Title: n.Title, Types: n.Type, Enum: n.Enum, Required: n.Required}
	a := n.Own
	if n.Pattern != "" {
		s.Pattern = pattern(n.Pattern)
	}
	if n.PropertyNames != nil {
		a.names, a.named = pattern(n.PropertyNames.Pattern), n.PropertyNames
	}
	if n.Properties != nil {
		s.Properties = make(map[string]*jsonschema.Schema, len(n.Properties))
		for name, p := range n.Properties {
			s.Properties[name] = p.schema()
		}
	}
	switch text := string(n.Additional); text {
	case "", "true":
	case "false":
		s.AdditionalProperties = false
	default:
		s.AdditionalProperties = decoded(n.Additional).schema()
	}
	if n.Items != nil {
		s.Items = n.Items.schema()
	}
	a.Ref = strings.TrimPrefix(n.Ref, definitionsAt)
	for _, one := range n.AnyOf {
		a.Any = append(a.Any, one.schema())
	}
	for _, one := range n.AllOf {
		if one.If == nil {
			a.Ref = strings.TrimPrefix(one.Ref, definitionsAt)
			continue
		}
		a.choose(one)
	}
	s.Extensions = annotated(a)
	return compiled(s)
}

// absent is the name in Variants of mappings without the key that picks.
const absent = "\x00"

// choose takes one choice of a schema by the value of a key, or by a key.
func (a *annotation) choose(one *node) {
	if a.Variants == nil {
		a.Variants = map[string]*jsonschema.Schema{}
	}
	then := one.Then.schema()
	switch test := one.If; {
	case test.Not != nil && len(test.Not.Required) > 0 && test.Not.Properties == nil:
		a.Default, a.Variants[absent] = absent, then
	case test.Not != nil:
		a.Variants[""] = then
	case len(test.Properties) == 0:
		a.Variants[test.Required[0]] = then
	default:
		for key, value := range test.Properties {
			if a.By == "" {
				a.By = key
			}
			a.Variants[value.Const] = then
		}
	}
}

// patterns are the regular expressions of the bundle, each compiled once.
var patterns sync.Map

func pattern(text string) *regexp.Regexp {
	if p, ok := patterns.Load(text); ok {
		return p.(*regexp.Regexp) //nolint:forcetypeassert // nothing else is stored
	}
	p, _ := patterns.LoadOrStore(text, regexp.MustCompile(text))
	return p.(*regexp.Regexp) //nolint:forcetypeassert // nothing else is stored
}

// v2Text returns the JSON Schema of a kind with the definitions that it reaches.
func v2Text(kind string) ([]byte, bool) {
	text, ok := index().kinds[kind]
	if !ok {
		return nil, false
	}
	reached := map[string]bool{}
	var visit func(text []byte)
	visit = func(text []byte) {
		for _, m := range references().FindAllSubmatch(text, -1) {
			if name := string(m[1]); !reached[name] {
				reached[name] = true
				visit(index().definitions[name])
			}
		}
	}
	visit(text)
	var b bytes.Buffer
	b.WriteString("{\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n\"$id\": \"https://amlfix.github.io/schema/" + kind + ".schema.json\",\n")
	b.Write(bytes.TrimSuffix(text[1:], []byte("}")))
	b.WriteString(",\n\"definitions\": {")
	for i, name := range slices.Sorted(maps.Keys(reached)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n\"" + name + "\": ")
		b.Write(index().definitions[name])
	}
	b.WriteString("\n}}\n")
	var indented bytes.Buffer
	if err := json.Indent(&indented, b.Bytes(), "", "  "); err != nil {
		return nil, false
	}
	return indented.Bytes(), true
}

var references = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"#/definitions/([A-Za-z0-9]+)"`) })
