package format

import (
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/template"
)

// resolver resolves a schema for a given value: a reference, the choice by a key's value, or the best alternative. The
// zero value is ready to use; it caches measurements.
type resolver struct {
	measured map[measure]int // by misfit
	summed   map[measure]int // by below
}

type measure struct {
	schema *literal.Schema
	node   *document.Node
}

// variant returns the schema to validate n against where s applies.
func (r *resolver) variant(s *literal.Schema, n *document.Node) *literal.Schema {
	for s != nil && s.Note != nil {
		next := r.step(s, n.Resolve())
		if next == nil || next == s {
			break
		}
		s = next
	}
	return s
}

func (r *resolver) step(s *literal.Schema, n *document.Node) *literal.Schema {
	switch a := annotationOf(s); {
	case a.Ref != "":
		return definition(a.Ref)
	case len(a.Any) > 0:
		return r.best(a.Any, n)
	case a.Variants == nil || !n.IsMapping():
		return nil
	default:
		return a.pick(n)
	}
}

// pick returns the schema that a mapping's own keys select, or nil.
func (a *annotation) pick(n *document.Node) *literal.Schema {
	if a.By == "" {
		for _, key := range a.Has {
			if n.Has(key) {
				return a.Variants[key]
			}
		}
		other := referred(a.Variants[""])
		if other == nil || other.Properties == nil {
			return a.Variants[""]
		}
		for _, e := range n.Entries() { // the key itself may have a typo
			if other.Properties[e.Key.Value] != nil {
				continue
			}
			if near := suggest(e.Key.Value, a.Has); near.word != "" && near.distance == 1 {
				return a.Variants[near.word]
			}
		}
		return a.Variants[""]
	}
	value := n.Get(a.By)
	if value.IsNull() && a.Default != "" {
		if s := a.Variants[meant(n)]; s != nil {
			return s
		}
		if n.Has("command") || n.Has("component") {
			return a.Variants[a.Default] // these leave no doubt
		}
		for _, e := range n.Entries() { // the key itself may have a typo
			if s := a.Variants[e.Value.Text()]; s != nil && distance(e.Key.Value, a.By, 2) <= 2 {
				return s
			}
		}
		return a.Variants[a.Default]
	}
	text := value.Text()
	if !a.Exact {
		text = strings.ToLower(text)
	}
	if s, ok := a.Variants[text]; ok {
		return s
	}
	other := a.Variants[""]
	for name, s := range a.Variants { // as the client finds the class of azure_openai; kuberntes is no managed deployment
		if bare := strings.ReplaceAll(text, "_", ""); !a.Exact && bare != "" && bare == strings.ReplaceAll(name, "_", "") ||
			other != nil && name != "" && distance(text, name, 1) <= 1 {
			return s
		}
	}
	if other == nil {
		names := slices.Sorted(maps.Keys(a.Variants))
		word := wholeName(text, names)
		if near := suggest(text, names); near.unique {
			word = near.word
		}
		s := a.Variants[word]
		if s == nil || !strings.EqualFold(strings.ReplaceAll(word, "_", ""), strings.ReplaceAll(text, "_", "")) {
			return s
		}
		if own := annotationOf(referred(s).Properties[a.By]); own.Exact && !own.Camel {
			return s
		} // its schema accepts AutoML, which the client does not
	}
	return other
}

// meant returns the type of job that a mapping without "type" is obviously meant as: one with a key, or a schema URL,
// that no command has. The client still reads it as a command. It returns the kind of workspace likewise.
func meant(n *document.Node) string {
	address := strings.ToLower(n.Get("$schema").Text())
	switch {
	case n.Has("trial"), strings.Contains(address, "sweepjob."):
		return "sweep"
	case n.Has("jobs"), strings.Contains(address, "pipelinejob."):
		return "pipeline"
	case n.Has("command"), n.Has("component"): // other keys may be leftovers
	case n.Has("entry"), strings.Contains(address, "sparkjob."):
		return "spark"
	case n.Has("mini_batch_size"):
		return "parallel"
	case strings.HasSuffix(n.Get("task").Text(), "_data"):
		return "data_transfer"
	case n.Get("task").IsString(), strings.Contains(address, "automljob."):
		return "automl"
	case n.Has("hub_id"):
		return "project"
	case n.Has("default_resource_group"):
		return "hub"
	}
	return ""
}

// best returns the alternative that n matches best, the first of equals; nil if all expect another type of value.
func (r *resolver) best(any []*literal.Schema, n *document.Node) (best *literal.Schema) {
	if n == nil {
		return nil
	}
	costs, named := make([]int, len(any)), false
	for i, s := range any {
		if costs[i] = r.misfit(s, n); costs[i] == 0 {
			return s
		}
		named = named || costs[i] < wrongNameCost && r.tells(s, n)
	}
	least := wrongTypeCost
	for i, s := range any {
		cost := costs[i]
		if !named && cost >= wrongNameCost && cost < wrongTypeCost {
			cost = cost%wrongNameCost + mostCost // no alternative has the name: it may be a typo
			if r.resembles(s, n) {
				cost /= 4 // log_uniform is loguniform, whatever keys it has
			}
		}
		if cost >= missingCost && cost < wrongNameCost && r.slips(s, n) {
			cost -= missingCost / 2
		}
		if cost < least || cost == least && best != nil && r.below(s, n) < r.below(best, n) {
			best, least = s, cost
		}
	}
	return best
}

// slips reports whether a mapping has a key, unknown to s, that is nearly one that s requires.
func (r *resolver) slips(s *literal.Schema, n *document.Node) bool {
	s = r.variant(s, n)
	return slices.ContainsFunc(n.Entries(), func(e document.Entry) bool {
		return s.Properties[e.Key.Value] == nil && suggest(e.Key.Value, s.Required).word != ""
	})
}

