package migrate_test

import "testing"

// TestAssets checks the clusters and data that several programs create.
func TestAssets(t *testing.T) {
	const head = "from azureml.core import Dataset, Datastore, Environment, ScriptRunConfig, Workspace\nfrom azureml.core.compute import AmlCompute, ComputeTarget\nws = Workspace.from_config()\n"
	cluster := func(name, more string) string {
		return "-- " + name + " --\n" + head + "ComputeTarget.create(ws, 'cpu', AmlCompute.provisioning_configuration('Standard_D4as_v4'" + more + "))\n"
	}
	data := func(path string) string {
		return "-- data.py --\n" + head + "Dataset.File.from_files((ws.get_default_datastore(), '" + path + "')).register(ws, 'd')\n"
	}
	const file, folder = "data-d.yml: ", "path: azureml://datastores/workspaceblobstore/paths/"
	checkWorked(t, []worked{
		{name: "the same cluster twice", project: cluster("a.py", ", max_nodes=2") + cluster("b.py", ", max_nodes=2"), has: []string{"compute-cpu.yml: Written by amlfix from a.py:4."}, lacks: []string{"MIGRATION.md: compute-cpu-x"}},
		{name: "a cluster of another size", project: cluster("a.py", ", max_nodes=2") + cluster("b.py", ", max_nodes=3"), has: []string{"compute-cpu-x.yml: max_instances: 3\n"}},
		{name: "computed values", project: cluster("a.py", ", max_nodes=f()") + cluster("b.py", ", max_nodes=f()"), has: []string{"compute-cpu-x.yml: max_instances: 4\n"}},
		{name: "some files of a folder", project: data("a/b/*.csv"), has: []string{file + "type: uri_folder\n" + folder + "a/b/\n", "MIGRATION.md: data of v2 is a file or a whole folder"}},
		{name: "files of some folders", project: data("a/b?/c/*.csv"), has: []string{file + folder + "a/\n"}},
		{name: "files at the top", project: data("*.csv"), has: []string{file + folder + "\n"}},
		{name: "other files", project: data("a/*.csv"), answers: "path=azureml://datastores/x/paths/y.csv", has: []string{file + "type: uri_file\npath: azureml://datastores/x/paths/y.csv\n"}},
	})
}
