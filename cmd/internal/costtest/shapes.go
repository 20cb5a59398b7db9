// Package costtest measures the cost of hostile and huge files for amlfix: processor time and memory of whole
// processes, and how both grow with the input. It exists only for its tests.
package costtest

import (
	"fmt"
	"maps"
	"strings"
)

// Shape is a kind of input of arbitrary size.
type Shape struct {
	// Name says what there is a lot of.
	Name string
	// Files returns projects of about size bytes: their files by path.
	Files func(size int) map[string]string
}

// many repeats a piece up to a total of size bytes. A format with a verb gets the piece's number, so that all pieces
// differ.
func many(size int, format string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		piece := format
		if strings.Contains(format, "%") {
			piece = fmt.Sprintf(format, i)
		}
		if b.Len()+len(piece) > size {
			return b.String()
		}
		b.WriteString(piece)
	}
}

// The files around the large one: a run configuration on a GPU target.
const (
	gpuCompute   = "type: remotedocker\naddress: vm.example.com\nusername: me\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\nnvidiaDocker: true\n"
	runConfig    = "ArgumentVector:\n  - $file\nTarget: x\nFramework: Python\nCondaDependenciesFile: aml_config/conda_dependencies.yml\n"
	condaHead    = "name: project_environment\ndependencies:\n  - python=3.5.2\n"
	pipHead      = condaHead + "  - pip:\n"
	pipelineHead = "$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\nsettings: {default_compute: azureml:c}\n"
	v2Head       = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ntype: command\ncommand: python train.py\nenvironment: azureml:x@latest\ncompute: azureml:gpu\n"
	sweepHead    = "$schema: https://azuremlschemas.azureedge.net/latest/sweepJob.schema.json\ntype: sweep\ncompute: azureml:c\ntrial: {command: python train.py, code: ., environment: \"azureml:x@latest\"}\nobjective: {primary_metric: loss, goal: minimize}\n"
	programHead  = "from azureml.core import *\nfrom azureml.pipeline.core import *\nfrom azureml.pipeline.steps import *\nfrom azureml.train.hyperdrive import *\n"
	v2Pipeline   = "$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\njobs:\n"
)

// project returns a complete Workbench project with some of its files replaced.
func project(replaced map[string]string) map[string]string {
	files := map[string]string{
		"aml_config/x.compute": gpuCompute, "aml_config/x.runconfig": runConfig,
		"aml_config/conda_dependencies.yml": condaHead,
	}
	maps.Copy(files, replaced)
	return files
}

// in returns the shape of a project with one large file: head, followed by pieces.
func in(file, name, head, piece string) Shape {
	return around(file, name, head, piece, "")
}

// around is like in, with a tail after the pieces.
func around(file, name, head, piece, tail string) Shape {
	return Shape{name, func(size int) map[string]string {
		return project(map[string]string{file: head + many(size-len(head)-len(tail), piece) + tail})
	}}
}

func conda(name, head, piece string) Shape {
	return in("aml_config/conda_dependencies.yml", name, head, piece)
}

func compute(name, head, piece string) Shape { return in("aml_config/x.compute", name, head, piece) }

func run(name, head, piece string) Shape { return in("aml_config/x.runconfig", name, head, piece) }

func v2(name, head, piece string) Shape { return in("job.yml", name, head, piece) }

// scripted returns a shape of a job that runs one large script: head, pieces and tail.
func scripted(name, job, head, piece, tail string) Shape {
	return Shape{name, func(size int) map[string]string {
		tail := tail[:min(len(tail), size/20)]
		return map[string]string{"job.yml": job, "train.py": head + many(size-len(job)-len(head)-len(tail), piece) + tail}
	}}
}

// given returns a shape of a job that gives its script an option many words, and of that option's names or choices.
func given(name, head, piece, word string) Shape {
	tail := map[bool]string{true: "]"}[strings.Contains(head, "[")]
	return Shape{name, func(size int) map[string]string {
		return map[string]string{
			"job.yml":  strings.Replace(v2Head, "train.py", "train.py --a"+many(size/2-500, word), 1) + "code: .\n",
			"train.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument(" + head + many(size/2, piece) + tail + ", nargs='*')\np.parse_args()\n",
		}
	}}
}

