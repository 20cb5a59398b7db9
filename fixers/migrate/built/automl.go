package built

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// forecastingParameters are the parameters that AutoMLConfig took itself before ForecastingParameters did. Source:
// azureml-automl-core 1.60, forecasting_parameters.py.
var forecastingParameters = []string{
	"time_column_name", "grain_column_names", "time_series_id_column_names", "max_horizon", "forecast_horizon", "target_lags", "target_rolling_window_size", "country", "country_or_region",
	"country_or_region_for_holidays", "holiday_country", "freq", "feature_lags", "seasonality", "short_series_handling_configuration", "use_stl", "target_aggregation_function", "cv_step_size",
	"features_unknown_at_forecast_time", "drop_column_names", "group_column_names",
}

// automl reads an AutoMLConfig under the names of its parameters; those of forecasts are below "forecasting".
func (b *builder) automl(th *Thing) {
	th.Kind = AutoML
	c := th.object.call
	if len(c.Positional) > 0 {
		b.learning(th, "task", b.eval(c.Positional[0], 0)) // it is the first, whatever follows
	}
	for _, name := range slices.Sorted(maps.Keys(c.Keywords)) {
		b.learning(th, name, b.arg(c, name, -1))
	}
	for _, t := range unpacked(th.object.tokens) {
		settings := b.node(b.eval(t, 0))
		if settings.Kind != document.Mapping {
			put(th.Root, "settings", b.node(value{tokens: t}))
			continue
		}
		list, _ := b.pairs(b.written(t), 0)
		objects := map[string][]python.Token{}
		for _, o := range list {
			objects[o.key.Value] = o.value
		}
		for _, e := range settings.Entries() {
			v := value{literal: e.Value, tokens: t}
			if tokens := objects[e.Key.Value]; e.Value.Tag() == Open && tokens != nil {
				v = b.eval(tokens, 0)
			}
			if v.literal != nil && v.literal.Tag() == Open {
				put(th.Root, e.Key.Value, e.Value)
			} else {
				b.learning(th, e.Key.Value, v)
			}
		}
	}
}

// learning reads one argument.
func (b *builder) learning(th *Thing, name string, v value) {
	switch {
	case v.absent():
	case name == "compute_target":
		b.targetAt(th.Root, name, v)
	case name == "training_data" || name == "validation_data" || name == "test_data":
		b.learned(th.Root, name, v)
	case name == "forecasting_parameters" && v.object != nil && v.object.base == nil && v.object.class == "ForecastingParameters":
		if len(v.object.call.Positional) > 0 {
			b.put(th.Root, "forecasting.time_column_name", b.eval(v.object.call.Positional[0], 0))
		}
		for _, name := range slices.Sorted(maps.Keys(v.object.call.Keywords)) {
			b.take(th.Root, "forecasting."+name, v.object.call, name, -1)
		}
		b.attributes(th.Root, v.object.name, place(v.object), func(path string, v value) bool {
			b.put(th.Root, "forecasting."+path, v)
			return true
		})
	case name == "featurization" && v.object != nil && v.object.base == nil && v.object.class == "FeaturizationConfig":
		if n := b.featurization(th, v.object); n != nil {
			put(th.Root, name, n)
		} else {
			b.put(th.Root, name, value{tokens: v.tokens})
		}
	case slices.Contains(forecastingParameters, name):
		b.put(th.Root, "forecasting."+name, v)
	default:
		b.put(th.Root, name, v)
	}
}

// learned reads a table: the name and version of a registered dataset, or what computes another.
func (b *builder) learned(root *document.Node, name string, v value) {
	found := &Thing{Root: mapping(v.tokens)}
	b.dataset(found, b.node(value{tokens: v.tokens}), v, name)
	for _, e := range found.Root.Get("data").Own() {
		if of := e.Value.Get("dataLocation").Get("dataset"); of != nil {
			put(root, name, of)
			return
		}
	}
	if table := b.delimited(v); table != nil {
		put(root, name, table)
		return
	}
	b.put(root, name, value{tokens: v.tokens})
}

// delimited reads a table that is not registered: where its file is, and what separates its columns. It returns nil for
// one that has more settings, or is not in one place.
func (b *builder) delimited(v value) *document.Node {
	o := v.object
	if o == nil || o.base != nil || o.class != "Dataset.Tabular" || o.method != "from_delimited_files" || o.call.Open || len(o.call.Positional) > 1 {
		return nil
	}
	for name := range o.call.Keywords {
		if !slices.Contains([]string{"path", "separator", "validate"}, name) {
			return nil
		}
	}
	table := mapping(v.tokens)
	b.location(table, b.arg(o.call, "path", 0))
	b.take(table, "separator", o.call, "separator", -1)
	at, separator := table.Get("path"), table.Get("separator")
	_, given := o.call.Keywords["separator"]
	if !exact(at) || at.Tag() != "!!str" || path.Ext(at.Value) == "" || strings.Contains(at.Value, "*") || given && (separator == nil || separator.Tag() != "!!str") || len(table.Entries()) > 3 {
		return nil
	}
	return table
}

// unpacked returns the expressions after "**" in the arguments of a call.
func unpacked(t []python.Token) (list [][]python.Token) {
	depth, begin := 0, -1
	for i, k := range t {
		switch {
		case depth == 1 && k.Kind == python.Operator && k.Text == "**" && (t[i-1].Text == "(" || t[i-1].Text == ","):
			begin = i + 1
		case begin > 0 && begin < i && depth == 1 && k.Kind == python.Operator && (k.Text == "," || k.Text == ")"):
			list, begin = append(list, t[begin:i]), -1
		}
		depth += python.Bracket(k)
	}
	return list
}
