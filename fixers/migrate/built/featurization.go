package built

import (
	"slices"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// featurizationParameters are the parameters of FeaturizationConfig in azureml-automl-core 1.60, in order.
var featurizationParameters = [...]string{"blocked_transformers", "column_purposes", "transformer_params", "drop_columns", "dataset_language", "prediction_transform_type"}

// featurization reads a FeaturizationConfig, with what the program adds to it, into a list: each item is a parameter
// and its value. It returns nil if anything about it is not certain.
func (b *builder) featurization(th *Thing, o *object) *document.Node {
	n := list(o.tokens)
	take := func(name string, value *document.Node) bool {
		one := mapping(o.tokens)
		one.Span, one.Properties = value.Span, value.Properties
		put(one, name, value)
		attach(n, one)
		return prepares(name, value)
	}
	for name := range o.call.Keywords {
		if !slices.Contains(featurizationParameters[:], name) {
			return nil
		}
	}
	for place, name := range featurizationParameters {
		if v := b.arg(o.call, name, place); !v.absent() && !take(name, b.node(v)) {
			return nil
		}
	}
	if o.call.Open || o.returned {
		return nil
	}
	if o.name == "" {
		return n
	}
	made, used := b.statement(place(o)), b.statement(th.object.tokens[0].At)
	if b.lost[o.name] || len(b.set[o.name]) != 1 || made == nil || used == nil || made.Conditional() || used.Function() != made.Function() {
		return nil
	}
	for _, s := range b.all {
		if !b.spend(len(s.Tokens)) {
			return nil
		}
		for i, k := range s.Tokens {
			switch t := s.Tokens; {
			case k.Kind != python.Name || k.Text != o.name || i > 0 && t[i-1].Text == ".", s == made && i == 0:
			case i > 1 && t[i-1].Text == "=" && t[i-2].Text == "featurization" && i+1 < len(t) && (t[i+1].Text == "," || t[i+1].Text == ")"):
			case i > 0 || s.Conditional() || s.Function() != made.Function() || s.Tokens[0].At > used.Tokens[0].At || !b.prepared(s, o.name, n, take):
				return nil
			}
		}
	}
	return n
}

// prepared reads a statement that changes a FeaturizationConfig, and reports whether that is certain.
func (b *builder) prepared(s *python.Statement, name string, n *document.Node, take func(name string, value *document.Node) bool) bool {
	of := func(one setting) bool { return one.at == s && one.key == nil }
	if i := slices.IndexFunc(b.attrs[name], of); i >= 0 {
		one := b.attrs[name][i]
		n.SetItems(slices.DeleteFunc(n.Items(), func(item *document.Node) bool { return item.Get(one.path) != nil }))
		return take(one.path, b.node(b.eval(one.tokens, 0)))
	}
	i := slices.IndexFunc(b.calls[name], of)
	if i < 0 {
		return false
	}
	one := b.calls[name][i]
	c, ok := python.CallAt(one.tokens, 0)
	argument := func(name string, place int) *document.Node {
		if v := b.arg(c, name, place); !v.absent() {
			return b.node(v)
		}
		return scalar("!!null", "", one.tokens)
	}
	switch {
	case !ok || c.Open || c.End != len(one.tokens)-1:
	case one.path == "add_column_purpose":
		purpose := mapping(one.tokens)
		column := argument("column_name", 0)
		add(purpose, column, argument("feature_type", 1))
		return column.IsString() && take("column_purposes", purpose)
	case one.path == "add_blocked_transformers":
		return take("blocked_transformers", argument("transformers", 0))
	case one.path == "add_drop_columns":
		return take("drop_columns", argument("drop_columns", 0))
	case one.path == "add_transformer_params":
		transformer, list, pair, params := argument("transformer", 0), list(one.tokens), list(one.tokens), mapping(one.tokens)
		attach(pair, argument("cols", 1))
		attach(pair, argument("params", 2))
		attach(list, pair)
		add(params, transformer, list)
		return transformer.IsString() && take("transformer_params", params)
	}
	return false
}

// prepares reports whether a parameter of FeaturizationConfig has a value of its type, all of it literal.
func prepares(name string, n *document.Node) bool {
	word := func(n *document.Node) bool { return n.IsString() && n.Tag() != Open }
	words := func(n *document.Node) bool {
		return n.IsSequence() && !slices.ContainsFunc(n.Items(), func(item *document.Node) bool { return !word(item) })
	}
	each := func(n *document.Node, is func(n *document.Node) bool) bool {
		return n.IsMapping() && !slices.ContainsFunc(n.Entries(), func(e document.Entry) bool { return !is(e.Value) })
	}
	switch name {
	case "blocked_transformers", "drop_columns":
		return word(n) || words(n)
	case "column_purposes":
		return each(n, word)
	case "dataset_language":
		return word(n)
	case "transformer_params":
		return each(n, func(pairs *document.Node) bool {
			return pairs.IsSequence() && !slices.ContainsFunc(pairs.Items(), func(pair *document.Node) bool {
				return len(pair.Items()) != 2 || !words(pair.Items()[0]) || !each(pair.Items()[1], func(n *document.Node) bool { return word(n) || IsNumber(n, false) })
			})
		})
	}
	return false
}