// docker returns a shape of jobs with a Dockerfile each, of the largest size that is read: head, followed by pieces.
func docker(name, head, piece string) Shape {
	return Shape{name, func(size int) map[string]string {
		all := map[string]string{"many.txt": many(size/20, "a\n")}
		size -= len(all["many.txt"]) + 500
		for i := 0; size > 1000; i++ {
			job := strings.Replace(v2Head, "azureml:x@latest", fmt.Sprintf("{build: {path: ., dockerfile_path: d%d/Dockerfile}}", i), 1)
			text := head + many(min(size-len(job)-100, 60_000)-len(head), piece)
			all[fmt.Sprintf("j%d.yml", i)], all[fmt.Sprintf("d%d/Dockerfile", i)] = job, text
			size -= len(job) + len(text) + 40
		}
		return all
	}}
}

// program is like around, for a Python program.
func program(name, head, piece, tail string) Shape {
	return around("run.py", name, programHead+head, piece, tail)
}

// lines returns a shape of a text with command lines beside an SDK v1 run configuration.
func lines(name, file, head, line string) Shape {
	return Shape{name, func(size int) map[string]string {
		job := "framework: Python\nscript: a.py\ntarget: c\n"
		return map[string]string{file: head + many(size-len(head)-len(job)-50, line), ".azureml/r.runconfig": job, "a.py": ""}
	}}
}

// bound returns a shape of a pipeline with many inputs that a component in it declares and is given.
func bound(name, declared, input, given string) Shape {
	return Shape{name, func(size int) map[string]string {
		third := (size - 1000) / 3
		return project(map[string]string{"job.yml": pipelineHead + "inputs:\n" + many(third, input) +
			"jobs:\n  a:\n    inputs:\n" + many(third, given) +
			"    component:\n      command: a\n      environment: azureml:x@latest\n      inputs:\n" + many(third, declared)})
	}}
}

// chain returns a shape of a pipeline whose jobs wait for each other, the first one for all.
func chain(name string) Shape {
	return Shape{name, func(size int) map[string]string {
		var b strings.Builder
		b.WriteString(pipelineHead + "jobs:\n")
		for i := 0; b.Len() < size-1000; i++ {
			fmt.Fprintf(&b, "  j%d: {component: azureml:c:1, inputs: {a: \"${{parent.jobs.j%d.outputs.a}}\"}}\n", i, i+1)
		}
		return project(map[string]string{"job.yml": b.String()})
	}}
}

// named returns a shape of files that define names, and of others that use nearly the same; both begin in their schema.
func named(name, defines, uses string) Shape {
	return Shape{name, func(size int) map[string]string {
		all := map[string]string{}
		for i := 0; size > 0; i++ {
			for file, format := range map[string]string{"a%d.yml": defines, "b%d.yml": uses} {
				file, text := fmt.Sprintf(file, i), "$schema: https://azuremlschemas.azureedge.net/latest/"+fmt.Sprintf(format, i)
				all[file], size = text, size-len(file)-len(text)
			}
		}
		return all
	}}
}

// files returns a shape of many small files beside others: their paths, which count towards the size, contain a number.
func files(name, path, text string, others map[string]string) Shape {
	return Shape{name, func(size int) map[string]string {
		all := map[string]string{}
		for name, text := range others {
			all[name] = text
			size -= len(name) + len(text)
		}
		for i := 0; size > 0; i++ {
			name := fmt.Sprintf(path, i)
			all[name] = text
			size -= len(name) + len(text)
		}
		return all
	}}
}

// crowd returns a shape of an environment with many packages and as many bytes of run configurations that use it on a
// target, and one on a GPU target.
func crowd(name, target, piece string) Shape {
	return Shape{name, func(size int) map[string]string {
		large := conda(name, pipHead, piece).Files(size / 2)
		large["aml_config/c.compute"] = "type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n"
		jobs := strings.Replace(runConfig, "Target: x", "Target: "+target, 1)
		return files(name, "aml_config/r%d.runconfig", jobs, large).Files(size)
	}}
}
