package migrate_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/compose"
	"github.com/amlfix/amlfix/fixers/migrate/skypilot"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

// A situation describes a project with one job: lines of the run configuration, each of which replaces the line with
// the same key; lines that begin with "> " belong to the compute target. "spark" means that the script imports pyspark,
// "compose" and "skypilot" that the project is migrated to these formats, "no conda" that there is no conda file, "no
// environment" that the conda file is not an environment, and "no sparkfile" that there is no spark file.
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

// reasons has, for each conditional reason, a project in which it is true and one in which it would be false. KEY is
// the key with its value.
var reasons = []struct {
	dialect, key, when string
	value              string
	yes, no            situation
}{
	{"compute", "nvidiaDocker", "false", "false", "> KEY", "> nvidiaDocker: true"},
	{"compute", "nvidiaDocker", "spark", "true", "> KEY\nspark", "> KEY"},
	{"compute", "baseDockerImage", "spark", "python:3.11", "> KEY\nspark", "> KEY"},
	{"compute", "baseDockerImage", "skypilot;spark", "python:3.11", "> KEY\nspark\nskypilot", "> KEY\nspark\ncompose"},
	{"compute", "baseDockerImage", "outside;spark", "python:3.11", "> KEY\nspark\ncompose", "> KEY\nspark"},
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
	{"sdk", "history/*", "outside", "true", "history: {enabled: VALUE}\ncompose", "history: {enabled: VALUE}"},
	{"sdk", "history/snapshotProject", "skypilot", "true", "history: {KEY}\nskypilot", "history: {KEY}\ncompose"},
	{"sdk", "history/snapshotProject", "outside", "true", "history: {KEY}\ncompose", "history: {KEY}"},
	{"sdk", "history/ambientAuthentication/*", "outside", "aadtoken", "history: {ambientAuthentication: {method: VALUE}}\ncompose", "history: {ambientAuthentication: {method: VALUE}}"},
	{"sdk", "containerInstance/*", "skypilot;container instance", "1", "containerInstance: {region: VALUE}\ntarget: containerinstance\nskypilot", "containerInstance: {region: VALUE}\ntarget: containerinstance\ncompose"},
	{"sdk", "containerInstance/*", "outside;container instance", "1", "containerInstance: {cpuCores: VALUE}\ntarget: containerinstance\ncompose", "containerInstance: {cpuCores: VALUE}\ntarget: containerinstance"},
	{"sdk", "sourceDirectoryDataStore", "skypilot", "x", "KEY\nskypilot", "KEY\ncompose"},
	{"sdk", "sourceDirectoryDataStore", "outside", "x", "KEY\ncompose", "KEY"},
	{"sdk", "exposedPorts", "skypilot", "[80]", "KEY\nskypilot", "KEY\ncompose"},
	{"sdk", "exposedPorts", "outside", "[80]", "KEY\ncompose", "KEY"},
	{"sdk", "docker/arguments", "outside;spark", "[--x]", "docker: {KEY}\nspark\ncompose", "docker: {KEY}\nspark"},
	{"environment", "docker/arguments", "outside;spark", "[--x]", docker + "\nspark\ncompose", docker + "\nspark"},
	{"environment", "docker/baseImage", "skypilot;spark", "python:3.11", docker + "\nspark\nskypilot", docker + "\nspark\ncompose"},
	{"environment", "docker/baseImage", "outside;spark", "python:3.11", docker + "\nspark\ncompose", docker + "\nspark"},
	{"environment", "spark/precachePackages", "command", "true", packages, packages + "\nspark"},
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
	{"environment", "docker/shmSize", "command", "1g", docker + "\ndocker: {shmSize: 3g}", docker},
	{"environment", "docker/arguments", "command", "[--x]", docker + "\ndocker: {arguments: [--y]}", docker},
	{"environment", "spark/*", "command", "[a]", "environment: {spark: {repositories: VALUE}}", "environment: {spark: {repositories: VALUE}}\nspark"},
	{"spark", "configuration/*", "command", "", "SparkDependenciesFile: aml_config/spark.yml", "SparkDependenciesFile: aml_config/spark.yml\nspark"},
	{"spark", "repositories/*", "command", "", "SparkDependenciesFile: aml_config/spark.yml", "SparkDependenciesFile: aml_config/spark.yml\nspark"},
	{"spark", "packages/*", "command", "", "SparkDependenciesFile: aml_config/spark.yml", "SparkDependenciesFile: aml_config/spark.yml\nspark"},
}

