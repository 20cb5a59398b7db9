package catalog

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestPhaseOf(t *testing.T) {
	tests := []struct {
		end, asOf string
		want      Phase
	}{
		{"", "2026-11-22", Lasting},
		{"2027-11-23", "2026-11-22", Lasting},
		{"2027-11-22", "2026-11-22", Ending},
		{"2026-11-23", "2026-11-22", Ending},
		{"2026-11-22", "2026-11-22", Ended},
		{"2025-11-23", "2026-11-22", Ended},
		{"2025-11-22", "2026-11-22", LongEnded},
		{"2026-11", "2026-11-22", Ending},
		{"2026-10", "2026-11-01", Ended},
		{"2025-10", "2026-11-22", LongEnded},
		{"2025-11", "2026-11-22", Ended},
		{"2027-11", "2026-11-22", Lasting},
		{"2027-10", "2026-11-22", Ending},
		{"2028-02-29", "2027-03-01", Ending},
	}
	for _, test := range tests {
		testkit.Same(t, test.want, PhaseOf(test.end, test.asOf), "PhaseOf(%q, %s)", test.end, test.asOf)
	}
}

func TestPythonEnd(t *testing.T) {
	for version, want := range map[string]string{"3.10": "2026-10", "3.10.4": "2026-10", "3.12": "2028-10", "2.7": "2020-01", "3": "", "4.0": ""} {
		if got, ok := PythonEnd(version); got.EndOfLife != want || ok != (want != "") {
			t.Errorf("PythonEnd(%s) = %+v, want %s", version, got, want)
		}
	}
	for version, want := range map[string]bool{"3.10": true, "3.11": false, "9": false} {
		if _, got := EndedPython(version, "2026-11-22"); got != want {
			t.Errorf("EndedPython(%s) = %v, want %v", version, got, want)
		}
	}
	if _, ok := EndedPython("3.10", "2026-10-31"); ok {
		t.Error("Python 3.10 has ended before its last month is over")
	}
}

func TestSparkRuntime(t *testing.T) {
	want := map[string][3]string{"3.3": {"disabled", "2025-03-31", "3.5"}, "3.4": {"unsupported", "2026-03-31", "3.5"}, "3.5": {"current", "", ""}, "2.4": {}}
	for version, row := range want {
		got, ok := SparkRuntime(version)
		if diff := cmp.Diff(row, [3]string{got.Status, got.EndedOn, got.Successor}); diff != "" || ok != (row != [3]string{}) {
			t.Errorf("SparkRuntime(%s) (-want +got):\n%s", version, diff)
		}
	}
}

func TestVMSeries(t *testing.T) {
	for name, want := range map[string]string{
		"Standard_DS3_v2": "2028-05-01", "standard_d2_v2": "2028-05-01", "Standard_D4s_v3": "2029-11-15", "Standard_E4s_v3": "2029-11-15",
		"Standard_F4s_v2": "2028-11-15", "Standard_A2_v2": "2028-11-15", "Standard_D4s_v5": "", "DS3_v2": "", "Standard_HB60rs": "2024-08-31",
		"Standard_NP10s": "2027-05-31", "Standard_NC6s_v3": "2025-09-30", "Standard_NV12s_v3": "2026-09-30", "Standard_ND40rs_v2": "",
	} {
		if got, _ := VMSize(name); got.RetiredOn != want {
			t.Errorf("VMSize(%s) retires on %q, want %q", name, got.RetiredOn, want)
		}
	}
	if v, ok := VMSize("Standard_DS3_v2"); !ok || v.Size != "Standard_DS3_v2" || v.GPU != "" || v.CUDA || v.Series != "Dsv2" {
		t.Errorf("Standard_DS3_v2: %+v", v)
	}
}

// TestStatusAgreesWithDates checks that the date of every retired row has passed.
func TestStatusAgreesWithDates(t *testing.T) {
	check := func(what, status, end, seen string) {
		if gone := PhaseOf(end, seen) >= Ended; gone != (status == "retired") || (status == "announced") != (end != "" && !gone) {
			t.Errorf("%s is %s and ends on %q", what, status, end)
		}
	}
	for _, v := range vmRows.all() {
		check(v.Size, v.Status, v.RetiredOn, AsOf)
	}
	for _, s := range vmSeriesRows.all() {
		check(s.Series, s.Status, s.RetiredOn, AsOf)
	}
}

