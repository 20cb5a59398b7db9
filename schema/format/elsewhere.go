package format

import "strings"

// otherNames are the words of other formats for keys of Workbench, SDK v1 and conda, with what to write instead. The
// reference of each format has them: nvidiaDocker is Workbench's, baseImage SDK v1's, compute v2's.
func otherNames() map[Kind]map[string]string {
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
		Conda: {"pip": `write it as an item of "dependencies", after a dash`},
		SDKRunConfig: {
			"ArgumentVector": "write script and arguments", "compute": "write target",
			"CondaDependenciesFile": "write condaDependenciesFile, under environment and python",
			"baseDockerImage":       "write baseImage, under environment and docker",
			"nvidiaDocker":          "containers get GPUs by themselves where the machine and the image have them",
		},
	}
}

// sdkName is a key of v2 in place of a word of SDK v1, and what to write.
type sdkName struct{ key, words string }

// sdkNames are the words of SDK v1 for keys of v2: of ScriptRunConfig, its run configuration and
// AmlCompute.provisioning_configuration.
func sdkNames() map[string]sdkName {
	const command = "write command, with python, the script and its arguments"
	return map[string]sdkName{
		"script": {"command", command}, "arguments": {"command", command},
		"target": {"compute", "write compute"}, "compute_target": {"compute", "write compute"},
		"source_directory": {"code", "write code"}, "nodeCount": {"resources", "write instance_count, under resources"},
		"node_count": {"resources", "write instance_count, under resources"},
		"base_image": {"image", "write image"}, "baseImage": {"image", "write image"},
		"conda_dependencies_file": {"conda_file", "write conda_file"}, "condaDependenciesFile": {"conda_file", "write conda_file"},
		"vm_size": {"size", "write size"}, "vm_priority": {"tier", "write tier"},
		"min_nodes": {"min_instances", "write min_instances"}, "max_nodes": {"max_instances", "write max_instances"},
		"idle_seconds_before_scaledown": {"idle_time_before_scale_down", "write idle_time_before_scale_down"},
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
	if to, known := sdkNames()[name]; known && v.kind.v2() && p.schema.Properties[to.key] != nil && !p.has(to.key) {
		return to.words
	}
	words := otherNames()[v.kind][name]
	if key, _, _ := strings.Cut(strings.TrimPrefix(words, "write "), ","); p.has(key) {
		return ""
	}
	return words
}
