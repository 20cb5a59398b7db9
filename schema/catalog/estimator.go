package catalog

type estimatorRow struct{ Class, Package string }

var estimatorIndex = &index[string, estimatorRow]{rows: &table[estimatorRow]{name: "estimators"}, key: func(r estimatorRow) string { return r.Class }}

// Estimator returns the package that a class of azureml-train-core that starts a script installs besides those it is
// given, or "". ok is false if no such class is recorded.
func Estimator(class string) (pkg string, ok bool) {
	row, ok := estimatorIndex.find(class)
	return row.Package, ok
}
