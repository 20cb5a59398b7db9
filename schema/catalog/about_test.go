package catalog

import (
	"slices"
	"testing"
)

// TestLookupTable checks that the described tables exist and that their counts add up.
func TestLookupTable(t *testing.T) {
	for name := range tableAbout() {
		table, ok := LookupTable(name)
		if !ok || table.Rows == 0 || table.Unread > table.Rows || !isDay(table.First) || !isDay(table.Last) || table.First > table.Last || len(table.Sources) == 0 {
			t.Errorf("%s: %+v", name, table)
		}
	}
	pythons, _ := LookupTable("pythons")
	if !slices.Equal(pythons.Sources, []string{"devguide.python.org/versions"}) {
		t.Errorf("%q", pythons.Sources)
	}
	for _, name := range []string{"", "dead_keys", "nowhere", "../tables/pythons"} {
		if table, ok := LookupTable(name); ok {
			t.Errorf("%q: %+v", name, table)
		}
	}
}

// TestAsked checks that Facts answers from the tables marked Asked, and from no others.
func TestAsked(t *testing.T) {
	queries := FactNames()
	for _, v := range variantRows.all() {
		queries = append(queries, v.GPU)
	}
	for _, w := range wheelRows.all()[:1] {
		queries = append(queries, w.URL)
	}
	queries = append(queries, "request_timeout_ms", "cuda 12.1", "Standard_DS3_v2", "json", "scikit-lear", "azureml-core", "azureml-mlflow", "nvidia/cuda")
	answered := map[string]bool{}
	for _, query := range queries {
		for _, f := range Facts(query, AsOf) {
			answered[f.Table] = true
		}
	}
	for name := range tableAbout() {
		if table, _ := LookupTable(name); table.Asked != answered[name] {
			t.Errorf("%s: asked %v, answered %v", name, table.Asked, answered[name])
		}
	}
}
