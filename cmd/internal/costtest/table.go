package costtest

import (
	"fmt"
	"strings"
)

// Shapes are the inputs of the review of 2026-11-21 (Review) and others meant to reveal more than linear cost.
var Shapes = []Shape{
	// from the review
	conda("equal items", "dependencies:\n", "- a\n"),
	conda("equal keys", "", "a: 1\n"),
	conda("distinct keys", "", "%x: \n"),
	compute("unknown keys", gpuCompute, "k%d: 1\n"),
	conda("pip items", pipHead, "    - p%06d\n"),
	conda("near misses", pipHead, "    - numpi==%d\n"),
	conda("near misses of keys", "", "channel%d: 1\n"),

	// depth and width
	{"deep mappings", func(size int) map[string]string {
		var b strings.Builder
		for depth := 0; b.Len()+depth+4 < size; depth++ {
			b.WriteString(strings.Repeat(" ", depth) + "a:\n")
		}
		return project(map[string]string{"aml_config/x.compute": b.String()})
	}},
	compute("deep flow lists", "a: ", "["),
	compute("closed flow lists", "a: [", "[],"),
	around("aml_config/x.compute", "closed flow lists in a whole list", "a: [", "[],", "]\n"),
	compute("deep dashes", "a:\n", "- "),
	compute("deep flow mappings", "", "{a: "),
	compute("dashes below each other", "a:\n", "- - - - - - - - a\n"),
	compute("nested to the limit", "a:\n", "- [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n"),
	around("aml_config/conda_dependencies.yml", "items on one line", "dependencies: [", "a, ", "a]\n"),
	around("aml_config/conda_dependencies.yml", "pip items on one line", "dependencies: [{pip: [", "p%06d=1, ", "a]}]\n"),
	around("aml_config/x.compute", "JSON on one line", "{", "\"k%d\": 1, ", "\"type\": \"local\"}\n"),
	around("aml_config/x.compute", "JSON over many lines", "{\n", "  \"k%d\": 1,\n", "  \"type\": \"local\"\n}\n"),
	around("aml_config/x.compute", "nested JSON", "{\n", "  \"k%d\": {\"a\": [1, {\"b\": null}]},\n", "  \"type\": \"local\"\n}\n"),

	// notebooks, which a migration reads
	around("a.ipynb", "notebook of one cell", `{"cells":[{"cell_type":"code","source":[`, `"import azureml\n",`, `""]}]}`),
	around("a.ipynb", "notebook of one text", `{"cells":[{"cell_type":"code","source":"`, `import azureml\n`, `"}]}`),
	around("a.ipynb", "nested notebook", `{"azureml":`, `[`, ``),

	// aliases, anchors, tags, merge keys, documents
	compute("aliases of one value", "a: &a [1, 2]\nb:\n", "- *a\n"),
	compute("aliases of one large value", "a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\nb:\n", "- [*a, *a, *a]\n"),
	compute("anchors", "b:\n", "- &a%d 1\n"),
	compute("aliases and anchors in turn", "b:\n- &b 1\n", "- &a%[1]d 1\n- *a%[1]d\n"),
	compute("aliases of aliases", "a0: &a0 x\n", "k%[1]d: &b%[1]d [*a0, *a0]\n"),
	compute("merge keys", "a: &a {b: 1}\nc:\n", "- <<: *a\n"),
	around("aml_config/x.compute", "merged mappings", gpuCompute+"a: &a {b: 1}\n<<: [", "*a, ", "*a]\n"),
	compute("merged mappings of many keys", "a: &a {address: x, b: 1, c: 1, d: 1}\nc:\n", "- {<<: *a, e%d: 1}\n"),
	compute("tags", "b:\n", "- !!str 1\n"),
	compute("own tags", "", "k%d: !x 1\n"),
	compute("explicit keys", "", "? k%d\n: 1\n"),
	compute("keys that are lists", "", "? [k%d]\n: 1\n"),
	conda("documents", "", "---\na: 1\n"),
	conda("documents with faults", "", "---\ndependencies:\n- a\n- a\n"),
	{"billion laughs", func(size int) map[string]string {
		var b strings.Builder
		b.WriteString("a0: &a0 x\n")
		for i := 1; b.Len() < size-200; i++ {
			b.WriteString(strings.NewReplacer("N", itoa(i), "M", itoa(i-1)).Replace("aN: &aN [*aM, *aM, *aM, *aM, *aM, *aM, *aM]\n"))
		}
		return project(map[string]string{"aml_config/x.compute": b.String()})
	}},

	// lines and characters
	compute("one long plain value", "address: ", "abc "),
	compute("one long word", "address: ", "a"),
	around("aml_config/x.compute", "one long quoted value", "address: \"", "a\\n", "\"\n"),
	compute("one long key", "", "k"),
	compute("one long literal", "address: |\n", "  abc\n"),
	compute("one long folded text", "address: >\n", "  abc\n"),
	compute("a plain value over many lines", "address: a\n", "  b\n"),
	compute("literals", "", "k%d: |\n  a\n"),
	compute("keys beyond ASCII on one line", "{\"ä\": 1, ", "\"ä%d\": 1, "),
	compute("empty lines", "type: local\n", "\n"),
	compute("spaces", "type: local", " "),
	around("aml_config/x.compute", "spaces between two words", "type: local\nuserManagedEnvironment: a", " ", "b\n"),
	around("aml_config/x.compute", "tabs between two words", "type: local\nuserManagedEnvironment: a", "\t", "b\n"),
	compute("lines of spaces", "type: local\n", "          \n"),
	compute("carriage returns alone", "type: local\r", "k%d: 1\r"),
	compute("carriage returns in a row", "type: local\n", "\r"),
	compute("twice carriage returns", "type: local\r\r\n", "k%d: 1\r\r\n"),
	compute("tabs after colons", "", "k%d:\t1\n"),
	compute("tabs before comments", "type: local\n", "\t# a\n"),
	compute("tabs as indentation", "a:\n", "\tk%d: 1\n"),
	compute("tabs in a row", "type: local", "\t"),
	compute("many indentations and a tab", "a:\n\tb: 1\n", "%[1]*[1]d\n"),
	compute("no-break spaces", "", "k%d:\u00a01\n"),
	compute("line separators of Unicode", "type: local\n", "# a\u2028"),

	// unreadable text
	compute("keys without a space", "type: local\n", "k%d:true\n"),
	compute("known keys without a space", "type: local\n", "nvidiaDocker:true\n"),
	compute("known keys without a space in a file that parses", "a: |\n", "  nvidiaDocker:true\n"),
	conda("dashes without a space", "dependencies:\n", "-a%d\n"),
	compute("lines without a colon", "type: local\n", "word%d\n"),
	compute("two lines without a colon", "word\nother\n", "k%d: 1\n"),
	compute("merge markers", "type: local\n", "<<<<<<< a\nk: 1\n=======\nk: 2\n>>>>>>> b\n"),
	compute("an open quote", "a: \"\n", "k%d: 1\n"),
	compute("an open quote at the end", "", "k%d: 1\nb: 'x\n"),
	compute("JSON without commas", "{\n", "\"k%d\": 1\n"),
	compute("a bracket too many", "a: ]\n", "k%d: 1\n"),
	around("aml_config/x.compute", "a fault in the last line", "", "k%d: 1\n", " ]\n"),

	// comments
	compute("comments", "type: local\n", "# comment %d\n"),
	compute("comments behind values", "", "k%d: 1 # comment\n"),
	compute("ignoring comments in a row", "", "# amlfix: ignore schema/unknown-key\n"),
	compute("ignoring comments behind values", "", "k%d: 1 # amlfix: ignore schema/unknown-key\n"),
	compute("ignoring comments that nothing needs", "type: local\n", "# amlfix: ignore gpu/framework -- a\n\n"),
	compute("one ignoring comment of many names", "# amlfix: ignore ", "a/b%d, "),
	compute("file-wide ignoring comments", "type: local\n", "# amlfix: ignore-file x/y%d\n"),

	// packages
	conda("empty items", "dependencies:\n- pip:\n", "  -\n"),
	conda("single equals signs", pipHead, "    - p%d=1.0\n"),
	conda("hashes in versions", pipHead, "    - p%[1]d==1#%[1]d\n"),
	conda("options split in two", pipHead, "    - --extra-index-url\n    - https://h%d.example.com/\n"),
	conda("index addresses", pipHead, "    - --extra-index-url https://h%d.example.com/\n"),
	conda("modules of Python", "dependencies:\n", "- json\n- os\n- io\n"),
	conda("CPU packages", pipHead, "    - tensorflow==1.4.%d\n"),
	conda("CPU packages of many names", pipHead, "    - tensorflow\n    - mxnet\n    - torch==%d+cpu\n"),
	conda("CPU wheels", pipHead, "    - https://cntk.ai/PythonWheel/CPU-Only/cntk-2.%d-cp35-cp35m-linux_x86_64.whl\n"),
	conda("Windows wheels", pipHead, "    - https://example.com/a%d-1.0-cp35-cp35m-win_amd64.whl\n"),
	conda("lost colons", "dependencies:\n", "- pip\n  - p%d\n"),
	conda("one lost colon", "dependencies:\n- pip\n", "  - p%d\n"),
	conda("pip lists", "dependencies:\n", "- pip:\n  - a\n"),
	conda("channels", "channels:\n", "- c%d\n"),
	conda("channels before packages", "dependencies:\n", "- c%d::numpy\n"),
	conda("pythons", "dependencies:\n", "- python=3.%d\n"),
	conda("versions of one package", "dependencies:\n", "- numpy=1.%d\n"),
	conda("one long version", condaHead+"  - numpy==1", ".1"),
	conda("one long pip version", pipHead+"    - tensorflow==1", ".1"),
	conda("versions of many clauses", pipHead+"    - tensorflow>1", ",>1"),
	conda("versions of many exceptions", condaHead+"  - tensorflow>1", ",!=1.%d"),
	conda("versions of many choices", condaHead+"  - tensorflow>1", "|<1.%d"),
	conda("one long number", condaHead+"  - tensorflow==1", "1"),
	conda("one long marker", pipHead+"    - tensorflow; a=='b'", " and a=='b'"),
	conda("nested markers", pipHead+"    - \"tensorflow; ", "("),
	conda("extras", pipHead+"    - tensorflow[a", ",a%d"),
	conda("packages with extras", pipHead, "    - a[b,c,d]\n"),
	conda("one long address", pipHead+"    - https://example.com/", "a/"),
	conda("one long name", pipHead+"    - ", "a-"),

	// images, run configurations, Spark
	compute("one long image name", "type: localdocker\nbaseDockerImage: ", "a/"),
	compute("one long image name of colons", "type: localdocker\nbaseDockerImage: a", "::a"),
	run("environment variables", runConfig+"EnvironmentVariables:\n", "  V%d: yes\n"),
	run("variables with keys", runConfig+"EnvironmentVariables:\n", "  KEY_%[1]d: AccountKey=abcdefghijklmnopqrstuvwxyz0123456789%[1]d\n"),
	run("ambiguous values", runConfig+"EnvironmentVariables:\n", "  V%d: 1:30\n"),
	run("arguments", "Target: x\nFramework: Python\nArgumentVector:\n", "  - a%d\n"),
	run("unknown keys of a run configuration", runConfig, "K%d: 1\n"),
	run("run configurations of SDK v1", "framework: Python\nscript: a.py\nenvironment:\n  environmentVariables:\n", "    v%d: 1:30\n"),
	run("unknown keys of SDK v1", "framework: Python\nscript: a.py\n", "node_counts_%d: 1\n"),
	run("keys of SDK v1 with many words", "framework: Python\nscript: a.py\n", "a_b_c_d_e_f_g_h%d: 1\n"),
	in("aml_config/spark_dependencies.yml", "Spark packages", "packages:\n", "- {group: a, artifact: b%d, version: 1}\n"),
	in("aml_config/spark_dependencies.yml", "Spark settings", "configuration:\n", "  spark.a%d: 1\n"),

	// Azure ML v2
	v2("inputs of v2", v2Head+"inputs:\n", "  i%d: {type: uri_folder, path: a}\n"),
	v2("variables of v2", v2Head+"environment_variables:\n", "  v%d: yes\n"),
	v2("unknown keys of v2", v2Head, "k%d: 1\n"),
	v2("unknown keys like others", "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: azureml:e:1\ncommand: a\n", "desc%d: 1\n"),
	v2("references of v2", v2Head+"inputs: {a: 1}\ndescription: \"", "${{inputs.a%d}} "),
	v2("a command with a name in braces", "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: azureml:e:1\ninputs: {a: 1}\ncommand: echo {inputs.a}", " abcdef%d"),
	bound("data of a pipeline", "        i%d: {type: uri_folder}\n", "  i%[1]d: {path: a%[1]d.csv, type: uri_file}\n", "      i%[1]d: ${{parent.inputs.i%[1]d}}\n"),
	bound("values of a pipeline", "        i%d: {type: integer, max: 1, default: 2}\n", "  i%d: many\n", "      i%[1]d: ${{parent.inputs.i%[1]d}}\n"),
	chain("jobs of a pipeline that wait for each other"),
	v2("jobs of a pipeline that name versions", pipelineHead+"jobs:\n", "  j%d: {component: azureml:name:%[1]d, inputs: {a: ../b.csv}}\n"),
	v2("jobs of a pipeline", v2Pipeline,
		"  j%d: {type: command, command: a, environment: azureml:x@latest, compute: azureml:c}\n"),
	v2("environments in a pipeline", v2Pipeline, "  j%d: {type: command, command: a, environment: {image: x, conda_file: {dependencies: [torch]}}, compute: azureml:c}\n"),
	v2("pipelines in a pipeline", v2Pipeline, "  j%d: {type: pipeline, jobs: {a: {command: a, environment: azureml:x@latest}}}\n"),
	around("job.yml", "lines of a command that are options", "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: azureml:e:1\ncommand: |\n  python a.py\n", "  --a%d b\n", ""),
	v2("redirections in a command", "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: azureml:e:1\ncommand: echo", " a>%d"),
	around("job.yml", "aliases of one job", "$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\njobs: &jobs\n  a: &a {command: a}\n", "  j%d: {type: pipeline, jobs: *jobs, component: *a}\n", ""),
	{"children that run one component on GPUs", func(size int) map[string]string {
		return map[string]string{
			"train.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json\nname: train\ncommand: a\nenvironment: {image: ubuntu, conda_file: conda.yml}\nenvironment_variables:\n" + many(size/4, "  v%d: a\n"),
			"conda.yml": pipHead + many(size/4, "    - torch==1.%d+cpu\n"),
			"gpu.yml":   "$schema: https://azuremlschemas.azureedge.net/latest/amlCompute.schema.json\nname: gpu\ntype: amlcompute\nsize: Standard_NC24ads_A100_v4\n",
			"job.yml":   v2Pipeline + many(size/2-800, "  j%d: {component: train.yml, compute: azureml:gpu, resources: {instance_count: 1}}\n"),
		}
	}},
	{"jobs that one Dockerfile is built for", func(size int) map[string]string {
		return map[string]string{
			"Dockerfile": "FROM nvidia/cuda:12.1.0-runtime\nCOPY r.txt .\nRUN pip install -r r.txt\n" + many(min(size/8, 50_000), "RUN pip install a%d\n"),
			"r.txt":      many(min(size/8, 60_000), "torch==1.%d+cpu\n"),
			"env.yml":    "$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json\nname: e\nbuild: {path: .}\n",
			"job.yml":    v2Pipeline + many(size-2*min(size/8, 60_000)-400, "  j%d: {command: a, environment: azureml:e@latest, resources: {instance_type: Standard_NC24ads_A100_v4}}\n"),
		}
	}},
	around("job.yml", "addresses with a login on one line", v2Head+"description: ", "https://a:b@", "\n"),
	around("job.yml", "secrets in JSON on one line", v2Head+"description: ", `{"password": "`, "\n"),
	{"versions of one component that jobs name", func(size int) map[string]string {
		all := map[string]string{}
		for i := range size / 2 / 158 {
			all[fmt.Sprintf("c%d.yml", i)] = fmt.Sprintf("$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json\nname: train\nversion: %d\ncommand: a\nenvironment: azureml:x@latest\n", i)
		}
		all["job.yml"] = v2Pipeline + many(size/2-200, "  a%[1]d: {component: azureml:train:1%[1]d}\n  b%[1]d: {component: azureml:train@latest}\n")
		return all
	}},
	{"inputs with the wrong indentation", func(size int) map[string]string {
		return project(map[string]string{"job.yml": v2Head + "description: \"" + many(size/3, "${{inputs.k%d}} ") + "\"\ninputs:\n" +
			many(size/3, "  i%[1]d:\n    type: uri_folder\n    k%[1]d: 1\n") + many(size/3, "  j%d:\n  type: uri_folder\n")})
	}},
	{"inputs of a prompt flow that nodes misspell", func(size int) map[string]string {
		return map[string]string{"flow.dag.yaml": "inputs:\n" + many(size/2, "  question_%d: {type: string}\n") +
			"nodes:\n- name: n\n  type: python\n  source: {type: code, path: a.py}\n  inputs:\n" + many(size/2-300, "    i%[1]d: ${inputs.queston_%[1]d}\n")}
	}},
	named("endpoints of nearly the names that deployments use", "managedOnlineEndpoint.schema.json\nname: my-endpoint-%d\nauth_mode: key\n", "managedOnlineDeployment.schema.json\nname: blue\nendpoint_name: My_endpoint-%d\nmodel: azureml:a:1\n"),
	named("environments of nearly the names that jobs use", "environment.schema.json\nname: my-environment-%d\nimage: ubuntu\n", "commandJob.schema.json\ncommand: a\nenvironment: azureml:My_environment-%d@latest\n"),
	v2("sizes of a series that ends", v2Pipeline, "  j%[1]d: {command: a, environment: azureml:e@latest, resources: {instance_type: Standard_D%[1]d_v2}}\n"),
	v2("equal variables of v2", v2Head+"environment_variables:\n", "  A: 1\n"),
	v2("parameters of a sweep", sweepHead+"sampling_algorithm: bayesian\nsearch_space:\n", "  p%d: {type: loguniform, min_value: 2, max_value: 1}\n"),
	around("job.yml", "values of a sweep", sweepHead+"sampling_algorithm: grid\nsearch_space: {p: {type: choice, values: [", "%d, ", "1]}}\n"),
	scripted("metrics that a script logs", sweepHead+"search_space: {p: {type: choice, values: [1]}}\n", "import mlflow\n", "mlflow.log_metric('l%d', 1)\n", ""),
	scripted("calls in calls that log", sweepHead+"search_space: {p: {type: choice, values: [1]}}\n", "", "log_metric('a',", strings.Repeat(")", 60_000)+"\n"),
	{"imports of scripts that many jobs run", func(size int) map[string]string {
		all := files("", "j%d.yml", strings.Replace(v2Head, "azureml:x@latest", "{image: a, conda_file: conda.yml}", 1), nil).Files(size / 3)
		all["conda.yml"] = "dependencies:\n  - pip=24.0\n  - pip:\n" + many(size/3-100, "    - pandas==2.0.%d\n")
		all["train.py"] = many(size/3, "import sklearn\n")
		return all
	}},
	{"deployments of one environment", func(size int) map[string]string {
		all := files("", "d%d.yml", "$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineDeployment.schema.json\nname: a\nendpoint_name: b\ncode_configuration: {code: ., scoring_script: a.py}\n"+
			"environment: {image: mcr.microsoft.com/azureml/a, conda_file: conda.yml}\n", nil).Files(size / 2)
		all["conda.yml"] = pipHead + many(size/2-200, "    - p%d\n")
		return all
	}},
	v2("assets without a version", v2Head+"inputs:\n", "  i%[1]d: {type: uri_folder, path: \"azureml:d%[1]d\"}\n"),
	v2("misspelt addresses", v2Head+"inputs:\n", "  i%d: {type: uri_folder, path: \"azureml://datastors/a/paths/b\"}\n"),
	around("job.yml", "variables before a launcher", strings.Replace(v2Head, "python train.py", "a", 1)+"distribution: {type: pytorch, process_count_per_instance: 2}\ndescription: \"", "A=b ", "torchrun a\"\n"),
	around("job.yml", "times of a schedule", "$schema: https://azuremlschemas.azureedge.net/latest/schedule.schema.json\nname: a\ncreate_job: azureml:b\ntrigger: {type: cron, expression: \"", "1,", "99 * * * *\"}\n"),
	conda("builds with a label", pipHead, "    - torch==2.5.1+cu%d\n"),
	conda("conditions that exclude each other", pipHead, "    - p%d>=2,<1\n"),

	compute("keys that begin with an open quote", "type: localdocker\n", "\"a: b\n"),
	compute("keys with wide colons", "type: localdocker\n", "a\uff1ab\n"),
	compute("words with invisible characters", "type: localdocker\n", "a\u200b: b\n"),
	compute("texts on the lines of their marks", "type: localdocker\n", "a: >- b\n"),
	conda("pip without colons above lists", "dependencies:\n", "- pip\n# a\n  - b\n"),
	around("job.yml", "spaces of prose in a command", "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: azureml:e:1\ncommand: a", "\u00a0b", "\n"),
	around("job.yml", "names of experiments that nothing has", "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: azureml:e:1\ncommand: a\nexperiment_name: ", "a ", "b\n"),
	around("comp.yml", "additional includes", "$schema: https://azuremlschemas.azureedge.net/latest/commandComponent.schema.json\nname: c\ntype: command\ncommand: a\n"+
		"code: .\nenvironment: azureml:x@latest\nadditional_includes: [", "./i%d,", "]\n"),

	// programs that use SDK v1, which migration reads
	{"long texts that a program repeats", func(size int) map[string]string {
		return project(map[string]string{"run.py": programHead + "a = '" + strings.Repeat("b", size/2) + "'\nScriptRunConfig('.', 'a.py', arguments=[" + many(size/2-1000, "a+a,") + "])\n"})
	}},
	program("calls of calls in a program", "x = a", ".a()", "\nScriptRunConfig('.', 'a.py', arguments=[x])\n"),
	program("a list that a program doubles", "x = ['a']\n", "x = x + x\n", "ScriptRunConfig('.', 'a.py', arguments=x)\n"),
	program("steps that a program makes", "", "s%[1]d = PythonScriptStep('a.py', compute_target='c')\ns%[1]d.run_after(s0)\n", "Pipeline(w, steps=s)\n"),
	program("pipelines that a program makes", "", "Experiment(w, 'a').submit(Pipeline(w, steps=[s]))\n", ""),
	program("attributes that a program sets", "c = RunConfiguration()\n", "c.a%d = 1\n", "ScriptRunConfig('.', 'a.py', run_config=c)\n"),
	program("data that a program passes", "d = Dataset.get_by_name(w, 'a')\nScriptRunConfig('.', 'a.py', arguments=[", "'--a%d', d.as_mount(), ", "])\n"),
	program("ranges that a program tries", "", "a%d = choice(range(100))\n", "ScriptRunConfig('.', 'a.py', arguments=[a1])\n"),

	program("estimators that a program makes", "from azureml.train.estimator import Estimator\n", "e%[1]d = Estimator('.', entry_script='a.py', compute_target='c')\nExperiment(w, 'a').submit(e%[1]d)\n", ""),
	program("environments that a program makes", "", "e%[1]d = Environment('e')\ne%[1]d.docker.base_image = 'i%[1]d'\n", ""),
	program("computes of one name that a program makes", "", "c%d = ComputeTarget.create(w, 'gpu', AmlCompute.provisioning_configuration(vm_size='S'))\n", ""),

	// other files that migration reads
	in("pipe.yml", "steps of a pipeline of SDK v1", "pipeline:\n  name: p\n  default_compute: c\n  steps:\n", "    S%d:\n      type: PythonScriptStep\n      script_name: a.py\n"),
	around("pipe.yml", "inputs of a step of SDK v1", "pipeline:\n  data_references: {d: {datastore: a, path_on_datastore: b}}\n  steps:\n    S:\n      type: PythonScriptStep\n      script_name: a.py\n      inputs:\n",
		"        i%d: {source: d}\n", "      arguments: [input:i1]\n"),
	lines("lines that submit a run", "README.md", "", "az ml run submit-script -c r%d a.py\n"),
	lines("lines that submit a run in a step of CI", "ci.yml", "steps:\n- script: >\n", "    az ml run submit-script --target c a%d.py\n\n"),
	lines("lines that are options of each other", "run.sh", "", "--x run submit-script -c r a%d.py\n"),
	lines("lines that create a compute", "run.sh", "", "az ml computetarget create amlcompute -n gpu -s S --max-nodes %d\n"),
	{"run configurations of SDK v1 with passwords", func(size int) map[string]string {
		all := map[string]string{"a.py": ""}
		for i := 0; size > 0 && i < 2000; i++ {
			name, text := fmt.Sprintf(".azureml/r%d.runconfig", i), fmt.Sprintf("framework: Python\nscript: a.py\ntarget: c\nenvironment: {environmentVariables: {MY_PASSWORD: Hunter2x%d}}\n", i)
			size -= len(name) + len(text)
			all[name] = text
		}
		all["b.py"] = strings.Repeat(" ", max(0, size))
		return all
	}},

	// scripts, command lines and Dockerfiles
	scripted("names of a script's parser", v2Head+"code: .\n", "import argparse\ndef m():\n return p\np = argparse.ArgumentParser()\n", "p%d = m()\n", "p.parse_args()\n"),
	scripted("names of argparse", v2Head+"code: .\n", "", "import argparse as a%d\n", "p = argparse.ArgumentParser()\np.parse_args()\n"),
	given("names of an option", "'--a'", ", '-b%d'", " --c%d"),
	given("choices of an option", "'--a', choices=['b'", ", 'b%d'", " d%d"),
	v2("files that a command reads", strings.TrimSuffix(strings.Replace(v2Head, "command: ", "description: ", 1), "\n")+"\ncommand: python train.py", " <a%d"),
	v2("commands in a command", strings.Replace(v2Head, "command: ", "description: ", 1)+"command: a", "&&a"),
	docker("variables that double", "FROM a\nENV A=aaaaaaaa\n", "ENV A=$A$A\n"),
	docker("copies and files of requirements", "FROM a\nWORKDIR /w\n", "COPY a%[1]d /w/\nRUN pip install -r b%[1]d\n"),
	docker("folders that a command enters", "FROM a\nRUN a", " && cd a"),
	docker("options of RUN", "FROM a\nRUN", " --mount=type=bind,source=a,target=b"),
	docker("packages that a command installs", "FROM a\nRUN pip install", " a"),
	docker("files of requirements that are one", "FROM a\nCOPY . .\n", "RUN pip install -r many.txt\n"),

	// settings
	in(".amlfix.yaml", "sizes of computes", "computes:\n", "  c%d: Standard_NC24ads_A101_v4\n"),
	in(".amlfix.yaml", "ignored rules", "ignore:\n", "- gpu/framewrk%d\n"),
	in(".amlfix.yaml", "excluded paths", "exclude:\n", "- a%d/**\n"),
	{"patterns and files", func(size int) map[string]string {
		settings := map[string]string{".amlfix.yaml": "exclude:\n" + many(size/2, "- a*b\n")}
		return files("", "aml_config/a%d.compute", "t: x\n", settings).Files(size)
	}},
	{"patterns with braces", func(size int) map[string]string {
		settings := map[string]string{".amlfix.yaml": "exclude:\n" + many(size/2, "- '*{a,b}*{a,b}*{a,b}*{a,b}*{a,b}*%d'\n") + "ignore:\n" + many(size/2-500, "- '*{s,c}*{h,e}*/*%d'\n")}
		settings["aml_config/"+strings.Repeat("a", 200)+".compute"] = "t: x\n"
		return settings
	}},
	in(".amlfix.yaml", "paths with settings", "paths:\n", "- {match: [a%d/**], ignore: [gpu/framework]}\n"),
	in(".amlfix.yaml", "choices", "choices:\n", "  k%d: v\n"),

	// many files
	files("computes", "aml_config/c%d.compute", "type: local\n", project(nil)),
	files("run configurations of one environment", "aml_config/r%d.runconfig", runConfig, project(map[string]string{"aml_config/conda_dependencies.yml": pipHead + "    - tensorflow==1.4.0\n"})),
	crowd("packages of many run configurations", "x", "    - tensorflow==1.4.%d\n"),
	crowd("packages that CPU and GPU targets share", "c", "    - tensorflow==1.4.%d\n"),
	crowd("CPU wheels that CPU and GPU targets share", "c", "    - https://cntk.ai/PythonWheel/CPU-Only/cntk-2.%d-cp35-cp35m-linux_x86_64.whl\n"),
	files("run configurations of one target", "aml_config/r%d.runconfig", "ArgumentVector: [a.py]\nTarget: x\nFramework: PySpark\n", project(nil)),
	files("conda files", "aml_config/conda%d.yml", condaHead+"  - tensorflow==1.4.0\n", project(nil)),
	files("jobs of v2", "job%d.yml", v2Head, nil),
	files("jobs of v2 in many folders", "jobs/%d/job.yml", v2Head, map[string]string{".git/HEAD": ""}),
	files("computes of one name", "infra/%d.yml", "$schema: https://azuremlschemas.azureedge.net/latest/amlCompute.schema.json\nname: gpu\ntype: amlcompute\nsize: Standard_NC6\n", map[string]string{"job.yml": v2Head}),
	{"scripts of nearly the name of others", func(size int) map[string]string {
		all := map[string]string{".git/HEAD": ""}
		for i := range min(1000, size/200) { // 34 bytes each
			all[fmt.Sprintf("src/train_model_with_a_long_name_%d.py", i)] = ""
		}
		for i := range (size - 34*min(1000, size/200)) / 245 {
			all[fmt.Sprintf("jobs/%d.yml", i)] = strings.Replace(v2Head, "train.py", fmt.Sprintf("trainmodel_with_a_lang_nome_%d.py", i), 1) + "code: ../src\n"
		}
		return all
	}},
	{"pipelines that name each other", func(size int) map[string]string {
		all := map[string]string{}
		for i := 0; size > 0; i++ {
			name := fmt.Sprintf("p%d.yml", i)
			text := fmt.Sprintf("%s  a: {component: p%d.yml}\n  b: {component: p%d.yml}\n", v2Pipeline, i+1, i/2)
			if size -= len(name) + len(text); size > 0 {
				all[name] = text
			}
		}
		return all
	}},
	files("projects", "p%d/aml_config/x.compute", "type: remotedockr\n", nil),
	files("projects that share an environment", "p%d/aml_config/r.runconfig", "ArgumentVector: [a.py]\nTarget: local\nFramework: Python\nCondaDependenciesFile: ../env.yml\n",
		map[string]string{"env.yml": condaHead + "  - pip:\n    - a=1\n"}),
	files("GPU projects that share an environment", "p%d/aml_config/r.runconfig",
		"framework: Python\nscript: a.py\ntarget: c\nenvironment:\n  docker: {enabled: true, gpuSupport: true}\n  python: {condaDependenciesFile: ../env.yml}\n",
		map[string]string{"env.yml": pipHead + "    - tensorflow==1.4.0\n"}),
	files("files of others", "src%d/a.py", "import os\n", project(nil)),
}
