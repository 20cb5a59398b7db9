package v2

import (
	"maps"
	"slices"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// transformers are those that v2 can block, and parametrized those whose parameters it takes; it writes their names in
// snake_case. Source: azure-ai-ml 1.35.2, BlockedTransformers and AutoMLTransformerParameterKeys.
var (
	transformers = [...]string{
		"TextTargetEncoder", "OneHotEncoder", "CatTargetEncoder", "TfIdf", "WoETargetEncoder", "LabelEncoder", "WordEmbedding", "NaiveBayes", "CountVectorizer", "HashOneHotEncoder",
	}
	parametrized = [...]string{"Imputer", "TfIdf", "HashOneHotEncoder"}
)

// featurization sets how columns are prepared, from a word or from what a FeaturizationConfig has.
func (w *assetWriter) featurization() {
	f := w.a.Field("featurization")
	if f.Text == "auto" || f.Text == "off" {
		w.body = w.body.Set("featurization", yamlout.Map{}.Set("mode", f.Text))
		w.m.Ledger.Map(w.a.Name, "`featurization.mode`", "", f)
	}
	if !f.Explicit || !f.Node.IsSequence() {
		return
	}
	var blocked yamlout.List
	var types, rest, params yamlout.Map
	drops := false
	tunings := map[string]yamlout.List{}
	for _, item := range f.Node.Items() {
		for _, e := range item.Entries() {
			switch n := e.Value; {
			case e.Key.Value == "blocked_transformers":
				blocked = append(blocked, w.blocked(n)...)
			case e.Key.Value == "column_purposes":
				for _, c := range n.Entries() {
					if fits(c.Value, "text") {
						types = types.Set(c.Key.Value, c.Value.Value)
						w.featurized("column_name_and_types", c.Value)
					}
				}
			case e.Key.Value == "transformer_params":
				for _, c := range n.Entries() {
					if slices.Contains(parametrized[:], c.Key.Value) {
						name := plain.SnakeCase(c.Key.Value)
						tunings[name] = append(tunings[name], w.columns(c.Value)...)
					} else {
						w.m.Ledger.Node(account.Note{For: w.a.Name, Disposition: account.Dropped, Why: "v2 does not know this transformer"}, c.Value)
					}
				}
			case e.Key.Value == "dataset_language" && fits(n, "text"):
				rest = rest.Set("dataset_language", n.Value)
				w.featurized("dataset_language", n)
			case e.Key.Value == "drop_columns":
				drops = len(n.Items()) > 0 || n.Value != ""
				w.m.Ledger.Node(account.Note{For: w.a.Name, Disposition: account.Dropped, Why: "AutoML of v2 drops no columns: leave them out of the table"}, n)
			}
		}
	}
	if drops {
		w.head = append(w.head, "Not carried over, because AutoML of v2 drops no columns: featurization.drop_columns. See "+account.Report+".")
	}
	for _, name := range slices.Sorted(maps.Keys(tunings)) {
		params = params.Fill(name, tunings[name])
	}
	rest = rest.Fill("blocked_transformers", blocked).Fill("column_name_and_types", types).Fill("transformer_params", params)
	mode := "custom"
	if len(rest) == 0 {
		mode = "auto"
	}
	w.body = w.body.Set("featurization", append(yamlout.Map{}.Set("mode", mode), rest...))
}

// featurized notes that a value is in the new file.
func (w *assetWriter) featurized(key string, n *document.Node) {
	w.m.Ledger.Node(account.Note{For: w.a.Name, Disposition: account.Mapped, Result: "`featurization." + key + "`"}, n)
}

// blocked returns the transformers, one or a list of them, that v2 can block.
func (w *assetWriter) blocked(n *document.Node) (list yamlout.List) {
	items := n.Items()
	if fits(n, "text") {
		items = []*document.Node{n}
	}
	for _, item := range items {
		if slices.Contains(transformers[:], item.Value) {
			list = append(list, plain.SnakeCase(item.Value))
			w.featurized("blocked_transformers", item)
		} else {
			w.m.Ledger.Node(account.Note{For: w.a.Name, Disposition: account.Dropped, Why: "v2 does not know this transformer"}, item)
		}
	}
	return list
}

// columns returns the columns that a transformer has parameters for, from pairs of columns and parameters.
func (w *assetWriter) columns(pairs *document.Node) (list yamlout.List) {
	for _, pair := range pairs.Items() {
		if len(pair.Items()) != 2 || !pair.Items()[0].IsSequence() || !fits(pair.Items()[0], "texts") && len(pair.Items()[0].Items()) > 0 || !pair.Items()[1].IsMapping() ||
			slices.ContainsFunc(pair.Items()[1].Entries(), func(e document.Entry) bool { return !fits(e.Value, "text") && !fits(e.Value, "number") }) {
			continue
		}
		one := yamlout.Map{}.Fill("fields", plainValue(pair.Items()[0]))
		parameters := yamlout.Map{}
		for _, e := range pair.Items()[1].Entries() {
			parameters = parameters.Set(e.Key.Value, plainValue(e.Value))
			w.featurized("transformer_params", e.Value)
		}
		for _, column := range pair.Items()[0].Items() {
			w.featurized("transformer_params", column)
		}
		list = append(list, one.Fill("parameters", parameters))
	}
	return list
}
