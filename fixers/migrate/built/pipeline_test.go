package built_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPipelines checks what is read from pipelines.
func TestPipelines(t *testing.T) {
	const imports = head + "from azureml.pipeline.core import *\nfrom azureml.pipeline.steps import *\n"
	const two = "a = PythonScriptStep('a.py', 'A', compute_target='cpu')\nb = PythonScriptStep(script_name='b.py', name='B')\n"
	const asTwo = `A: {type: "PythonScriptStep", name: "A", script_name: "a.py", compute: "cpu"}, B: {type: "PythonScriptStep", name: "B", script_name: "b.py"`
	for name, test := range map[string]struct{ program, want string }{
		"a list":                {two + "Pipeline(ws, [a, b])\n", `{steps: {` + asTwo + `}}}`},
		"lists in a list":       {two + "Pipeline(ws, steps=[[a], [b]])\n", `{steps: {` + asTwo + `}}}`},
		"a name for a list":     {two + "all = [a]\nall.append(b)\nPipeline(ws, steps=all)\n", `{steps: {` + asTwo + `}}}`},
		"a sequence":            {two + "Pipeline(ws, steps=StepSequence(steps=[a, b]))\n", `{steps: {` + asTwo + `, run_after: ["A"]}}}`},
		"an order":              {two + "b.run_after(a)\nPipeline(ws, steps=[b])\n", `{steps: {` + asTwo + `, run_after: ["A"]}}}`},
		"a list that is chosen": {two + "all = [a]\nif x:\n    all = [a, b]\nPipeline(ws, steps=all)\n", `{steps: <all>, steps: {` + asTwo + `}}}`},
		"an imported list":      {"Pipeline(ws, steps=steps())\n", `{steps: <steps()>}`},
		"steps with equal names": {"Pipeline(ws, steps=[PythonScriptStep('a.py', 'A'), PythonScriptStep('b.py', 'A')])\n",
			`{steps: {A: {type: "PythonScriptStep", name: "A", script_name: "a.py"}, A 2: {type: "PythonScriptStep", name: "A", script_name: "b.py"}}}`},
		"data between steps": {"d = PipelineData('d')\na = PythonScriptStep('a.py', outputs=[d], arguments=['--o', d])\nb = PythonScriptStep('b.py', inputs=[d.as_download()], arguments=['--i', d])\nPipeline(ws, steps=[b])\n",
			`{steps: {a: {type: "PythonScriptStep", script_name: "a.py", outputs: {d: {destination: "d"}}, arguments: ["--o", d]}, b: {type: "PythonScriptStep", script_name: "b.py", inputs: {d: {source: "d", bind_mode: "download"}}, arguments: ["--i", d]}}}`},
		"the text of data": {"d = PipelineData('d')\nr = DataReference(Datastore.get_default(ws), 'r', 'in')\na = PythonScriptStep('a.py', outputs=[d], arguments=[str(r.as_mount()), str(d.as_mount()), str(x)])\nb = PythonScriptStep('b.py', inputs=[d], arguments=['--i', str(d)])\nPipeline(ws, steps=[b])\n",
			`{data_references: {r: {datastore: "workspaceblobstore", path_on_datastore: "in"}}, steps: {a: {type: "PythonScriptStep", script_name: "a.py", outputs: {d: {destination: "d"}}, inputs: {r: {source: "r", bind_mode: "mount"}}, arguments: [r, d, <str(x)>]}, b: {type: "PythonScriptStep", script_name: "b.py", inputs: {d: {source: "d"}}, arguments: ["--i", d]}}}`},
		"the text of what is no data": {"p = PipelineParameter('lr', 0.1)\na = PythonScriptStep('a.py', arguments=['--o', str(p), str(Dataset.get_by_name(ws, 'd')), str(PipelineParameter('q', DataPath(s, 'p')))])\nPipeline(ws, steps=[a])\n",
			`{steps: {a: {type: "PythonScriptStep", script_name: "a.py", arguments: ["--o", <str(p)>, <str(Dataset.get_by_name(ws, 'd'))>, <str(PipelineParameter('q', DataPath(s, 'p')))>]}}}`},
		"an output that is only an argument": {"d = OutputFileDatasetConfig(destination=(ws.get_default_datastore(), 'x')).as_upload()\na = PythonScriptStep('a.py', arguments=[d])\nb = PythonScriptStep('b.py', arguments=[d.as_input('i')])\nPipeline(ws, steps=[a, b])\n",
			`{steps: {a: {type: "PythonScriptStep", script_name: "a.py", outputs: {d: {destination: "d", datastore: "workspaceblobstore", path: "x", bind_mode: "upload"}}, arguments: [d]}, b: {type: "PythonScriptStep", script_name: "b.py", inputs: {i: {source: "d"}}, arguments: [i]}}}`},
		"data from outside": {"r = DataReference(ws.get_default_datastore(), data_reference_name='r', path_on_datastore='in')\na = PythonScriptStep('a.py', inputs=[r, ws.datasets['t'].as_named_input('n'), other], arguments=[Dataset.get_by_name(ws, 'q', 2).as_named_input('q').as_mount()])\nPipeline(ws, steps=[a])\n",
			`{data_references: {r: {datastore: "workspaceblobstore", path_on_datastore: "in"}, n: {dataset_name: "t"}, input_3: {value: <other>}, q: {dataset_name: "q", dataset_version: 2, type: "uri_folder"}}, steps: {a: {type: "PythonScriptStep", script_name: "a.py", inputs: {r: {source: "r"}, n: {source: "n"}, input_3: {source: "input_3"}, q: {source: "q", bind_mode: "mount"}}, arguments: [q]}}}`},
		"data of the workspace by get": {"d = ws.datasets.get('t')\na = PythonScriptStep('a.py', inputs=[d.as_named_input('n')])\nPipeline(ws, steps=[a])\n",
			`{data_references: {n: {dataset_name: "t"}}, steps: {a: {type: "PythonScriptStep", script_name: "a.py", inputs: {n: {source: "n"}}}}}`},
		"data from elsewhere": {"a = PythonScriptStep('a.py', inputs=[x.as_named_input('n')], arguments=[x.as_named_input('n'), y.as_named_input('m').as_mount(), z[0].as_named_input('k')])\nPipeline(ws, steps=[a])\n",
			`{data_references: {n: {value: <x.as_named_input('n')>}, m: {value: <y.as_named_input('m').as_mount()>}}, steps: {a: {type: "PythonScriptStep", script_name: "a.py", inputs: {n: {source: "n"}, m: {source: "m", bind_mode: "mount"}}, arguments: [n, m, <z[0].as_named_input('k')>]}}}`},
		"data from elsewhere, in several places": {"a = PythonScriptStep('a.py', inputs=[x.as_named_input('n')], arguments=[x.as_named_input('n').as_mount(), x.as_named_input('n').as_download('/tmp/d')])\nb = PythonScriptStep('b.py', arguments=[x.as_named_input('n').as_download()])\ny = f()\nc = PythonScriptStep('c.py', arguments=[y.as_named_input('m')])\ny = g()\nd = PythonScriptStep('d.py', arguments=[y.as_named_input('m'), z.w.as_named_input('k'), z.w.as_named_input('k')])\nPipeline(ws, steps=[a, b, c, d])\n",
			`{data_references: {n: {value: <x.as_named_input('n')>}, m: {value: <y.as_named_input('m')>}, m_2: {value: <y.as_named_input('m')>}, k: {value: <z.w.as_named_input('k')>}}, steps: {a: {type: "PythonScriptStep", script_name: "a.py", inputs: {n: {source: "n", bind_mode: "mount"}, n_2: {source: "n", bind_mode: "download"}}, arguments: [n, n_2]}, b: {type: "PythonScriptStep", script_name: "b.py", inputs: {n: {source: "n", bind_mode: "download"}}, arguments: [n]}, c: {type: "PythonScriptStep", script_name: "c.py", inputs: {m: {source: "m"}}, arguments: [m]}, d: {type: "PythonScriptStep", script_name: "d.py", inputs: {m_2: {source: "m_2"}, k: {source: "k"}}, arguments: [m_2, k, k]}}}`},
		"parameters": {"n = PipelineParameter('n', 3)\na = PythonScriptStep('a.py', arguments=['--n', n], params={'m': n, 'k': 'v'})\nPipeline(ws, steps=[a])\n",
			`{parameters: {n: {type: "int", default: 3}}, steps: {a: {type: "PythonScriptStep", script_name: "a.py", arguments: ["--n", n], parameters: {m: {source: "n"}, k: "v"}}}}`},
		"where it is submitted": {two + "p = Pipeline(ws, [a, b], description='d')\nrun = p.submit('e')\nq = p.publish('n')\n", `{description: "d", name: "n", steps: {` + asTwo + `}}} as e`},
		"an experiment's name":  {two + "x = Experiment(ws, 'e')\np = Pipeline(ws, [a, b])\np.submit(x.name)\n", `{steps: {` + asTwo + `}}} as e`},
		"one that may change":   {two + "x = Experiment(ws, 'e')\nif y:\n    x.name = 'f'\np = Pipeline(ws, [a, b])\np.submit(x.name)\n", `{steps: {` + asTwo + `}}}`},
		"another library's":     {"from sklearn.pipeline import Pipeline\nPipeline([('a', b)])\n", ``},
		"what a step runs in": {"rc = RunConfiguration()\nrc.framework = 'R'\na = PythonScriptStep('a.py', runconfig=rc)\nPipeline(ws, steps=[a])\n",
			`{framework: "R"}; {steps: {a: {type: "PythonScriptStep", script_name: "a.py"}}}`},
		"a list that grows in a loop": {two + "all = []\nfor s in x:\n    all.append(a)\nPipeline(ws, steps=all)\n", `{steps: <all>, steps: {` + asTwo + `}}}`},
		"no steps":                    {"Pipeline(ws)\n", ``},
	} {
		testkit.Same(t, test.want, strings.Join(read(imports+"from azureml.data import *\nfrom azureml.data.data_reference import *\n"+test.program), "; "), name)
	}
}