// below returns how badly the values of a mapping match s together: mostCost, which limits each, can make alternatives
// equal.
func (r *resolver) below(s *literal.Schema, n *document.Node) (cost int) {
	if s = r.variant(s, n); s == nil || !n.IsMapping() {
		return 0
	}
	at := measure{s, n}
	if known, ok := r.summed[at]; ok {
		return known
	}
	if r.summed == nil {
		r.summed = map[measure]int{}
	}
	defer func() { r.summed[at] = cost }()
	for _, e := range n.Entries() {
		cost += r.misfit(s.Properties[e.Key.Value], e.Value)
	}
	return cost
}

// tells reports whether a mapping has a key whose value distinguishes s from other alternatives.
func (r *resolver) tells(s *literal.Schema, n *document.Node) bool {
	s = r.variant(s, n)
	return n.IsMapping() && slices.ContainsFunc(telling, func(key string) bool { return n.Has(key) && s.Properties[key] != nil })
}

// resembles reports whether a value that distinguishes alternatives is nearly that of s.
func (r *resolver) resembles(s *literal.Schema, n *document.Node) bool {
	s = r.variant(s, n)
	return n.IsMapping() && slices.ContainsFunc(telling, func(key string) bool {
		if s.Properties[key] == nil {
			return false
		}
		text, names := n.Get(key).Text(), enumOf(s.Properties[key]).sorted
		return suggest(text, names).word != "" || wholeName(text, names) != ""
	})
}

// The weights of faults when alternatives are compared. A value of the wrong type is worse than everything else
// together; a wrong name, if names distinguish the alternatives, is worse than missing or extra keys. A key that is
// missing weighs more than two wrong values: a job with a command runs no component.
const (
	wrongTypeCost = 1 << 20
	wrongNameCost = 1 << 10
	mostCost      = 16 // of one value in a mapping
	missingCost   = 40 // of a key that must be there
	unknownCost   = 10
	wrongCost     = 8
	emptyCost     = 64 // of any key where there can be none
)

// telling are the keys whose values distinguish alternatives.
var telling = []string{"type", "task", "kind", "job_service_type", "sampling_algorithm"}

// misfit returns how badly n matches s: 0 if it matches.
func (r *resolver) misfit(s *literal.Schema, n *document.Node) (cost int) {
	n = n.Resolve()
	if s == nil || n == nil || isTemplate(n) {
		return 0
	}
	if n.Kind != document.Scalar { // measuring a scalar again costs less than keeping what it costs
		at := measure{s, n}
		if known, ok := r.measured[at]; ok {
			return known
		}
		if r.measured == nil {
			r.measured = map[measure]int{}
		}
		r.measured[at] = 0 // a value inside itself has no weight
		defer func() { r.measured[at] = cost }()
	}
	s = r.variant(s, n)
	if s == nil {
		return 0
	}
	if t := jsonType(n); len(s.Types) > 0 && !allows(s.Types, t) {
		return wrongTypeCost
	}
	switch n.Kind {
	case document.Scalar:
		if v := (validation{kind: v2Any}); n.Tag() == "!!str" && !v.scalarConforms(s, n) {
			return wrongCost
		}
	case document.Sequence:
		for _, item := range n.Items() {
			cost += min(r.misfit(s.Items, item), mostCost)
		}
	case document.Mapping:
		return r.mappingMisfit(s, n)
	default: // an alias has been resolved
	}
	return min(cost, wrongTypeCost/2)
}

func (r *resolver) mappingMisfit(s *literal.Schema, n *document.Node) (cost int) {
	entries := n.Entries()
	if n.Merges() {
		entries = n.Own()
		for _, key := range telling {
			if e, ok := n.Entry(key); ok && e.Value.Parent != n {
				entries = append(entries, e)
			}
		}
	}
	for _, e := range entries {
		child, known := s.Properties[e.Key.Value]
		if !known {
			switch {
			case !s.Closed:
			case len(s.Properties) == 0:
				cost += emptyCost
			default:
				cost += unknownCost
			}
			child = s.Additional
		}
		below := min(r.misfit(child, e.Value), mostCost)
		if below > 0 && slices.Contains(telling, e.Key.Value) && !slices.ContainsFunc(enumOf(child).sorted, func(name string) bool { return strings.EqualFold(name, e.Value.Text()) }) {
			below = wrongNameCost // except for a name that differs only in case
		}
		cost += below
	}
	for _, name := range s.Required {
		switch {
		case n.Has(name):
		case name == "type" && slices.Equal(enumOf(s.Properties[name]).sorted, []string{meant(n)}):
			cost += missingCost / 2
		default:
			cost += missingCost
		}
	}
	return min(cost, wrongTypeCost/2)
}

// filledIn reports whether a value is filled in before Azure ML reads it. In the older dialects, what a person should
// have replaced is a fault.
func (v *validation) filledIn(n *document.Node) bool {
	if (v.kind.v2() || !n.IsString()) && isTemplate(n) {
		return v.kind != Settings
	}
	return v.kind != Settings && n.IsString() && template.ByProgram(n.Value)
}

// isTemplate reports whether a program fills in a value before Azure ML reads it. In flow style, "{{name}}" is a
// mapping with a mapping as its only key.
func isTemplate(n *document.Node) bool {
	if n == nil {
		return false
	}
	if n.Kind == document.Mapping && n.Style == document.Flow && len(n.Entries()) == 1 {
		return n.Entries()[0].Key.Kind == document.Mapping
	}
	return n.IsString() && template.In(n.Value)
}
