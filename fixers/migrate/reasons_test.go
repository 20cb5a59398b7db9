package migrate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

// A situation is a project of one job, as words: of the run configuration, separated
// by newlines, in which a line takes the place of that of the same key; lines that begin
// with "> " belong to the compute target. "spark" says that the script imports
// pyspark, "no conda" that there is no conda file, "no environment" that the file there
// is is none, "no sparkfile" that the spark file is not there.
type situation = string

const (
	baseGPU  = "environment: {docker: {enabled: true, baseImage: mcr.microsoft.com/azureml/base-gpu:0.2.4, KEY}}"
	managed  = "environment: {docker: {enabled: true, baseImage: mcr.microsoft.com/azureml/base:0.2.4}, python: {userManagedDependencies: true, KEY}}"
	python   = "environment: {python: {KEY}}"
	docker   = "environment: {docker: {KEY}}"
	built    = "environment: {docker: {enabled: true, baseDockerfile: \"FROM ubuntu:24.04\", KEY}}"
	name     = "environment: {name: registered, python: {KEY}}"
	inline   = "environment: {python: {condaDependencies: {dependencies: [python=3.11]}, KEY}}"
	packages = "environment: {spark: {KEY}}"
)

// reasons has for each reason that is only sometimes true a project in which it is,
// and one in which it would not be. KEY is the key with its value.
var reasons = []struct {
	dialect, key, when string
	value              string
	yes, no            situation
}{
	{"compute", "nvidiaDocker", "false", "false", "> KEY", "> nvidiaDocker: true"},
	{"compute", "nvidiaDocker", "spark", "true", "> KEY\nspark", "> KEY"},
	{"compute", "baseDockerImage", "spark", "python:3.11", "> KEY\nspark", "> KEY"},
	{"compute", "userManagedEnvironment", "false;conda", "false", "> KEY", "> KEY\nno conda"},
	{"compute", "userManagedEnvironment", "false", "false", "> KEY\nno conda", "> userManagedEnvironment: true\nno conda"},
	{"compute", "userManagedEnvironment", "spark", "true", "> KEY\nspark\n> type: cluster", "> KEY"},
	{"workbench", "PrepareEnvironment", "conda", "true", "KEY", "KEY\nno conda"},
	{"workbench", "ManagedEnvironment", "conda", "true", "KEY", "KEY\nno conda"},
	{"workbench", "SparkDependenciesFile", "command", "aml_config/spark.yml", "KEY", "KEY\nspark"},
	{"workbench", "SparkDependenciesFile", "no spark file", "aml_config/spark.yml", "KEY\nspark\nno sparkfile", "KEY\nspark"},
	{"workbench", "CondaDependenciesFile", "no conda file", "aml_config/conda_dependencies.yml", "KEY\nno conda\nspark", "KEY\nno environment\nspark"},
	{"workbench", "CondaFile", "no conda file", "aml_config/conda_dependencies.yml", "CondaDependenciesFile: aml_config/gone.yml\nKEY", ""},
	{"workbench", "Framework", "command", "Python", "KEY", "KEY\nspark"},
	{"sdk", "autoPrepareEnvironment", "conda", "true", "KEY", "KEY\nno conda"},
	{"sdk", "prepareEnvironment", "conda", "true", "KEY", "KEY\nenvironment: {name: registered}"},
	{"sdk", "framework", "command", "Python", "KEY", "KEY\nspark"},
	{"sdk", "communicator", "spark", "None", "KEY\nspark", "KEY"},
	{"sdk", "communicator", "alone", "None", "KEY", "communicator: OpenMpi"},
	{"sdk", "nodeCount", "spark", "2", "KEY\nspark", "KEY"},
	{"sdk", "nodeCount", "one node", "1", "KEY", "nodeCount: 2"},
	{"sdk", "spark/*", "command", "{spark.app.name: x}", "spark: {configuration: VALUE}", "spark: {configuration: VALUE}\nspark"},
	{"sdk", "tensorflow/*", "no parameter servers", "1", "tensorflow: {workerCount: VALUE}", "tensorflow: {workerCount: VALUE}\ncommunicator: ParameterServer"},
	{"sdk", "mpi/*", "no mpi", "1", "mpi: {nodeCount: VALUE}", "mpi: {nodeCount: VALUE}\ncommunicator: OpenMpi"},
	{"sdk", "pytorch/*", "no torch", "1", "pytorch: {nodeCount: VALUE}", "pytorch: {nodeCount: VALUE}\nframework: PyTorch\ncommunicator: Nccl"},
	{"sdk", "pytorch/communicationBackend", "no torch", "nccl", "pytorch: {KEY}", "pytorch: {KEY}\nframework: PyTorch\ncommunicator: Nccl"},
	{"sdk", "paralleltask/*", "no parallel", "0", "paralleltask: {maxRetriesPerWorker: VALUE}", "paralleltask: {maxRetriesPerWorker: VALUE}\ncommunicator: ParallelTask"},
	{"sdk", "containerInstance/*", "container instance", "1", "containerInstance: {cpuCores: VALUE}\ntarget: containerinstance", "containerInstance: {cpuCores: VALUE}"},
	{"sdk", "amlcompute/*", "no run cluster", "true", "amlcompute: {retainCluster: VALUE}", "amlcompute: {retainCluster: VALUE}\ntarget: amlcompute"},
	{"sdk", "amlCompute/*", "no run cluster", "true", "amlCompute: {retainCluster: VALUE}", "amlCompute: {retainCluster: VALUE}\ntarget: amlcompute"},
	{"sdk", "credentialPassthrough", "false", "false", "KEY", "credentialPassthrough: true"},
	{"sdk", "docker/shmSize", "spark", "1g", "docker: {KEY}\nspark", "docker: {KEY}"},
	{"sdk", "docker/arguments", "spark", "[--x]", "docker: {KEY}\nspark", "docker: {KEY}"},
	{"environment", "python/interpreterPath", "not managed", "python3", python, managed},
	{"environment", "python/userManagedDependencies", "false;conda", "false", python, python + "\nno conda"},
	{"environment", "python/userManagedDependencies", "false", "false", python + "\nno conda", "environment: {python: {userManagedDependencies: true}}"},
	{"environment", "python/userManagedDependencies", "registered", "true", name, python},
	{"environment", "python/userManagedDependencies", "spark", "true", python + "\nspark\nno environment", python},
	{"environment", "python/condaDependenciesFile", "registered", "gone.yml", name + "\nno conda", python},
	{"environment", "python/condaDependenciesFile", "inline", "aml_config/conda_dependencies.yml", inline, python},
	{"environment", "python/condaDependenciesFile", "no conda file", "gone.yml", python + "\nspark\nframework: PySpark", "environment: {python: {condaDependenciesFile: aml_config/conda_dependencies.yml}}\nno environment\nspark\nframework: PySpark"},
	{"environment", "python/baseCondaEnvironment", "conda", "base", python, python + "\nno conda"},
	{"environment", "docker/gpuSupport", "false", "false", docker, "environment: {docker: {gpuSupport: true}}"},
	{"environment", "docker/gpuSupport", "spark", "true", baseGPU + "\nspark", baseGPU},
	{"environment", "docker/baseImage", "spark", "python:3.11", docker + "\nspark", docker},
	{"environment", "docker/baseImage", "built", "python:3.11", built, docker},
	{"environment", "docker/shmSize", "spark", "1g", docker + "\nspark", docker},
	{"environment", "docker/arguments", "spark", "[--x]", docker + "\nspark", docker},
	{"environment", "spark/*", "command", "[a]", "environment: {spark: {repositories: VALUE}}", "environment: {spark: {repositories: VALUE}}\nspark"},
	{"spark", "configuration/*", "command", "", "SparkDependenciesFile: aml_config/spark.yml", "SparkDependenciesFile: aml_config/spark.yml\nspark"},
	{"spark", "repositories/*", "command", "", "SparkDependenciesFile: aml_config/spark.yml", "SparkDependenciesFile: aml_config/spark.yml\nspark"},
	{"spark", "packages/*", "command", "", "SparkDependenciesFile: aml_config/spark.yml", "SparkDependenciesFile: aml_config/spark.yml\nspark"},
}

