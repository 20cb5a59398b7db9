package v2

import "slices"

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
		{"time_column_name", "time_column_name", "text"}, {"time_series_id_column_names", "time_series_id_column_names", "text or texts"}, {"grain_column_names", "time_series_id_column_names", "text or texts"},
		{"forecast_horizon", "forecast_horizon", "count"}, {"max_horizon", "forecast_horizon", "count"}, {"target_lags", "target_lags", "counts"}, {"target_rolling_window_size", "target_rolling_window_size", "count"},
		{"country_or_region_for_holidays", "country_or_region_for_holidays", "text"}, {"country_or_region", "country_or_region_for_holidays", "text"}, {"country", "country_or_region_for_holidays", "text"},
		{"holiday_country", "country_or_region_for_holidays", "text"}, {"freq", "frequency", "text"}, {"feature_lags", "feature_lags", "auto|none"}, {"seasonality", "seasonality", "count"},
		{"short_series_handling_configuration", "short_series_handling_config", "auto|pad|drop"}, {"use_stl", "use_stl", "season|season_trend"}, {"target_aggregation_function", "target_aggregate_function", "sum|max|min|mean"}, {"cv_step_size", "cv_step_size", "int"},
		{"features_unknown_at_forecast_time", "features_unknown_at_forecast_time", "text or texts"},
	}
)
