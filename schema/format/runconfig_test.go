package format_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/format"
)

func TestWorkbenchIsFine(t *testing.T) {
	table{
		{"as attached", "ArgumentVector:\n- $file\nCondaDependenciesFile: aml_config/conda_dependencies.yml\nEnvironmentVariables: null\nFramework: PySpark\nPrepareEnvironment: true\nSparkDependenciesFile: null\nTarget: gpu\nTrackedRun: true\nUseSampling: true\n", nil},
		{"all keys", "ArgumentVector: [train.py, --epochs, 5, 0.1, true]\nTarget: local\nEnvironmentVariables:\n  A: 1\n  b/c: yes\n  \"~\": null\nDataSourceSettings: {a.dsource: {Sampling: {Sample: x}}}\nDataSourceSubstitutions: {a.dsource: b.dsource}\n", nil},
		{"only the required key", "Target: local", nil},
		{"flow style that is not JSON", "{Target: local, Framework: Python}", nil},
	}.run(t, format.WorkbenchRunConfig)
}

func TestWorkbenchPreRelease(t *testing.T) {
	table{
		{"JSON", "{\n  \"Target\": \"docker\",\n  \"CondaFile\": null,\n  \"ManagedEnvironment\": true,\n  \"Description\": \"x\"\n}", []string{
			`1:1 «{» info schema/deprecated: this run configuration is JSON, the form of the 2017 pre-release; later versions write YAML`,
			`3:3 «"CondaFile"» info schema/deprecated: "CondaFile" is the 2017 pre-release's name for "CondaDependenciesFile", the key that later versions read`,
			`4:3 «"ManagedEnvironment"» info schema/deprecated: "ManagedEnvironment" is a key of the 2017 pre-release; later versions read "userManagedEnvironment" in the .compute file`,
			`5:3 «"Description"» info schema/deprecated: "Description" is a key of the 2017 pre-release that later versions do not have: make it a comment`,
		}},
	}.run(t, format.WorkbenchRunConfig)
}