// said returns what MIGRATION.md says of the keys at or below a key, of the file of
// that dialect.
func said(t *testing.T, dialect, key string, s situation) (results []string) {
	t.Helper()
	dir := t.TempDir()
	sdk := dialect == "sdk" || dialect == "environment"
	run := []string{"ArgumentVector: [train.py]", "Target: vm", "CondaDependenciesFile: aml_config/conda_dependencies.yml", "SparkDependenciesFile: null"}
	if sdk {
		run = []string{"script: train.py", "target: cpu"}
	}
	target := []string{"type: remotedocker", "address: h", "username: u", "baseDockerImage: python:3.11"}
	script, conda, sparkFile := "print(1)\n", "dependencies: [python=3.11]\n", "configuration: {a: b}\nrepositories: [c]\npackages: [{group: d, artifact: e, version: 1}]\n"
	set := func(list []string, line string) []string {
		at, _, _ := strings.Cut(line, ":")
		for i, old := range list {
			if strings.HasPrefix(old, at+":") {
				list[i] = line
				return list
			}
		}
		return append(list, line)
	}
	for line := range strings.SplitSeq(s, "\n") {
		switch {
		case line == "spark":
			script = "import pyspark\n"
		case line == "no conda":
			conda = ""
		case line == "no environment":
			conda = "- a list\n"
		case line == "no sparkfile":
			sparkFile = ""
		case strings.HasPrefix(line, "> "):
			target = set(target, strings.TrimPrefix(line, "> "))
		case line != "":
			run = set(run, line)
		}
	}
	files := map[string]string{"train.py": script, "aml_config/job.runconfig": strings.Join(run, "\n") + "\n", "aml_config/conda_dependencies.yml": conda}
	if !sdk {
		files["aml_config/vm.compute"], files["aml_config/spark.yml"] = strings.Join(target, "\n")+"\n", sparkFile
	}
	for name, text := range files {
		if text != "" {
			testkit.Write(t, dir, name, []byte(text))
		}
	}
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	m, err := migrate.New(schema.Load(roots[0], schema.Options{}), v2.Emitter{}, migrate.Options{Out: filepath.Join(dir, "out")})
	testkit.OK(t, err)
	file := map[string]string{"compute": "aml_config/vm.compute", "spark": "aml_config/spark.yml"}[dialect]
	if file == "" {
		file = "aml_config/job.runconfig"
	}
	key = strings.ReplaceAll(strings.TrimSuffix(key, "/*"), "/", ".")
	if dialect == "environment" {
		key = "environment." + key
	}
	for _, row := range m.Ledger.Rows {
		if row.File.Rel == file && (row.Key == key || strings.HasPrefix(row.Key, key+".") || strings.HasPrefix(row.Key, key+"[")) {
			results = append(results, row.Result())
		}
	}
	return results
}

