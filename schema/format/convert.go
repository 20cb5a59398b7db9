package format

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
)

// place is one value of the document as the library sees it, with its schema and its nodes.
type place struct {
	schema  *literal.Schema
	parent  *place
	name    string         // the key as the schema spells it
	index   int            // of an item of a list
	key     *document.Node // nil for the root and for items
	value   *document.Node // as in the file: may be an alias
	shared  bool           // reached through an alias or a merge key: a change here would change other places
	entries []entry
	names   map[string]int // of the first entry of each name; created on first use
}

// has reports whether the mapping at p has an entry with that name.
func (p *place) has(name string) bool { return p.first(name) >= 0 }

// first returns the index of the first entry of a name, or -1.
func (p *place) first(name string) int {
	if p.names == nil {
		p.names = make(map[string]int, len(p.entries))
		for i := len(p.entries) - 1; i >= 0; i-- {
			p.names[p.entries[i].name] = i
		}
	}
	if i, ok := p.names[name]; ok {
		return i
	}
	return -1
}

// entry is an effective entry of a mapping, after resolving merge keys.
type entry struct {
	name       string
	key, value *document.Node
	shared     bool
}

// pointer returns the JSON pointer to the place in the document as written.
func (p *place) pointer() string {
	switch {
	case p.parent == nil:
		return ""
	case p.key != nil:
		return p.parent.pointer() + "/" + document.EscapeToken(p.key.Value)
	}
	return p.parent.pointer() + "/" + strconv.Itoa(p.index)
}

// Substitutes for numbers. It only matters to the schemas whether a number is an integer, and the library would compute
// with 1e999999999 or panic on .nan.
const (
	wholeNumber  = json.Number("1")
	otherNumber  = json.Number("0.5")
	unreadNumber = otherNumber // dates, binaries: neither text nor any other expected type
)

// convert returns the value at p in the library's form, and records p, and all places below it that a schema covers, by
// location.
func (v *validation) convert(p *place, location string) any {
	static := p.schema
	p.schema = v.variant(p.schema, p.value)
	v.places[location] = p
	if v.wraps(p, static) {
		p.schema = nil
		return nil
	}
	n := p.value.Resolve()
	if p.schema == nil || n == nil || v.filledIn(n) {
		return nil
	}
	p.shared = p.shared || n != p.value
	v.deprecated(static, p.key, p.value)
	value := v.convertValue(p, n, location)
	if p.schema != static {
		v.picked = append(v.picked, picked{p.schema, value, location})
	}
	return value
}

func (v *validation) convertValue(p *place, n *document.Node, location string) any {
	switch n.Kind {
	case document.Mapping:
		return v.convertMapping(p, n, location)
	case document.Sequence:
		schema := p.schema.Items
		list := make([]any, len(n.Items()))
		for i, item := range n.Items() {
			list[i] = v.convert(&place{schema: schema, parent: p, index: i, value: item, shared: p.shared}, location+"/"+strconv.Itoa(i))
		}
		return list
	default:
		if v.kind.v2() && n.Tag() == "!!timestamp" && textOrNumber(p.schema) {
			return []any{} // the client accepts numbers there, but not dates
		}
		if v.noSwitch(p.schema, n) {
			return otherNumber
		}
		return convertScalar(n)
	}
}

// textOrNumber reports whether a schema is for a version, which the client converts to text; some may also be null.
func textOrNumber(s *literal.Schema) bool {
	return slices.Equal(s.Types[:min(len(s.Types), 4)], []string{"string", "integer", "number", "boolean"})
}

func (v *validation) convertMapping(p *place, n *document.Node, location string) any {
	p.entries = v.effective(p.schema, n, p.shared)
	v.together(p.schema, n)
	values := make(map[string]any, len(p.entries))
	for _, e := range p.entries {
		v.name(p, e)
		schema, known := p.schema.Properties[e.name]
		if !known {
			schema = p.schema.Additional
		}
		child := &place{schema: schema, parent: p, name: e.name, key: e.key, value: e.value, shared: e.shared}
		name := libraryKey(e.name)
		values[name] = v.convert(child, location+"/"+literal.Token(name))
	}
	return values
}

// effective returns a mapping's entries: its own, followed by those of its merge keys that it does not have itself; for
// a duplicate key, the first. Keys that are not scalars are reported and omitted.
func (v *validation) effective(s *literal.Schema, n *document.Node, shared bool) []entry {
	var entries []entry
	seen := map[string]bool{}
	var add func(n *document.Node, shared bool)
	add = func(n *document.Node, shared bool) {
		for _, e := range n.Entries() {
			key := e.Key.Resolve()
			switch {
			case e.Key.Tag() == "!!merge":
				continue
			case v.kind.v2() && key.IsMapping() && key.Style == document.Flow:
				continue // {{name}}, a placeholder
			case key == nil || key.Kind != document.Scalar:
				v.report(RuleType, finding.Error, e.Key.Span,
					"a list or a mapping is used as a key, which readers of this file do not accept: write a plain name")
				continue
			}
			name := v.schemaKey(s, key.Value)
			if !seen[name] {
				seen[name] = true
				entries = append(entries, entry{name, e.Key, e.Value, shared || key != e.Key})
			}
		}
		for _, e := range n.Entries() {
			if e.Key.Tag() != "!!merge" {
				continue
			}
			for _, merged := range v.merged(e.Value) {
				add(merged, true)
			}
		}
	}
	add(n, shared)
	return entries
}

// merged returns the mappings that the value of a merge key stands for.
func (v *validation) merged(value *document.Node) []*document.Node {
	list := []*document.Node{value}
	if n := value.Resolve(); n.IsSequence() {
		list = n.Items()
	}
	var mappings []*document.Node
	for _, item := range list {
		if n := item.Resolve(); n.IsMapping() {
			mappings = append(mappings, n)
			continue
		}
		v.report(RuleType, finding.Error, spanOf(nil, item),
			"the merge key << needs a mapping, or a list of mappings, to take entries from")
	}
	return mappings
}

// schemaKey returns the schema's spelling of key: SDK v1 reads node_count and NodeCount as nodeCount, except where
// users choose the keys.
func (v *validation) schemaKey(s *literal.Schema, key string) string {
	if !v.sdk() || s.Properties[key] != nil {
		return key
	}
	if camel := plain.CamelCase(key); s.Properties[camel] != nil {
		return camel
	}
	return key
}

func convertScalar(n *document.Node) any {
	switch n.Tag() {
	case "!!null":
		return nil
	case "!!bool":
		return true
	case "!!int":
		return wholeNumber
	case "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil && f == math.Trunc(f) {
			return wholeNumber
		}
		return otherNumber
	case "!!timestamp", "!!binary":
		return unreadNumber
	}
	return n.Value
}

// libraryKey returns a substitute for the empty key, which the library omits from instance locations, and other keys
// unchanged.
func libraryKey(key string) string {
	if key == "" {
		return "\x00"
	}
	return key
}
