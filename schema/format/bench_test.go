package format

import (
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/source"
)

// one has a file of each kind, as the tools write it.
var one = []struct {
	kind Kind
	text string
}{
	{Compute, "address: gpu.example.com\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\nnativeSharedDirectory: ~/.azureml/share/\nnvidiaDocker: true\npassword: AzureMlSecret=gpu#user#0123\nsharedVolumes: true\ntype: remotedocker\nusername: user\n"},
	{WorkbenchRunConfig, "ArgumentVector:\n- $file\nCondaDependenciesFile: aml_config/conda_dependencies.yml\nEnvironmentVariables:\n  EXAMPLE_ENV_VAR: Example Value\nFramework: Python\nPrepareEnvironment: true\nSparkDependenciesFile: aml_config/spark_dependencies.yml\nTarget: gpu\nTrackedRun: true\nUseSampling: true\n"},
	{SDKRunConfig, "script: train.py\narguments: []\ntarget: local\nframework: Python\ncommunicator: None\nmaxRunDurationSeconds:\nnodeCount: 1\nenvironment:\n  environmentVariables:\n    EXAMPLE_ENV_VAR: EXAMPLE_VALUE\n  python:\n    userManagedDependencies: false\n    interpreterPath: python\n    condaDependenciesFile: aml_config/conda_dependencies.yml\n  docker:\n    enabled: true\n    baseImage: mcr.microsoft.com/azureml/base:0.2.4\n    sharedVolumes: true\n    arguments: []\n    baseImageRegistry:\n      address:\n      username:\n      password:\n  spark:\n    repositories:\n    - https://mmlspark.azureedge.net/maven\n    packages:\n    - group: com.microsoft.ml.spark\n      artifact: mmlspark_2.11\n      version: '0.12'\n    precachePackages: true\nhistory:\n  outputCollection: true\nspark:\n  configuration:\n    spark.app.name: Azure ML Experiment\n    spark.yarn.maxAppAttempts: 1\nhdi:\n  yarnDeployMode: cluster\n"},
	{Conda, "name: project_environment\ndependencies:\n- python=3.5.2\n- numpy\n- pip:\n  - azure-ml-api-sdk==0.1.0a9\n  - tensorflow-gpu==1.4.1\n"},
	{V2Command, "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: python train.py\ncode: src\nenvironment:\n  image: ubuntu\n  conda_file: conda.yml\ncompute: azureml:gpu\ndistribution: {type: mpi, process_count_per_instance: 2}\nresources: {instance_count: 2}\n"},
	{V2Compute, "name: gpu\ntype: amlcompute\nsize: Standard_NC4as_T4_v3\n"},
	{Spark, "configuration: {}\nrepositories:\n- \"https://mmlspark.azureedge.net/maven\"\npackages:\n- group: \"com.microsoft.ml.spark\"\n  artifact: \"mmlspark_2.11\"\n  version: \"0.7.91\"\n"},
}

// BenchmarkLibraryCompiles measures what a process would need at startup without compiled.go.
func BenchmarkLibraryCompiles(b *testing.B) {
	for _, s := range sources {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compile(b, s.file, s.fragment)
			}
		})
	}
}

// BenchmarkLiteral measures what it needs instead, for the kinds that occur.
func BenchmarkLiteral(b *testing.B) {
	for _, s := range sources {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.literal()
			}
		})
	}
}

// BenchmarkValidate measures the cost of each further file: a valid one, and the same with one fault.
func BenchmarkValidate(b *testing.B) {
	for _, o := range one {
		for _, variant := range []struct{ name, more string }{{"fits", ""}, {"fault", "foo: bar\n"}} {
			b.Run(string(o.kind)+"/"+variant.name, func(b *testing.B) {
				src := source.New("file", []byte(o.text+variant.more))
				root := document.Parse(src).Root()
				want := len(variant.more) / len("foo: bar\n")
				b.ReportAllocs()
				for b.Loop() {
					if got := Validate(o.kind, src, root); len(got) != want {
						b.Fatalf("%d findings", len(got))
					}
				}
			})
		}
	}
}

// BenchmarkLibraryAlone measures what a valid file would cost without the quick walk.
func BenchmarkLibraryAlone(b *testing.B) {
	for _, o := range one {
		b.Run(string(o.kind), func(b *testing.B) {
			src := source.New("file", []byte(o.text))
			root := document.Parse(src).Root()
			b.ReportAllocs()
			for b.Loop() {
				v := &validation{kind: o.kind, src: src, root: root, places: map[string]*place{}}
				s := schemaFor(o.kind, root)
				if faults := literal.Faults(s, v.convert(&place{schema: s, value: root}, "")); len(faults) != 0 {
					b.Fatal(faults)
				}
			}
		})
	}
}