func TestCurated(t *testing.T) {
	for _, reference := range []string{
		"AzureML-sklearn-0.24-ubuntu18.04-py37-cpu", "azureml:AzureML-sklearn-0.24-ubuntu18.04-py37-cpu@latest",
		"azureml:AzureML-sklearn-0.24-ubuntu18.04-py37-cpu:9", "sklearn-0.24-ubuntu18.04-py37-cpu", "AZUREML-SKLEARN-0.24-ubuntu18.04-py37-cpu",
		"azureml://registries/azureml/environments/sklearn-0.24-ubuntu18.04-py37-cpu/versions/3",
		"azureml://registries/azureml/environments/sklearn-0.24-ubuntu18.04-py37-cpu/labels/latest",
		"mcr.microsoft.com/azureml/curated/sklearn-0.24-ubuntu18.04-py37-cpu:12",
	} {
		e, ok := Curated(reference)
		if !ok || e.Name != "sklearn-0.24-ubuntu18.04-py37-cpu" || e.Status != "removed" || e.Successor != "sklearn-1.5" || e.SuccessorBy != "vendor" || e.Python != "3.7" {
			t.Errorf("Curated(%s) = %+v, %v", reference, e, ok)
		}
	}
	for _, reference := range []string{"", "azureml:", "my-env", "azureml:my-sklearn-1.5:1", "AzureML-"} {
		if e, ok := Curated(reference); ok {
			t.Errorf("Curated(%q) = %+v", reference, e)
		}
	}
	for version, want := range map[string]string{"": "mcr.microsoft.com/azureml/curated/sklearn-1.5:latest", "3": "mcr.microsoft.com/azureml/curated/sklearn-1.5:3"} {
		if e, _ := Curated("AzureML-sklearn-1.5"); e.ImageAt(version) != want {
			t.Errorf("version %q: %s, not %s", version, e.ImageAt(version), want)
		}
	}
	misleading, _ := Curated("acpt-pytorch-2.2-cuda12.1")
	if diff := cmp.Diff([]string{"torch 2.10.0+cu126"}, misleading.Pins()); diff != "" || misleading.CUDA != "12.6" || misleading.Note == "" {
		t.Errorf("%+v", misleading)
	}
	if old, _ := Curated("AzureML-Minimal"); old.Status != "superseded" || old.SuccessorBy == "vendor" {
		t.Errorf("AzureML-Minimal: %+v", old)
	}
}

// TestSuccessors checks that every successor is recorded and has no successor itself: a chain would lead people from
// one old environment to the next.
func TestSuccessors(t *testing.T) {
	names := CuratedNames()
	for _, e := range curatedRows.all() {
		next, ok := Curated(e.Successor)
		if e.Successor != "" && (!ok || !slices.Contains(names, e.Successor) || e.Status != "renamed" && (next.Status != "current" || next.Successor != "")) {
			t.Errorf("%s is followed by %s: %+v", e.Name, e.Successor, next)
		}
		if e.Status == "current" && e.Image == "" {
			t.Errorf("%s is current, and of no known image", e.Name)
		}
	}
	if byVersion := func(a, b PythonRelease) int { return CompareVersions(a.Version, b.Version) }; !slices.IsSortedFunc(pythonRows.all(), byVersion) {
		t.Error("pythons.csv is not in the order of the versions")
	}
	if byVersion := func(a, b SparkRelease) int { return CompareVersions(a.Version, b.Version) }; !slices.IsSortedFunc(sparkRows.all(), byVersion) {
		t.Error("spark_runtimes.csv is not in the order of the versions")
	}
	for _, r := range repositoryRows.all() {
		if next, _ := repositoryIndex.find(r.Successor); r.Successor != "" && next.Status != "current" {
			t.Errorf("%s is followed by %s, which is %q", r.Repo, r.Successor, next.Status)
		}
	}
}

func TestImageStatus(t *testing.T) {
	want := map[string][3]string{
		"openmpi4.1.0-ubuntu20.04":                      {"deprecated", "2025-02-24", "openmpi5.0-ubuntu24.04"},
		"openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04":      {"deprecated", "2025-09-09", "openmpi5.0-cuda12.4-ubuntu22.04"},
		"openmpi5.0-cuda12.6-ubuntu24.04":               {"current", "", ""},
		"sklearn-0.24.1-ubuntu18.04-py37-cpu-inference": {"deprecated", "2025-09-24", "minimal-py312-inference"},
		"base": {},
	}
	const prefix = "mcr.microsoft.com/azureml/"
	for repo, row := range want {
		if row[2] != "" {
			row[2] = prefix + row[2]
		}
		got, ok := LookupImage(prefix+repo, "")
		if diff := cmp.Diff(row, [3]string{got.Status, got.Since, got.Successor}); !ok || diff != "" {
			t.Errorf("%s (-want +got):\n%s", repo, diff)
		}
	}
}
