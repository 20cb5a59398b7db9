package catalog

type estimatorRow struct{ class, pkg string }

var estimatorRows = load("estimators", func(r record) estimatorRow { return estimatorRow{r.text("class"), r.text("package")} })

var estimatorIndex = lookup(estimatorRows, func(r estimatorRow) string { return r.class })

// Estimator returns the package that a class of azureml-train-core that starts a script installs besides those it is
// given, or "". ok is false if no such class is recorded.
func Estimator(class string) (pkg string, ok bool) {
	row, ok := estimatorIndex(class)
	return row.pkg, ok
}
