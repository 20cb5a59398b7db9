package v2

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// learner is what v2 knows of a task. Source: azure-ai-ml 1.35.2, ClassificationModels and similar enumerations.
type learner struct{ metrics, models []string }

func learners() map[string]learner {
	errors := []string{"spearman_correlation", "normalized_root_mean_squared_error", "r2_score", "normalized_mean_absolute_error"}
	trees := []string{"DecisionTree", "ExtremeRandomTrees", "GradientBoosting", "KNN", "LightGBM", "RandomForest", "SGD"}
	numbers := append(slices.Clone(trees), "ElasticNet", "LassoLars", "XGBoostRegressor")
	return map[string]learner{
		"classification": {[]string{"auc_weighted", "accuracy", "norm_macro_recall", "average_precision_score_weighted", "precision_score_weighted"},
			append(slices.Clone(trees), "BernoulliNaiveBayes", "LinearSVM", "LogisticRegression", "MultinomialNaiveBayes", "SVM", "XGBoostClassifier")},
		"regression":  {errors, numbers},
		"forecasting": {errors, append(numbers, "Arimax", "AutoArima", "Average", "ExponentialSmoothing", "Naive", "Prophet", "SeasonalAverage", "SeasonalNaive", "TCNForecaster")},
	}
}

// Parameters of AutoMLConfig and ForecastingParameters, each with v2's name and the type that v2 takes. Source:
// azure-ai-docs migrate-to-v2-execution-automl.md and the marshmallow classes of azure-ai-ml.
var (
	learnKeys = [][3]string{
		{"label_column_name", "target_column_name", "text"}, {"positive_label", "positive_label", "text"}, {"weight_column_name", "weight_column_name", "text"}, {"cv_split_column_names", "cv_split_column_names", "texts"},
		{"n_cross_validations", "n_cross_validations", "count"}, {"validation_size", "validation_data_size", "number"}, {"test_size", "test_data_size", "number"},
	}
	learnLimits = [][3]string{
		{"iterations", "max_trials", "int"}, {"max_concurrent_iterations", "max_concurrent_trials", "int"}, {"max_cores_per_iteration", "max_cores_per_trial", "int"},
		{"experiment_timeout_minutes", "timeout_minutes", "int"}, {"iteration_timeout_minutes", "trial_timeout_minutes", "int"},
		{"enable_early_stopping", "enable_early_termination", "bool"}, {"experiment_exit_score", "exit_score", "number"},
	}
	learnTraining = [][3]string{
		{"enable_voting_ensemble", "enable_vote_ensemble", "bool"}, {"enable_stack_ensemble", "enable_stack_ensemble", "bool"}, {"enable_dnn", "enable_dnn_training", "bool"},
		{"model_explainability", "enable_model_explainability", "bool"}, {"enable_onnx_compatible_models", "enable_onnx_compatible_models", "bool"},
	}
	learnForecasts = [][3]string{
		{"time_column_name", "time_column_name", "text"}, {"grain_column_names", "time_series_id_column_names", "text or texts"}, {"time_series_id_column_names", "time_series_id_column_names", "text or texts"},
		{"max_horizon", "forecast_horizon", "count"}, {"forecast_horizon", "forecast_horizon", "count"}, {"target_lags", "target_lags", "counts"}, {"target_rolling_window_size", "target_rolling_window_size", "count"},
		{"country", "country_or_region_for_holidays", "text"}, {"country_or_region", "country_or_region_for_holidays", "text"}, {"country_or_region_for_holidays", "country_or_region_for_holidays", "text"},
		{"holiday_country", "country_or_region_for_holidays", "text"}, {"freq", "frequency", "text"}, {"feature_lags", "feature_lags", "auto|none"}, {"seasonality", "seasonality", "count"},
		{"short_series_handling_configuration", "short_series_handling_config", "auto|pad|drop"}, {"use_stl", "use_stl", "season|season_trend"}, {"target_aggregation_function", "target_aggregate_function", "sum|max|min|mean"}, {"cv_step_size", "cv_step_size", "int"},
		{"features_unknown_at_forecast_time", "features_unknown_at_forecast_time", "text or texts"},
	}
)

