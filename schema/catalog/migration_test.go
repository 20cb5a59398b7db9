package catalog

import (
	"testing"

	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestMigrationDefaults checks that what a migration proposes is supported on the day AsOf and for a year after it.
// Only Python may be in its last year.
func TestMigrationDefaults(t *testing.T) {
	kinds := map[string]int{}
	for _, row := range defaultRows.all() {
		d := MigrationDefault(row.ID)
		kinds[d.Kind]++
		if want := Lasting; PhaseOf(d.ends(), AsOf) != want && d.Kind != "python" || PhaseOf(d.ends(), AsOf) >= Ended {
			t.Errorf("%s: %s ends in %s, but the tables are as of %s", d.ID, d.Value, d.ends(), AsOf)
		}
		known := true
		switch row.Kind {
		case "image":
			ref, err := requirement.ParseImage(row.Value)
			if _, known = LookupImage(ref.Name(), "latest"); err != nil || ref.Tag != "" {
				known = false
			}
		case "spark":
			_, known = SparkRuntime(row.Value)
		case "python":
			_, known = PythonEnd(row.Value)
		case "size":
			_, listed := VMSize(row.Value)
			known = listed || NoGPU(row.Value)
		}
		if !known {
			t.Errorf("%s: the %s %s is not in its table", row.ID, row.Kind, row.Value)
		}
	}
	for _, kind := range []string{"image", "size", "spark", "python"} {
		if kinds[kind] == 0 {
			t.Errorf("no default is a %s", kind)
		}
	}
}

// TestWhatEndsIsNotProposed checks that a value whose support ends within a year is passed over for the next one that
// lasts.
func TestWhatEndsIsNotProposed(t *testing.T) {
	ends := map[string]string{
		"Standard_DS3_v2": "2028-05-01", "Standard_D4as_v4": "", "3.4": "2026-03-31", "3.5": "", "3.11": "2027-10",
		"mcr.microsoft.com/azureml/openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04": "2025-09-09", "mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04": "2027-04",
	}
	kinds := map[string]string{"3.4": "spark", "3.5": "spark", "3.11": "python", "Standard_DS3_v2": "size", "Standard_D4as_v4": "size"}
	for value, want := range ends {
		kind := kinds[value]
		if kind == "" {
			kind = "image"
		}
		testkit.Same(t, want, (Default{Kind: kind, Value: value}).ends(), "%s ends in", value)
	}
	rows := []Default{{ID: "spark", Kind: "spark", Value: "3.4"}, {ID: "spark", Kind: "spark", Value: "3.5"}, {ID: "cpu", Kind: "size", Value: "Standard_DS3_v2"}}
	if chosen := supported(rows); chosen["spark"].Value != "3.5" || chosen["cpu"].Value != "Standard_DS3_v2" {
		t.Errorf("%+v", chosen)
	}
}
