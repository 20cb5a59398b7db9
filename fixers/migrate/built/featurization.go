package built

import (
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// featurizationParameters are the parameters of FeaturizationConfig in azureml-automl-core 1.60, in order.
var featurizationParameters = []string{"blocked_transformers", "column_purposes", "transformer_params", "drop_columns", "dataset_language", "prediction_transform_type"}

// featurization reads a FeaturizationConfig, with what the program adds to it, into a list: each item is a parameter
// and its value. Keys that its methods add to are those of the parameters.
func (b *builder) featurization(th *Thing, o *object) {
	n := list(o.tokens)
	take := func(name string, value *document.Node) {
		one := mapping(o.tokens)
		one.Span, one.Properties = value.Span, value.Properties
		put(one, name, value)
		attach(n, one)
	}
	for place, name := range featurizationParameters {
		if v := b.arg(o.call, name, place); !v.absent() {
			take(name, b.node(v))
		}
	}
	if o.name != "" && !b.lost[o.name] {
		for _, s := range b.during(b.attrs[o.name], o.name, place(o)) {
			if v := b.eval(s.tokens, 0); s.key == nil && !s.at.Conditional() && v.literal != nil {
				take(s.path, b.node(v))
			} else {
				take(s.path, b.node(value{tokens: s.tokens}))
			}
		}
		for _, s := range b.during(b.calls[o.name], o.name, place(o)) {
			b.featurized(s, take)
		}
	}
	put(th.Root, "featurization", n)
}

// featurized reads a call that adds to a FeaturizationConfig.
func (b *builder) featurized(s setting, take func(name string, value *document.Node)) {
	c, ok := python.CallAt(s.tokens, 0)
	if !ok || c.Open || s.at.Conditional() {
		take(s.path, b.node(value{tokens: s.tokens}))
		return
	}
	argument := func(name string, place int) *document.Node {
		if v := b.arg(c, name, place); !v.absent() {
			return b.node(v)
		}
		return mapping(s.tokens)
	}
	switch s.path {
	case "add_column_purpose":
		purpose := mapping(s.tokens)
		if column := argument("column_name", 0); column.IsString() {
			add(purpose, column, argument("feature_type", 1))
			take("column_purposes", purpose)
			return
		}
	case "add_blocked_transformers":
		take("blocked_transformers", argument("transformers", 0))
		return
	case "add_drop_columns":
		take("drop_columns", argument("drop_columns", 0))
		return
	case "add_transformer_params":
		if name := argument("transformer", 0); name.IsString() {
			one, pair, params := list(s.tokens), list(s.tokens), mapping(s.tokens)
			attach(pair, argument("cols", 1))
			attach(pair, argument("params", 2))
			attach(one, pair)
			add(params, name, one)
			take("transformer_params", params)
			return
		}
	}
	take(s.path, b.node(value{tokens: s.tokens}))
}