// automl writes a job that tries models. What cannot be carried over is named in its first lines.
func (w *assetWriter) automl() {
	task := w.a.Field("task")
	known, is := learners()[task.Text]
	if !is {
		const why = "no job is written: amlfix writes AutoML jobs for the tasks classification, regression and forecasting, given as a literal"
		var all []schema.Field
		for _, e := range w.a.File.Root().Entries {
			all = append(all, w.a.Field(e.Key.Value))
		}
		w.m.Refused = append(w.m.Refused, migrate.Skipped{File: account.Place(schema.Field{File: w.a.File, Node: w.a.File.Root()}), Why: why, Job: true})
		w.m.Ledger.Drop(w.a.Name, why, all...)
		return
	}
	w.body = schemaOf("autoMLJob").Set("type", "automl").Set("display_name", w.a.Name).Set("experiment_name", w.m.ExperimentOf(w.a.Name, w.a.Experiment, w.a.File))
	w.runsOn()
	w.body = w.body.Set("task", task.Text)
	w.m.Ledger.Map(w.a.Name, "`task`", "", task)
	w.verbosity()
	if f := w.a.Field("primary_metric"); slices.Contains(known.metrics, strings.ToLower(f.Text)) {
		w.body = w.body.Set("primary_metric", strings.ToLower(f.Text))
		w.m.Ledger.Map(w.a.Name, "`primary_metric`", "", f)
	} else {
		w.m.Ledger.Drop(w.a.Name, "v2 optimizes other metrics for this task", f)
	}
	w.body = append(w.body, w.values("", learnKeys)...)
	w.label()
	for _, key := range []string{"training_data", "validation_data", "test_data"} {
		w.table(key)
	}
	w.limits()
	if f := w.a.Field("featurization"); f.Text == "auto" || f.Text == "off" {
		w.body = w.body.Set("featurization", yamlout.Map{}.Set("mode", f.Text))
		w.m.Ledger.Map(w.a.Name, "`featurization.mode`", "", f)
	}
	training := w.values("training", learnTraining)
	for _, names := range [][2]string{{"allowed_models", "allowed_training_algorithms"}, {"whitelist_models", "allowed_training_algorithms"}, {"blocked_models", "blocked_training_algorithms"}, {"blacklist_models", "blocked_training_algorithms"}} {
		training = training.Fill(names[1], w.algorithms(names[0], names[1], known.models))
	}
	w.body = w.body.Fill("training", training)
	if task.Text == "forecasting" {
		w.body = w.body.Fill("forecasting", w.values("forecasting", learnForecasts))
	}
	w.body = w.submitted(w.body, w.a.Name, w.a.File)
	w.rest()
	w.m.Write("job-"+w.a.Name+".yml", yamlout.Bytes(w.head, w.body))
}

// runsOn sets the compute target: SDK v1 trained on this computer if none was given.
func (w *assetWriter) runsOn() {
	f, lost := w.a.Field("compute_target"), w.a.Open("compute_target")
	if f.Explicit && f.Text != "local" {
		w.body = w.body.Set("compute", "azureml:"+f.Text)
		w.m.Ledger.Map(w.a.Name, "`compute: azureml:"+f.Text+"`", "", f)
		return
	}
	why := w.place() + " trains on this computer"
	if lost.Explicit {
		why = account.Place(lost) + " computes it"
	}
	answer, _ := w.m.Decide(account.Question{ID: "target", Scope: w.a.Name, Ask: "On which compute target does the job run?", Example: "cpu-cluster", Why: why + "; AutoML of v2 needs a compute target of the workspace"})
	w.m.Ledger.Decide(w.a.Name, answer, "target", f, lost)
	w.open("compute", "azureml:", answer)
}

