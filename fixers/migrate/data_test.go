package migrate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/fixers/migrate"
)

// TestAddresses checks the addresses of paths on datastores, and the names of datasets.
func TestAddresses(t *testing.T) {
	got := map[string]string{}
	for _, at := range []string{"", "/", ".", "a/b.csv", "/a/", "./a", `.\a\b`, "../a", ".a/"} {
		got[at] = migrate.OnStore("s", at)
	}
	const s = "azureml://datastores/s/paths/"
	want := map[string]string{"": s, "/": s, ".": s, "a/b.csv": s + "a/b.csv", "/a/": s + "a/", "./a": s + "a", `.\a\b`: s + "a/b", "../a": s + "../a", ".a/": s + ".a/"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
	names := map[string]string{}
	for _, name := range []string{"a-b_1.c", "diabetes file dataset", "a  (b)", "é", "{{name}}", "${NAME} x"} {
		names[name], _ = migrate.DataName(name)
	}
	if diff := cmp.Diff(map[string]string{"a-b_1.c": "a-b_1.c", "diabetes file dataset": "diabetes-file-dataset", "a  (b)": "a-b", "é": "é", "{{name}}": "{{name}}", "${NAME} x": "${NAME} x"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// TestReferences checks that each reference to data in an argument becomes its path, and that other texts stay.
func TestReferences(t *testing.T) {
	project := func(argument string) string {
		return sdk("arguments: ['" + argument + "']\ndataReferences:\n  a: {dataStoreName: s, pathOnDataStore: a}\n  ab: {dataStoreName: s, pathOnDataStore: ab}\n")
	}
	const a, ab = "$AZUREML_DATAREFERENCE_a", "$AZUREML_DATAREFERENCE_ab"
	var cases []worked
	for argument, want := range map[string]string{
		a:                                 "${{inputs.a}}",
		"x=" + a + "/y":                   "x=${{inputs.a}}/y",
		a + ":" + ab:                      "${{inputs.a}}:${{inputs.ab}}",
		ab + "," + a + "," + ab:           "${{inputs.ab}},${{inputs.a}},${{inputs.ab}}",
		"${AZUREML_DATAREFERENCE_a}b" + a: "${{inputs.a}}b${{inputs.a}}",
		a + "-b:" + a:                     "'$AZUREML_DATAREFERENCE_a-b:'${{inputs.a}}",
		"$x:" + a:                         "'$x:'${{inputs.a}}",
	} {
		cases = append(cases, worked{name: argument, project: project(argument), has: []string{"job-job.yml: train.py " + want + "\n"}})
	}
	checkWorked(t, cases)
}

// TestWritableMounts checks that a mounted data reference whose name says output is one, so that the script can write.
func TestWritableMounts(t *testing.T) {
	project := func(at string) string {
		return sdk("arguments: [--to, '$AZUREML_DATAREFERENCE_output_dir', --from, $AZUREML_DATAREFERENCE_a]\ndataReferences:\n  output_dir: {dataStoreName: s, pathOnDataStore: " + at + ", mode: mount}\n  a: {dataStoreName: s, pathOnDataStore: a}\n")
	}
	const input = "job-job.yml: inputs:\n  output_dir:\n    type: uri_folder\n    path: azureml://datastores/s/paths/x\n    mode: ro_mount\n"
	checkWorked(t, []worked{
		{name: "an output", project: project("x"), has: []string{"job-job.yml: --to ${{outputs.output_dir}} --from ${{inputs.a}}\n", "job-job.yml: outputs:\n  output_dir:\n    type: uri_folder\n    path: azureml://datastores/s/paths/x\n    mode: rw_mount\n"}},
		{name: "an input after all", project: project("x"), answers: "writes-output-dir=no", has: []string{input}, lacks: []string{"job-job.yml: outputs:"}},
		{name: "a file", project: project("x.csv"), has: []string{"job-job.yml: ${{inputs.output_dir}}"}},
		{name: "Compose", project: project("x"), to: "compose", open: "folder-a", has: []string{"compose.yaml: - ../outputs/output_dir:"}},
	})
}
