package rules

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOneSlip distinguishes typos from other names.
func TestOneSlip(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"matplotlipb", "matplotlib"}:           true,
		{"statmodels", "statsmodels"}:           true,
		{"matpoltlib", "matplotlib"}:            true,
		{"tansorflow-gpu", "tensorflow-gpu"}:    true,
		{"azure-stroage-blob", "azure-storage"}: false,
		{"matplotlib", "matplotlib"}:            false,
		{"ngboost", "xgboost"}:                  false, // another package: the first letter
		{"transformer", "transformers"}:         false, // the last one
		{"tensorflow-cpu", "tensorflow-gpu"}:    false, // a short word
		{"cupy-cuda111", "cupy-cuda110"}:        false, // a digit
		{"json-schema", "jsonschema"}:           false, // a hyphen
		{"", ""}:                                false,
		{"a", ""}:                               false,
	} {
		testkit.Same(t, want, oneSlip(pair[0], pair[1]), "oneSlip(%q, %q)", pair[0], pair[1])
	}
}

// TestRepairedImage checks that image names are repaired only if there is no doubt about what is meant.
func TestRepairedImage(t *testing.T) {
	for text, want := range map[string]string{
		" microsoft/mmlspark:plus-0.9.9\u00a0": "microsoft/mmlspark:plus-0.9.9",
		"microsoft/mmlspark:::plus-0.9.9":      "microsoft/mmlspark:plus-0.9.9",
		"microsoft/ mmlspark: plus-0.9.9":      "microsoft/mmlspark:plus-0.9.9",
		"microsoft/mmlspark:plus - 0.9.9":      "microsoft/mmlspark:plus-0.9.9",
		"localhost:5000/ml :1":                 "localhost:5000/ml:1",
		"some one/ml:1":                        "",
		"https://example.com/ml":               "",
		"microsoft/mmlspark:plus:0.9.9":        "",
		"":                                     "",
	} {
		got, ok := repairedImage(text)
		if got != want || ok != (want != "") {
			t.Errorf("repairedImage(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
}