// place returns the place of the asset in its program.
func (w *assetWriter) place() string {
	return account.Place(schema.Field{File: w.a.File, Node: w.a.File.Root()})
}

// open sets a key to an answer, or to the marker while there is none.
func (w *assetWriter) open(key, before, answer string) {
	entry := yamlout.Entry{Key: key, Value: before + answer}
	if answer == "" {
		entry.Value, entry.Above = before+account.Marker, []string{account.Marker + ": the program does not say it; see " + account.Report}
	}
	w.body = append(w.body, entry)
}

// verbosity sets how much is logged.
func (w *assetWriter) verbosity() {
	f := w.a.Open("verbosity")
	level := strings.ToLower(strings.TrimPrefix(f.Text, "logging."))
	if level = strings.TrimSuffix(level, "ing"); level == "warn" {
		level = "warning"
	}
	if slices.Contains([]string{"critical", "error", "warning", "info", "debug"}, level) && strings.HasPrefix(f.Text, "logging.") {
		w.body = w.body.Set("log_verbosity", level)
		w.m.Ledger.Map(w.a.Name, "`log_verbosity`", "", f)
	}
}

// label asks for the column that is predicted, if the program computes it.
func (w *assetWriter) label() {
	if w.a.Field("label_column_name").Node.IsString() {
		return
	}
	lost := w.a.Open("label_column_name")
	why := w.place() + " names no label_column_name, as versions did that took the column as data of its own"
	if lost.Explicit {
		why = account.Place(lost) + " computes it"
	}
	answer, _ := w.m.Decide(account.Question{ID: "label", Scope: w.a.Name, Ask: "Which column does the job predict?", Example: "COLUMN", Why: why})
	w.m.Ledger.Decide(w.a.Name, answer, "label", lost)
	w.open("target_column_name", "", answer)
}

// table sets one of the tables: AutoML of v2 reads only an mltable, which registered tabular datasets of SDK v1 are.
func (w *assetWriter) table(key string) {
	f, lost := w.a.Field(key), w.a.Open(key)
	if !f.Explicit && !lost.Explicit && key != "training_data" {
		return
	}
	name, version := schema.FieldAt(w.a.File, f.Node, "name"), schema.FieldAt(w.a.File, f.Node, "version")
	called, why := migrate.DataName(name.Text)
	if kind := w.kinds[called]; name.Explicit && (kind == "" || kind == "mltable") {
		address := "azureml:" + called + "@latest"
		if version.Explicit && version.Text != "latest" {
			address = "azureml:" + called + ":" + version.Text
		}
		w.body = w.body.Set(key, yamlout.Map{}.Set("type", "mltable").Set("path", address))
		w.m.Ledger.Map(w.a.Name, "`"+key+"`", why, account.Given(name, version)...)
		return
	}
	switch {
	case name.Explicit:
		why = account.Place(name) + " names " + account.Name(called) + ", which is written as files: answer data-type=mltable for it"
	case lost.Explicit:
		why = account.Place(lost) + " computes it"
	default:
		why = w.place() + " names no training_data"
	}
	id := account.Slug(key)
	answer, _ := w.m.Decide(account.Question{ID: id, Scope: w.a.Name, Ask: "Which table is the " + strings.ReplaceAll(key, "_", " ") + "?", Example: "azureml:NAME@latest",
		Why: why + "; AutoML of v2 reads only data of type mltable"})
	w.m.Ledger.Decide(w.a.Name, answer, id, account.Given(name, version, lost)...)
	entry := yamlout.Entry{Key: key, Value: yamlout.Map{}.Set("type", "mltable").Set("path", answer)}
	if answer == "" {
		entry.Value = yamlout.Map{}.Set("type", "mltable").Set("path", "azureml:"+account.Marker+"@latest")
		entry.Above = []string{account.Marker + ": the program does not say which registered data it is; see " + account.Report}
	}
	w.body = append(w.body, entry)
}

