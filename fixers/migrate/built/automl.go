package built

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
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
		b.read[c.Positional[0][0].At] = true
		b.learning(th, "task", b.eval(c.Positional[0], 0)) // it is the first, whatever follows
	}
	for _, name := range slices.Sorted(maps.Keys(c.Keywords)) {
		b.learning(th, name, b.arg(c, name, -1))
	}
	for _, t := range th.object.rest {
		b.read[t[0].At] = true
		put(th.Root, "settings", b.node(value{tokens: t}))
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
		if first := v.object.call.Positional; len(first) > 0 {
			b.read[first[0][0].At] = true
			b.put(th.Root, "forecasting.time_column_name", b.eval(first[0], 0))
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
