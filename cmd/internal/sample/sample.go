// Package sample generates projects for measurements.
package sample

import "bytes"

// Project returns the eight files of one generated project, in the size and shape of real ones, with or without a
// problem; every twentieth has CRLF.
func Project(n int, faulty bool) map[string][]byte {
	const about = "# What this setting means, and what it is set to when it is left out. The\n# comment is as long as those of the templates that people keep.\n"
	nvidia := "nvidiaDocker: true\n"
	if faulty {
		nvidia = ""
	}
	runconfig := func(target, framework string) string {
		return "# The program and its arguments.\nArgumentVector:\n  - \"$file\"\n\n" + about + "Target: \"" + target + "\"\n\n" + about +
			"EnvironmentVariables:\n  \"EXAMPLE_ENV_VAR\": \"Example Value\"\n\n" + about + "Framework: \"" + framework + "\"\n\n" + about +
			"CondaDependenciesFile: \"aml_config/conda_dependencies.yml\"\n" + about + "SparkDependenciesFile: \"aml_config/spark_dependencies.yml\"\n" +
			about + "PrepareEnvironment: false\n" + about + "TrackedRun: true\nUseSampling: true\n"
	}
	files := map[string]string{
		"local.compute":          about + "type: \"local\"\n" + about + "pythonLocation: \"python\"\n" + about + "nativeSharedDirectory: \"~/.azureml/share/\"\n",
		"docker.compute":         about + "type: \"localdocker\"\n" + about + "baseDockerImage: \"microsoft/mmlspark:plus-0.9.9\"\n" + about + "sharedVolumes: false\n",
		"vm.compute":             "address: vm.example.com\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\n" + nvidia + "password:\nsharedVolumes: true\ntype: remotedocker\nusername: me\n",
		"local.runconfig":        runconfig("local", "Python"),
		"docker.runconfig":       runconfig("docker", "PySpark"),
		"vm.runconfig":           runconfig("vm", "Python"),
		"conda_dependencies.yml": about + "name: project_environment\ndependencies:\n  - python=3.5.2\n" + about + "  - scikit-learn\n  - ipykernel=4.6.1\n  - pip:\n    - azure-ml-api-sdk==0.1.0a10\n    - matplotlib\n    - pandas==0.20.3\n",
		"spark_dependencies.yml": about + "configuration:\n  \"spark.app.name\": \"Azure ML Experiment\"\n" + about + "repositories:\n  - \"https://mmlspark.azureedge.net/maven\"\npackages:\n  - group: \"com.microsoft.ml.spark\"\n    artifact: \"mmlspark_2.11\"\n    version: \"0.9.9\"\n",
	}
	out := map[string][]byte{}
	for name, text := range files {
		out[name] = []byte(text)
		if n%20 == 0 {
			out[name] = bytes.ReplaceAll(out[name], []byte("\n"), []byte("\r\n"))
		}
	}
	return out
}