// limits sets how long the job runs, and how many models it tries.
func (w *assetWriter) limits() {
	m := w.values("limits", learnLimits)
	if f := w.a.Field("experiment_timeout_hours"); f.Explicit && f.Node.Tag != built.Open {
		if hours, err := strconv.ParseFloat(f.Text, 64); err == nil && hours > 0 && hours < math.MaxInt16 {
			m = m.Set("timeout_minutes", int(math.Ceil(hours*60)))
			w.m.Ledger.Map(w.a.Name, "`limits.timeout_minutes`", "", f)
		}
	}
	w.body = w.body.Fill("limits", m)
}

// values returns the parameters that have the type that v2 takes; section is where they are in the file.
func (w *assetWriter) values(section string, names [][3]string) (m yamlout.Map) {
	root := w.a.File.Root()
	if section == "forecasting" {
		root = root.Get(section)
	}
	for _, name := range names {
		f := schema.FieldAt(w.a.File, root, name[0])
		if !f.Explicit {
			continue
		}
		if !fits(f.Node, name[2]) {
			w.m.Ledger.Drop(w.a.Name, "not a value that AutoML of v2 takes", f)
			continue
		}
		value := plainValue(f.Node)
		if name[1] == "use_stl" {
			value = strings.ReplaceAll(f.Text, "_", "") // as the client reads it
		}
		m = m.Set(name[1], value)
		w.m.Ledger.Map(w.a.Name, "`"+strings.TrimPrefix(section+"."+name[1], ".")+"`", "", f)
	}
	return m
}

// fits reports whether a value has a type.
func fits(n *document.Node, kind string) bool {
	each := func(kind string) bool {
		return n.Kind == document.Sequence && len(n.Items) > 0 && !slices.ContainsFunc(n.Items, func(item *document.Node) bool { return !fits(item, kind) })
	}
	switch kind {
	case "text":
		return n.IsString()
	case "int":
		return n.Tag == "!!int"
	case "number":
		return n.Kind == document.Scalar && built.IsNumber(n, false)
	case "bool":
		return n.Tag == "!!bool"
	case "texts":
		return each("text")
	case "text or texts":
		return n.IsString() || each("text")
	case "count":
		return n.Tag == "!!int" || n.IsString() && n.Value == "auto"
	case "counts":
		return fits(n, "count") || each("int")
	}
	return n.IsString() && slices.Contains(strings.Split(kind, "|"), n.Value)
}

// algorithms returns the models that v2 knows.
func (w *assetWriter) algorithms(name, key string, known []string) (list yamlout.List) {
	f := w.a.Field(name)
	if !f.Explicit || !f.Node.IsSequence() {
		return nil
	}
	for _, item := range f.Node.Items {
		model := item.Value
		if model == "ForecastTCN" {
			model = "TCNForecaster"
		}
		one := schema.Field{File: w.a.File, Node: item}
		if !slices.Contains(known, model) {
			w.m.Ledger.Drop(w.a.Name, "v2 does not try this model for this task", one)
			continue
		}
		list = append(list, model)
		w.m.Ledger.Map(w.a.Name, "`training."+key+"`", "", one)
	}
	return list
}

// rest says why other parameters are dropped, and names those that the program computes.
func (w *assetWriter) rest() {
	w.m.Ledger.DropRest(w.a.Name, "the service keeps the job's files and its log", account.Given(w.a.Field("path"), w.a.Field("debug_log"))...)
	var lost []string
	for _, e := range w.a.File.Root().Entries {
		if name, is := strings.CutSuffix(e.Key.Value, " (not a literal)"); is && w.m.Ledger.Unknown(schema.Field{Node: e.Value}) {
			lost = append(lost, name)
		}
	}
	if len(lost) > 0 {
		w.head = append(w.head, "Not carried over, because the program computes it: "+strings.Join(lost, ", ")+". See "+account.Report+".")
	}
}