// plain has, for each unconditional reason, a project in which it is given and, if possible, one in which it would be
// false.
var plain = []struct {
	dialect, key string
	yes, no      situation
}{
	{"compute", "address", "", ""},
	{"compute", "username", "", ""},
	{"compute", "password", "> password: x", ""},
	{"compute", "sharedVolumes", "> sharedVolumes: true", ""},
	{"compute", "nativeSharedDirectory", "> nativeSharedDirectory: ~/share", "> nativeSharedDirectory: ~/share\nscript import os; os.environ['AZUREML_NATIVE_SHARE_DIRECTORY']"},
	{"compute", "nvidiaDocker", "> nvidiaDocker: x", "> nvidiaDocker: true"},
	{"compute", "pythonLocation", "> pythonLocation: python3", ""},
	{"compute", "sparkSubmitLocation", "> type: local\n> sparkSubmitLocation: x", ""},
	{"compute", "yarnDeployMode", "> type: cluster\n> yarnDeployMode: cluster\nspark", ""},
	{"compute", "cluster", "no type\n> cluster: true", ""},
	{"compute", "native", "no type\n> native: true", ""},
	{"workbench", "PrepareEnvironment", "PrepareEnvironment: true\nno conda", "PrepareEnvironment: true"},
	{"workbench", "TrackedRun", "TrackedRun: false", ""},
	{"workbench", "UseSampling", "UseSampling: true", ""},
	{"workbench", "DataSourceSettings/*", "DataSourceSettings: {a: b}", ""},
	{"workbench", "DataSourceSubstitutions/*", "DataSourceSubstitutions: {a: b}", ""},
	{"workbench", "ManagedEnvironment", "ManagedEnvironment: true\nno conda", "ManagedEnvironment: true"},
	{"workbench", "SparkDependenciesFile", "SparkDependenciesFile: aml_config/spark.yml\nspark", "SparkDependenciesFile: aml_config/spark.yml\nspark\nno sparkfile"},
	{"workbench", "CondaDependenciesFile", "CondaDependenciesFile: aml_config/conda_dependencies.yml\nno environment\nspark", "CondaDependenciesFile: aml_config/conda_dependencies.yml\nno conda\nspark"},
	{"workbench", "CondaFile", "CondaFile: aml_config/conda_dependencies.yml", "CondaDependenciesFile: aml_config/gone.yml\nCondaFile: aml_config/conda_dependencies.yml"},
	{"sdk", "autoPrepareEnvironment", "autoPrepareEnvironment: true\nno conda", "autoPrepareEnvironment: true"},
	{"sdk", "prepareEnvironment", "prepareEnvironment: true\nenvironment: {name: registered}", "prepareEnvironment: true"},
	{"sdk", "priority", "priority: 1", ""},
	{"sdk", "history/*", "history: {enabled: true}", "history: {enabled: true}\ncompose"},
	{"sdk", "hdi/*", "hdi: {yarnDeployMode: cluster}", ""},
	{"sdk", "tensorflow/*", "tensorflow: {workerCount: 1}\nframework: Python\ncommunicator: ParameterServer\nanswer parameter-server=no", "tensorflow: {workerCount: 1}\nframework: Python\ncommunicator: ParameterServer"},
	{"sdk", "mpi/*", "mpi: {nodeCount: 1}\ncommunicator: OpenMpi", "mpi: {nodeCount: 1}"},
	{"sdk", "pytorch/*", "pytorch: {nodeCount: 1}\nframework: PyTorch\ncommunicator: Nccl", "pytorch: {nodeCount: 1}"},
	{"sdk", "pytorch/communicationBackend", "pytorch: {communicationBackend: nccl}\nframework: PyTorch\ncommunicator: Nccl", "pytorch: {communicationBackend: nccl}"},
	{"sdk", "paralleltask/*", "paralleltask: {maxRetriesPerWorker: 0}\ncommunicator: ParallelTask", "paralleltask: {maxRetriesPerWorker: 0}"},
	{"sdk", "batchai/*", "batchai: x", "batchai: {nodeCount: 2}"},
	{"sdk", "containerInstance/*", "containerInstance: {cpuCores: 1}", "containerInstance: {cpuCores: 1}\ntarget: containerinstance"},
	{"sdk", "amlcompute/*", "amlcompute: {retainCluster: true}\ntarget: amlcompute", "amlcompute: {retainCluster: true}"},
	{"sdk", "amlCompute/*", "amlCompute: {retainCluster: true}\ntarget: amlcompute", "amlCompute: {retainCluster: true}"},
	{"sdk", "kubernetescompute/*", "kubernetescompute: x", "kubernetescompute: {instanceType: x}"},
	{"sdk", "sourceDirectoryDataStore", "sourceDirectoryDataStore: x", "sourceDirectoryDataStore: x\ncompose"},
	{"sdk", "datacaches/*", "datacaches: [a]", ""},
	{"sdk", "exposedPorts", "exposedPorts: [80]", "exposedPorts: [80]\ncompose"},
	{"sdk", "docker/*", "docker: {useDocker: true}", ""},
	{"sdk", "docker/sharedVolumes", "docker: {sharedVolumes: true}", ""},
	{"sdk", "data/*", "data: {a: {createOutputDirectories: true}}", ""},
	{"sdk", "dataReferences/*", "dataReferences: x", ""},
	{"sdk", "outputData/*", "outputData: x", ""},
	{"sdk", "applicationEndpoints/*", "applicationEndpoints: x", ""},
	{"sdk", "history/directoriesToWatch", "history: {directoriesToWatch: [tb]}", "history: {directoriesToWatch: [tb]}\ncompose"},
	{"sdk", "history/snapshotProject", "history: {snapshotProject: true}", "history: {snapshotProject: true}\ncompose"},
	{"sdk", "history/outputCollection", "history: {outputCollection: true}", ""},
	{"sdk", "history/ambientAuthentication/*", "history: {ambientAuthentication: {method: aadtoken}}", "history: {ambientAuthentication: {method: aadtoken}}\ncompose"},
	{"environment", "name", "environment: {name: x, docker: {baseImage: \"python:3.11\"}}", "environment: {name: x}"},
	{"environment", "version", "environment: {version: 1, docker: {baseImage: \"python:3.11\"}}", "environment: {name: x, version: 1}"},
	{"environment", "assetId", "environment: {assetId: x}", ""},
	{"environment", "inferencingStackVersion", "environment: {inferencingStackVersion: x}", ""},
	{"environment", "python/interpreterPath", "environment: {python: {userManagedDependencies: true, interpreterPath: python3}}\nspark", "environment: {python: {interpreterPath: python3}}"},
	{"environment", "python/condaDependenciesFile", "environment: {python: {condaDependenciesFile: aml_config/conda_dependencies.yml}}\nno environment\nspark\nframework: PySpark", "environment: {python: {condaDependenciesFile: gone.yml}}\nspark\nframework: PySpark"},
	{"environment", "docker/enabled", "environment: {docker: {enabled: true}}", ""},
	{"environment", "docker/sharedVolumes", "environment: {docker: {sharedVolumes: true}}", ""},
	{"environment", "docker/gpuSupport", "environment: {docker: {gpuSupport: [a]}}", "environment: {docker: {gpuSupport: false}}"},
	{"environment", "docker/platform/*", "environment: {docker: {platform: {os: Linux}}}", ""},
	{"environment", "docker/preparation/*", "environment: {docker: {preparation: x}}", ""},
	{"environment", "docker/baseImageRegistry/*", "environment: {docker: {baseImageRegistry: {username: me}}}", ""},
	{"environment", "docker/baseImageRegistry/address", "environment: {docker: {baseImageRegistry: {address: x.azurecr.io}, baseImage: x.azurecr.io/a:1}}", "environment: {docker: {baseImageRegistry: {address: x.azurecr.io}, baseImage: \"a/b:1\"}}"},
	{"environment", "spark/precachePackages", "environment: {spark: {precachePackages: true}}\nspark", "environment: {spark: {precachePackages: true}}"},
	{"environment", "databricks/*", "environment: {databricks: {pypiLibraries: [a]}}", ""},
	{"environment", "r/*", "environment: {r: [a]}", ""},
	{"spark", "version", "SparkDependenciesFile: aml_config/spark.yml", ""},
}