func TestWorkbenchFaults(t *testing.T) {
	table{
		{"nothing required", "Framework: Python\n", []string{
			`1:1 «Framework» error schema/missing-key: "Target" is missing, so nothing says where to run: add "Target" with the name of a .compute file, without its extension`,
		}},
		{"empty mapping", "{}", []string{
			`1:1 «{}» error schema/missing-key: "Target" is missing, so nothing says where to run: add "Target" with the name of a .compute file, without its extension`,
		}},
		{"required key in other case", "target: local\nFramework: Python\n", []string{
			`1:1 «target» error schema/unknown-key: "target" is not a key of a Workbench run configuration, which needs the key "Target": did you mean that? [safe: rename "target" to "Target": /target → Target]`,
		}},
		{"key of the target", "Target: a\nnvidiaDocker: true\n", []string{
			`2:1 «nvidiaDocker» warning schema/unknown-key: "nvidiaDocker" is not a key of a Workbench run configuration, so it has no effect: it belongs in the compute target, the .compute file`,
		}},
		{"required key without value", "Target:\n", []string{
			`1:1 «Target» error schema/type: "Target" has no value: write text`,
		}},
		{"framework", "Target: a\nFramework: python\n", []string{
			`2:12 «python» error schema/value: "Framework" cannot be "python": write Python or PySpark; did you mean Python? [safe: set "Framework" to "Python": /Framework = Python]`,
		}},
		{"framework misspelt", "Target: a\nFramework: Pythn\n", []string{
			`2:12 «Pythn» error schema/value: "Framework" cannot be "Pythn": write Python or PySpark; did you mean Python? [unsafe: set "Framework" to "Python": /Framework = Python]`,
		}},
		{"framework unlike any", "Target: a\nFramework: TensorFlow\n", []string{
			`2:12 «TensorFlow» error schema/value: "Framework" cannot be "TensorFlow": write Python or PySpark`,
		}},
		{"framework without value", "Target: a\nFramework:\n", []string{
			`2:1 «Framework» error schema/type: "Framework" has no value: write Python or PySpark, or remove the line`,
		}},
		{"lost comma in JSON", "{\"Target\": \"a\", \"PrepareEnvironment\": true. \"Framework\":\"PySpark\"}", []string{
			`1:1 «{» info schema/deprecated: this run configuration is JSON, the form of the 2017 pre-release; later versions write YAML`,
			`1:39 «true. "Framework":"PySpark"» error schema/type: "PrepareEnvironment" must be true or false, but "true. \"Framework\":\"PySpark\"" is read as text: did you mean true?`,
		}},
		{"arguments", "Target: a\nArgumentVector: $file\n", []string{
			`2:17 «$file» error schema/type: "ArgumentVector" must be a list, but "$file" is a single value: write each item after a dash, on a line of its own [unsafe: write [$file]: 2: "$file" → "[$file]"]`,
		}},
		{"argument items", "Target: a\nArgumentVector:\n- $file\n-\n- [a]\n- a: b\n- {}\n", []string{
			`4:1 «-» error schema/type: item 2 of "ArgumentVector" has no value: write text, or remove the item`,
			`5:3 «[a]» error schema/type: item 3 of "ArgumentVector" must be text, but the brackets [ ] make it a list: write only the value, or put it in quotes`,
			`6:3 «a: b» error schema/type: item 4 of "ArgumentVector" must be text, but the colon makes it a mapping: write only the value, or put it in quotes`,
			`7:3 «{}» error schema/type: item 5 of "ArgumentVector" must be text, but the braces { } make it a mapping: write only the value, or put it in quotes`,
		}},
		{"variables", "Target: a\nEnvironmentVariables: [A]\n", []string{
			`2:23 «[A]» error schema/type: "EnvironmentVariables" must be a mapping, but the brackets [ ] make it a list`,
		}},
		{"variable values", "Target: a\nEnvironmentVariables:\n  A: [1]\n  B/C:\n    x: y\n", []string{
			`3:6 «[1]» error schema/type: "A" must be text, but the brackets [ ] make it a list: write only the value, or put it in quotes`,
			`5:5 «x: y» error schema/type: "B/C" must be text, but the colon makes it a mapping: write only the value, or put it in quotes`,
		}},
		{"files", "Target: a\nCondaDependenciesFile: [a.yml]\nSparkDependenciesFile: 3.10\n", []string{
			`2:24 «[a.yml]» error schema/type: "CondaDependenciesFile" must be text, but the brackets [ ] make it a list: write only the value, or put it in quotes`,
			`3:24 «3.10» error schema/type: "SparkDependenciesFile" must be text, but 3.10 is read as a number: put it in quotes [unsafe: set "SparkDependenciesFile" to "3.10": /SparkDependenciesFile = 3.10]`,
		}},
		{"key of the SDK", "Target: a\nnodeCount: 2\n", []string{
			`2:1 «nodeCount» warning schema/unknown-key: "nodeCount" is not a key of a Workbench run configuration, so it has no effect: remove it, or correct its name`,
		}},
	}.run(t, format.WorkbenchRunConfig)
}

