package format

import "strings"

// otherNames are the words of other formats for keys of Workbench, SDK v1, conda and amlfix's settings, with what to
// write instead. The reference of each format has them: nvidiaDocker is Workbench's, baseImage SDK v1's, compute v2's,
// rules that of ESLint and other linters.
func otherNames() map[Kind]map[string]string {
	const whichRules = "write ignore, with a list of rules, or severity, with the severity of each"
	return map[Kind]map[string]string{
		Compute: {
			"baseImage": "write baseDockerImage", "image": "write baseDockerImage", "dockerImage": "write baseDockerImage",
			"gpuSupport": "write nvidiaDocker", "interpreterPath": "write pythonLocation",
			"host": "write address", "hostname": "write address", "user": "write username",
		},
		WorkbenchRunConfig: {
			"script": "write ArgumentVector, with the script and its arguments", "arguments": "write ArgumentVector, with the script and its arguments",
			"compute": "write Target", "conda_file": "write CondaDependenciesFile",
		},
		Settings: {
			"rule": whichRules, "rules": whichRules, "disable": "write ignore, with a list of rules", "enable": "write select, with a list of rules",
		},
		Conda: {"pip": `write it as an item of "dependencies", after a dash`},
		SDKRunConfig: {
			"ArgumentVector": "write script and arguments", "compute": "write target",
			"CondaDependenciesFile": "write condaDependenciesFile, under environment and python",
			"baseDockerImage":       "write baseImage, under environment and docker",
			"nvidiaDocker":          "containers get GPUs by themselves where the machine and the image have them",
		},
	}
}

// elsewhere says which file has a key of another format, or which key replaces it, or returns "".
func (v *validation) elsewhere(p *place, name string) string {
	if p.parent == nil && v.kind == Compute && workbenchSchema.Get().Properties[name] != nil {
		return "it belongs in the run configuration, the .runconfig file"
	}
	if p.parent == nil && v.kind == WorkbenchRunConfig && sdkSchema.Get().Properties[name] == nil {
		for _, t := range computeTypes {
			if t.schema.Get().Properties[name] != nil {
				return "it belongs in the compute target, the .compute file"
			}
		}
	}
	words := otherNames()[v.kind][name]
	if key, _, _ := strings.Cut(strings.TrimPrefix(words, "write "), ","); p.has(key) {
		return ""
	}
	return words
}