// said returns what MIGRATION.md says about the keys at or below a key, in the file of that dialect.
func said(t *testing.T, dialect, key string, s situation) (results []string) {
	t.Helper()
	dir := t.TempDir()
	sdk := dialect == "sdk" || dialect == "environment"
	run := []string{"ArgumentVector: [train.py]", "Target: vm", "CondaDependenciesFile: aml_config/conda_dependencies.yml", "SparkDependenciesFile: null"}
	if sdk {
		run = []string{"script: train.py", "target: cpu"}
	}
	target := []string{"type: remotedocker", "address: h", "username: u", "baseDockerImage: python:3.11"}
	var emitter migrate.Emitter = v2.Emitter{}
	answers := map[string]migrate.Answer{}
	script, conda, sparkFile := "print(1)\n", "dependencies: [python=3.11]\n", "version: 1\nconfiguration: {a: b}\nrepositories: [c]\npackages: [{group: d, artifact: e, version: 1}]\n"
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
		case line == "compose":
			emitter = compose.Emitter{}
		case line == "skypilot":
			emitter = skypilot.Emitter{}
		case strings.HasPrefix(line, "script "):
			script = strings.TrimPrefix(line, "script ") + "\n"
		case line == "spark":
			script = "import pyspark\n"
		case line == "no type":
			target = target[1:]
		case strings.HasPrefix(line, "answer "):
			id, value, _ := strings.Cut(strings.TrimPrefix(line, "answer "), "=")
			answers[id] = migrate.Answer{Value: value}
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
	m, err := migrate.New(schema.Load(roots[0], schema.Options{}), emitter, migrate.Options{Out: filepath.Join(dir, "out"), Answers: answers})
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

// TestReasons checks that the ledger gives no false reasons: each conditional reason is given in a project in which it
// is true, and not in one in which it would be false.
func TestReasons(t *testing.T) {
	tested := map[string]bool{}
	for _, r := range reasons {
		id := r.dialect + " " + r.key + " " + r.when
		tested[id] = true
		t.Run(id, func(t *testing.T) {
			why := reasonOf(r.dialect, r.key, r.when)
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
	for _, r := range plain {
		t.Run(r.dialect+" "+r.key, func(t *testing.T) {
			why := reasonOf(r.dialect, r.key, "")
			tested[r.dialect+" "+r.key+" "] = true
			if yes := strings.Join(said(t, r.dialect, r.key, r.yes), "\n"); !strings.Contains(yes, why) || why == "" {
				t.Errorf("where it is true: %q, want %q", yes, why)
			}
			if r.no != "" {
				if no := said(t, r.dialect, r.key, r.no); slices.Contains(no, why) || len(no) == 0 {
					t.Errorf("where it is false: %q", no)
				}
			}
		})
	}
	for _, k := range catalog.DeadKeys() {
		if id := k.Dialect + " " + k.Key + " " + k.When; k.Dialect != "v2" && !tested[id] { // those of v2: TestReasonsOfV2
			t.Errorf("%s: no case", id)
		}
	}
}

// mpiTwo starts two processes on one machine.
const mpiTwo = "communicator: OpenMpi\nframework: Python\nmpi: {processCountPerNode: 2}"

// outside has the reasons about machines outside Azure.
var outside = []struct {
	dialect, key, why string
	yes, no           situation
}{
	{"compute", "type", "no file describes the machine: the job runs where you start it", "", ""},
	{"compute", "nvidiaDocker", "no GPU is requested", "> nvidiaDocker: false", "> nvidiaDocker: true"},
	{"compute", "nativeSharedDirectory", "none of the scripts that were read uses AZUREML_NATIVE_SHARE_DIRECTORY", "> nativeSharedDirectory: ~/share", "> nativeSharedDirectory: ~/share\nscript import os; os.environ['AZUREML_NATIVE_SHARE_DIRECTORY']"},
	{"compute", "sharedVolumes", "the project is always a volume", "> sharedVolumes: true", ""},
	{"compute", "pythonLocation", "the container's own Python is used", "> pythonLocation: python3", "> pythonLocation: /opt/py/bin/python\n> userManagedEnvironment: true"},
	{"workbench", "PrepareEnvironment", "the image is built ahead of time", "PrepareEnvironment: true", ""},
	{"workbench", "TrackedRun", "runs are not tracked outside Azure; a script can log to MLflow", "TrackedRun: true", ""},
	{"workbench", "Description", "the new format has no description", "Description: x", ""},
	{"workbench", "Framework", "the framework is whatever the script imports", "Framework: Python", "Framework: PySpark\nspark"},
	{"sdk", "communicator", "no processes are connected", "communicator: None", mpiTwo},
	{"sdk", "mpi", "no processes are connected", "mpi: {processCountPerNode: 1}", mpiTwo},
	{"sdk", "communicator", "a single process needs no launcher", "communicator: OpenMpi\nframework: Python\nmpi: {processCountPerNode: 1}", mpiTwo},
	{"sdk", "spark", "Spark is not used", "spark: {configuration: {a.b: c}}", "spark: {configuration: {a.b: c}}\nspark\nframework: PySpark"},
	{"sdk", "nodeCount", "the machine on which you start it decides", "nodeCount: 1", "nodeCount: 2"},
	{"sdk", "nodeCount", "Compose runs on one machine", "nodeCount: 2", "nodeCount: 1"},
	{"sdk", "maxRunDurationSeconds", "Compose has no time limit: start it with the command timeout", "maxRunDurationSeconds: 60", ""},
	{"sdk", "history.outputCollection", "the job writes to the project's folder", "history: {outputCollection: true}", ""},
	{"sdk", "amlcompute.retainCluster", "no machine is rented: the job runs where you start it", "amlcompute: {retainCluster: true}\ntarget: amlcompute", ""},
	{"sdk", "credentialPassthrough", "outside Azure there is no workspace and no workspace identity", "credentialPassthrough: true", ""},
	{"environment", "docker/enabled", "the job always runs in a container", "environment: {docker: {enabled: true}}", ""},
	{"environment", "docker/baseImageRegistry/username", "log in to the registry with `docker login`", "environment: {docker: {baseImageRegistry: {username: me}}}", ""},
	{"environment", "docker/shmSize", "not a size that Docker accepts", "environment: {docker: {shmSize: much}}", "environment: {docker: {shmSize: 1g}}"},
}

// TestReasonsOutside checks that reasons about machines outside Azure are given where they are true, and not where they
// would be false.
func TestReasonsOutside(t *testing.T) {
	for _, r := range outside {
		t.Run(r.dialect+" "+r.key+" "+r.why, func(t *testing.T) {
			if yes := strings.Join(said(t, r.dialect, r.key, r.yes+"\ncompose"), "\n"); !strings.Contains(yes, r.why) {
				t.Errorf("where it is true: %q, want %q", yes, r.why)
			}
			if r.no != "" {
				if no := said(t, r.dialect, r.key, r.no+"\ncompose"); strings.Contains(strings.Join(no, "\n"), r.why) || len(no) == 0 {
					t.Errorf("where it is false: %q", no)
				}
			}
		})
	}
}

// reasonOf returns the reason of a row of the catalog.
func reasonOf(dialect, key, when string) string {
	for _, k := range catalog.DeadKeys() {
		if k.Dialect == dialect && k.Key == key && k.When == when {
			return k.Why
		}
	}
	return ""
}

// TestReasonsOfV2 checks that each reason for a v2 key is given; all of them are about machines outside Azure.
func TestReasonsOfV2(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p.yml": `$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json
type: pipeline
name: p
display_name: P
description: all
experiment_name: e
tags: {a: b}
properties: {c: d}
compute: azureml:cpu
settings: {default_compute: azureml:cpu, default_datastore: azureml:store, continue_on_step_failure: true, force_rerun: true}
identity: {type: user_identity}
inputs: {rate: {type: number, value: 1}}
outputs: {model: {type: uri_folder}}
jobs:
  train:
    component: ./c.yml
    compute: azureml:gpu
    queue_settings: {job_tier: spot, x: y}
    resources: {instance_type: Standard_D4as_v4}
    services: {jupyter: {type: jupyter_lab}}
    inputs: {rate: "${{parent.inputs.rate}}"}
    outputs: {model: "${{parent.outputs.model}}"}
`,
		"c.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json\ntype: command\nname: c\nversion: 1\nis_deterministic: false\n" +
			"inputs: {rate: {type: number}}\noutputs: {model: {type: uri_folder}}\ncommand: echo ${{inputs.rate}} ${{outputs.model}}\nenvironment: {image: \"python:3.12\"}\n",
	} {
		testkit.Write(t, dir, name, []byte(text))
	}
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	given := map[string]bool{}
	for _, e := range []migrate.Emitter{compose.Emitter{}, skypilot.Emitter{}} {
		m, err := migrate.New(schema.Load(roots[0], schema.Options{}), e, migrate.Options{Out: filepath.Join(dir, "out")})
		testkit.OK(t, err)
		for _, row := range m.Ledger.Rows {
			given[row.Result()] = true
			if strings.Contains(row.Result(), "no counterpart") {
				t.Errorf("%s: %s", row.Key, row.Result())
			}
		}
	}
	for _, k := range catalog.DeadKeys() {
		if k.Dialect == "v2" && !given[k.Why] {
			t.Errorf("%s: %q is never reported", k.Key, k.Why)
		}
	}
}