func TestSDKIsFine(t *testing.T) {
	table{
		{"as written by the SDK", "script: train.py\narguments: []\ntarget: local\nframework: python\ncommunicator: None\nmaxRunDurationSeconds:\nnodeCount: 1\nenvironment:\n  name: x\n  version: '8'\n  environmentVariables: {EXAMPLE_ENV_VAR: EXAMPLE_VALUE}\n  python: {userManagedDependencies: false, interpreterPath: python, condaDependenciesFile: .azureml/conda_dependencies.yml, baseCondaEnvironment: null}\n  docker: {enabled: false, baseImage: x, baseDockerfile: null, sharedVolumes: true, shmSize: 2g, arguments: [], baseImageRegistry: {address: null, username: null, password: null, registryIdentity: null}, platform: {os: Linux, architecture: amd64}}\n  spark: {repositories: [], packages: [{group: a, artifact: b, version: '0.12'}], precachePackages: true}\n  databricks: {mavenLibraries: [], pypiLibraries: []}\n  r: null\n  inferencingStackVersion: null\nhistory: {outputCollection: true, snapshotProject: true, directoriesToWatch: [logs]}\nspark: {configuration: {spark.app.name: Azure ML Experiment, spark.yarn.maxAppAttempts: 1}}\nhdi: {yarnDeployMode: cluster}\ntensorflow: {workerCount: 1, parameterServerCount: 1}\nmpi: {processCountPerNode: 1, nodeCount: 1}\nparalleltask: {maxRetriesPerWorker: 0, workerCountPerNode: 1, terminalExitCodes: null}\ndataReferences: {mine: {dataStoreName: a, mode: Mount, overwrite: false}}\ndata: {d: {dataLocation: {dataset: {id: x}, datapath: {datastore_name: a, relative_path: b}}, mechanism: direct}}\noutputData: {}\nsourceDirectoryDataStore:\namlcompute: {vmSize: null, vmPriority: null, retainCluster: false, name: null, clusterMaxNodeCount: 1}\ncommand: ''\n", nil},
		{"other spellings of keys", "Script: a.py\nnode_count: 2\nEnvironment: {Docker: {base_image: x}, python: {conda_dependencies_file: y}}\nmax_run_duration_seconds: 5\n", nil},
		{"what bool and int take", "nodeCount: \"2\"\nmaxRunDurationSeconds: 60.0\nenvironment: {docker: {enabled: \"false\", sharedVolumes: yes}, python: {userManagedDependencies: 1}}\n", nil},
		{"numbers for text", "environment: {version: 8, name: 2}\ntarget: 3\n", nil},
		{"other case of values", "framework: pyspark\ncommunicator: MPI\nhdi: {yarnDeployMode: Cluster}\n", nil},
		{"environment by path", "environment: .azureml/environment.yml\n", nil},
		{"environment inline in JSON", "{\"script\": \"a.py\", \"environment\": {\"python\": {\"condaDependencies\": {\"name\": \"x\", \"channels\": [\"conda-forge\"], \"dependencies\": [\"python=3.6.2\", {\"pip\": [\"azureml-defaults\"]}]}}}}", nil},
		{"command as a list", "command: [python, train.py]\nenvironment_variables: {snake_case: 1}\n", nil},
	}.run(t, format.SDKRunConfig)
}