// TestReasons holds that the account gives no reason that is false: each that is only
// sometimes true is given in a project in which it is, and not in one in which it
// would not be.
func TestReasons(t *testing.T) {
	tested := map[string]bool{}
	for _, r := range reasons {
		id := r.dialect + " " + r.key + " " + r.when
		tested[id] = true
		t.Run(id, func(t *testing.T) {
			why := ""
			for _, k := range catalog.DeadKeys() {
				if k.Dialect == r.dialect && k.Key == r.key && k.When == r.when {
					why = k.Why
				}
			}
			path := strings.Split(r.key, "/")
			fill := strings.NewReplacer("KEY", path[len(path)-1]+": "+r.value, "VALUE", r.value).Replace
			yes, no := strings.Join(said(t, r.dialect, r.key, fill(r.yes)), "\n"), strings.Join(said(t, r.dialect, r.key, fill(r.no)), "\n")
			if !strings.Contains(yes, why) || why == "" {
				t.Errorf("where it is true: %q, want %q", yes, why)
			}
			if strings.Contains(no, why) && (no == why || r.when != "false") {
				t.Errorf("where it is false: %q", no)
			}
		})
	}
	for _, k := range catalog.DeadKeys() {
		if id := k.Dialect + " " + k.Key + " " + k.When; k.When != "" && !tested[id] {
			t.Errorf("%s: no case", id)
		}
	}
}