func TestSDKFaults(t *testing.T) {
	table{
		{"made-up section", "script: a.py\ncpucluster:\n  name: x\n", []string{
			`2:1 «cpucluster» warning schema/unknown-key: "cpucluster" is not a key of an SDK v1 run configuration, and the SDK ignores it silently: remove it, or correct its name`,
		}},
		{"nested typo", "history:\n  outputColection: true\n", []string{
			`2:3 «outputColection» warning schema/unknown-key: "outputColection" is not a key of "history", and the SDK ignores it silently: did you mean "outputCollection"? [safe: rename "outputColection" to "outputCollection": /history/outputColection → outputCollection]`,
		}},
		{"conda's keys, which the SDK checks", "environment:\n  python:\n    condaDependencies:\n      dependencie: [python=3.8]\n", []string{
			`4:7 «dependencie» error schema/unknown-key: "dependencie" is not a key of "environment.python.condaDependencies", so the SDK rejects the file: did you mean "dependencies"? [safe: rename "dependencie" to "dependencies": /environment/python/condaDependencies/dependencie → dependencies]`,
		}},
		{"users choose the keys", "dataReferences:\n  data_store_name:\n    dataStorName: x\n", []string{
			`3:5 «dataStorName» error schema/unknown-key: "dataStorName" is not a key of "dataReferences.data_store_name", which needs the key "dataStoreName": did you mean that? [safe: rename "dataStorName" to "dataStoreName": /dataReferences/data_store_name/dataStorName → dataStoreName]`,
		}},
		{"one level too far out", "environment:\n  condaDependenciesFile: a.yml # x\npython: {}\n", []string{
			`2:3 «condaDependenciesFile» warning schema/unknown-key: "condaDependenciesFile" is not a key of "environment", and the SDK ignores it silently: write it under "python", indented`,
			`3:1 «python» warning schema/unknown-key: "python" is not a key of an SDK v1 run configuration, and the SDK ignores it silently: write it under "environment", indented [safe: indent "python" where it belongs: 3: "" → "  "]`,
		}},
		{"key of Workbench", "environment:\n  docker:\n    baseDockerImage: a\n", []string{
			`3:5 «baseDockerImage» warning schema/unknown-key: "baseDockerImage" is not a key of "environment.docker", and the SDK ignores it silently: write baseImage, under environment and docker`,
		}},
		{"no store, no mode, no python", "dataReferences:\n  d:\n    dataStoreName:\n    mode:\nenvironment:\n  python:\n", []string{
			`3:5 «dataStoreName» error schema/type: "dataStoreName" has no value: write text`,
			`4:5 «mode» error schema/type: "mode" has no value: write mount, download or upload, or remove the line`,
			`6:3 «python» error schema/type: "python" has no value: write a mapping, or remove the line`,
		}},
		{"missing space after a colon", "data:\n  d:\n    dataLocation:\n      datapath:\n        datastore_name:x\n        relative_path:y\n", []string{
			"5:9 «datastore_name:x\n        relative_path:y» error schema/type: \"datapath\" must be a mapping, but \"datastore_name:x relative_path:y\" is a single value: write each key on an indented line of its own, with a space after its colon",
		}},
		{"values", "framework: Pyton\ncommunicator: Foo\nenvironment:\n  docker:\n    platform: {os: BeOS}\n", []string{
			`1:12 «Pyton» error schema/value: "framework" cannot be "Pyton": write Python, PySpark, TensorFlow, PyTorch, CNTK or R; did you mean Python? [unsafe: set "framework" to "Python": /framework = Python]`,
			`2:15 «Foo» error schema/value: "communicator" cannot be "Foo": write None, ParameterServer, OpenMpi, IntelMpi, Mpi, Nccl, Gloo or ParallelTask`,
			`5:20 «BeOS» error schema/value: "os" cannot be "BeOS": write Linux, Windows or OSX`,
		}},
		{"switches", "environment:\n  docker:\n    gpu_support: flase\n    enabled: [true]\n", []string{
			`3:5 «gpu_support» info schema/deprecated: "gpuSupport" is read by SDK versions up to autumn 2019 only; later ones give the container GPUs whenever the machine and the image have them`,
			`3:18 «flase» error schema/type: "gpuSupport" must be true or false, but "flase" is read as text: did you mean false?`,
			`4:14 «[true]» error schema/type: "enabled" must be true or false, but the brackets [ ] make it a list`,
		}},
		{"counts", "nodeCount: two\nmaxRunDurationSeconds: 1.5\nmpi: {processCountPerNode: []}\n", []string{
			`1:12 «two» error schema/type: "nodeCount" must be a whole number, but "two" is read as text: write digits only, without quotes`,
			`2:24 «1.5» error schema/type: "maxRunDurationSeconds" must be a whole number, but 1.5 is read as a number: write digits only, without quotes`,
			`3:28 «[]» error schema/type: "processCountPerNode" must be a whole number, but the brackets [ ] make it a list`,
		}},
		{"text", "script: [a.py]\ntarget: {name: x}\nenvironment: [x]\n", []string{
			`1:9 «[a.py]» error schema/type: "script" must be text, but the brackets [ ] make it a list: write only the value, or put it in quotes`,
			`2:9 «{name: x}» error schema/type: "target" must be text, but the braces { } make it a mapping: write only the value, or put it in quotes`,
			`3:14 «[x]» error schema/type: "environment" must be a mapping or text, but the brackets [ ] make it a list: write only the value, or put it in quotes`,
		}},
		{"dead keys", "autoPrepareEnvironment: true\nprepareEnvironment: false\nbatchai: {nodeCount: 1}\ncontainerInstance: {cpuCores: 1}\nhistory: {enabled: true}\nenvironment: {docker: {gpuSupport: false}}\namlcompute: {location: x}\n", []string{
			`1:1 «autoPrepareEnvironment» info schema/deprecated: "autoPrepareEnvironment" has no effect since autumn 2019: environments are always built when they are missing`,
			`2:1 «prepareEnvironment» info schema/deprecated: "prepareEnvironment" is a key of the 2018 preview that later SDK versions drop silently: remove it`,
			`3:1 «batchai» info schema/deprecated: "batchai" belongs to a service that is closed, and later SDK versions drop it silently: write "nodeCount" at the top level`,
			`4:1 «containerInstance» info schema/deprecated: "containerInstance" is a key of the 2018 preview that later SDK versions drop silently: remove it`,
			`5:11 «enabled» info schema/deprecated: "enabled" is a key of the 2018 preview that later SDK versions drop silently: write "outputCollection"`,
			`6:24 «gpuSupport» info schema/deprecated: "gpuSupport" is read by SDK versions up to autumn 2019 only; later ones give the container GPUs whenever the machine and the image have them`,
			`7:14 «location» info schema/deprecated: "location" is dropped silently by later SDK versions: the cluster is where the workspace is`,
		}},
	}.run(t, format.SDKRunConfig)
}
