package migrate_test

import (
	"strings"
	"testing"
)

// TestScriptsThatCannotRun checks that everything that certainly makes a script fail leads to a decision, and that a
// script without just that does not.
func TestScriptsThatCannotRun(t *testing.T) {
	python := func(version, script string, packages ...string) string {
		return conda(script, append([]string{"- python=" + version, "- pip=24.0", "- pip:"}, append([]string{"  - numpy"}, packages...)...)...)
	}
	on := func(script string) string { return python("3.11", script) }
	named := func(name, script string) string {
		return strings.ReplaceAll(strings.Replace(on(script), "-- train.py --", "-- "+name+" --", 1), "script: train.py", "script: "+name)
	}
	command := func(line string) string {
		return strings.Replace(on("import numpy"), "script: train.py", "command: "+line, 1)
	}
	const cells = `{"cells": [{"cell_type": "code", "source": ["print(1)"]}], "nbformat": 4}`
	const why = "MIGRATION.md: "
	pkg := "-- pkg/__init__.py --\n-- pkg/one.py --\nx = 1\n"
	needs := "import argparse\np = argparse.ArgumentParser()\np.add_argument('--data', required=True)\np.parse_args()\n"
	checkWorked(t, []worked{
		{name: "a notebook", project: named("train.ipynb", cells), open: "script", has: []string{why + "train.ipynb, a notebook, whose cells Python does not run", why + "--answer script=train.py", "job-job.yml: DECIDE"}},
		{name: "the script made of it", project: named("train.ipynb", cells) + "-- train.py --\n", answers: "script=train.py", has: []string{"job-job.yml: command: python train.py\n"}},
		{name: "a notebook all the same", project: named("train.ipynb", cells), answers: "script=train.ipynb"},
		{name: "a notebook in a command", project: command("python a.ipynb") + "-- a.ipynb --\n" + cells, open: "rewrite", has: []string{why + "a.ipynb is a notebook, whose cells Python does not run"}},
		{name: "a notebook that Jupyter runs", project: command("jupyter nbconvert --execute a.ipynb") + "-- a.ipynb --\n" + cells},
		{name: "a script of the shell", project: named("train.sh", "echo done\n"), open: "rewrite", has: []string{why + "train.sh:1 has two values side by side"}},
		{name: "a script of R", project: named("train.R", "x <- 1\n"), open: "rewrite", has: []string{why + "train.R is an R script by its name"}},
		{name: "a script of R in R", project: strings.Replace(named("train.R", "x <- 1\n"), "target: cpu", "target: cpu\nframework: R", 1)},
		{name: "a program of another name", project: named("train.txt", "x = 1\n")},

		{name: "a bracket", project: on("x = (1\nprint(x)\n"), open: "rewrite", has: []string{why + "train.py:1 has a `(` that is never closed"}},
		{name: "brackets", project: on("x = (1)\nprint(x)\n")},
		{name: "an indentation", project: on("def f():\npass\n"), open: "rewrite", has: []string{why + "indentation that Python refuses"}},
		{name: "a shell's command", project: on("!pip install x\n"), open: "rewrite", has: []string{why + "not valid Python"}},
		{name: "in a module", project: on("import helper\n") + "-- helper.py --\nx = = 1\nx =\n", open: "rewrite", has: []string{why + "helper.py:2 has a line that ends with `=`"}},
		{name: "in another script", project: on("") + "-- other.py --\nx =\n"},
		{name: "quotes of 3.12", project: on("print(f'{x['a']}')\n"), open: "rewrite", has: []string{why + "3.12 or later"}},
		{name: "quotes of 3.12 there", project: python("3.12", "print(f'{x['a']}')\n"), answers: "python=3.12"},

		{name: "a module that is gone", project: python("3.12", "import os, imp\n"), answers: "python=3.12", open: "rewrite", has: []string{why + "train.py:1 imports imp, which Python 3.12 removed"}},
		{name: "a module that is going", project: on("import imp\n")},
		{name: "a module that is brought", project: python("3.13", "import cgi\n", "  - legacy-cgi"), answers: "python=3.13"},
		{name: "a module of the project's", project: python("3.12", "import imp\n") + "-- imp.py --\n", answers: "python=3.12"},
		{name: "if it is there", project: python("3.12", "try:\n    import imp\nexcept ImportError:\n    pass\n"), answers: "python=3.12"},
		{name: "a module that setuptools has", project: python("3.12", "import distutils\n"), answers: "python=3.12"},
		{name: "a module that comes", project: python("3.10", "import tomllib\n"), answers: "python=3.10", open: "rewrite", has: []string{why + "imports tomllib, which needs Python 3.11 or later"}},
		{name: "a module of Python 2", project: on("import sys, urllib2\n"), open: "rewrite", has: []string{why + "| train.py:1 | `import urllib2`: a module of Python 2 | urllib.request |"}},
		{name: "a module of Python 2 of the project's", project: on("import Queue\n") + "-- Queue.py --\n"},
		{name: "a function of Python 2", project: on("for i in xrange(3):\n    print(i)\n"), open: "rewrite"},
		{name: "a function of its own", project: on("def xrange(n):\n    return range(n)\nfor i in xrange(3):\n    print(i)\n")},
		{name: "a function that is set", project: on("xrange = range\nfor i in xrange(3):\n    print(i)\n")},
		{name: "a method", project: on("x.xrange(3)\n"), lacks: []string{why + "xrange("}},
		{name: "a name that is gone", project: on("from collections import OrderedDict, Mapping\n"), open: "rewrite", has: []string{why + "from collections.abc import Mapping"}},
		{name: "a name elsewhere", project: on("from collections.abc import Mapping\nfrom collections import OrderedDict\n")},
		{name: "a clock", project: on("import time\ntime.clock()\n"), open: "rewrite"},
		{name: "another clock", project: on("import mine as time\ntime.clock()\n")},

		{name: "an import from no package", project: on("from . import helper\n") + "-- helper.py --\n", open: "rewrite", has: []string{why + "Python starts it as part of none"}},
		{name: "in a package", project: on("import pkg.two\n") + pkg + "-- pkg/two.py --\nfrom . import one\nfrom .one import x\n"},
		{name: "in a package that lacks it", project: on("import pkg.two\n") + pkg + "-- pkg/two.py --\nfrom .three import x\n", open: "rewrite", has: []string{why + "pkg/two.py:1 imports three from the package pkg, which does not have it"}},
		{name: "a missing submodule", project: on("from pkg.sub import x\n") + pkg, open: "rewrite", has: []string{why + "train.py:1 imports sub from the package pkg, which does not have it"}},
		{name: "a missing name", project: on("from pkg.one import y\n") + pkg, open: "rewrite", has: []string{why + "imports y from pkg/one.py, which does not have it"}},
		{name: "a name of a module", project: on("from helper import y as x\n") + "-- helper.py --\nx = 1\n", open: "rewrite", has: []string{why + "imports y from helper.py"}},
		{name: "what is there", project: on("from pkg.one import (\n    x,\n)\nfrom pkg import one\nimport pkg.one as o, json\n") + pkg},
		{name: "made when it is imported", project: on("from pkg import sub\n") + "-- pkg/__init__.py --\n__path__.append('/x')\n"},
		{name: "no package of the project's", project: on("from pkg import sub\n") + "-- pkg/one.py --\n"},
		{name: "another folder of modules", project: on("import sys\nsys.path.insert(0, 'lib')\nfrom pkg import sub\n") + pkg},
		{name: "a compiled part", project: on("from pkg import sub\n") + pkg + "-- pkg/sub.pyx --\n"},
		{name: "a generated part", project: on("from pkg import sub_pb2\n") + pkg},

		{name: "the SDK's other packages", project: on("from azureml.train.dnn import TensorFlow\n"), open: "rewrite", has: []string{why + "and the environment has no package of SDK v1"}},
		{name: "with them", project: python("3.11", "from azureml.train.dnn import TensorFlow\n", "  - azureml-train-core")},
		{name: "for SDK v1", to: "v1", project: strings.Replace(on("from azureml.train.dnn import TensorFlow\n"), "script: train.py\ntarget: cpu", "ArgumentVector: [train.py]\nTarget: local\nPrepareEnvironment: true", 1)},
		{name: "a removed module of Keras", project: python("3.11", "from keras.utils import np_utils\n", "  - keras"), open: "rewrite"},

		{name: "Workbench's folder on Spark", project: on("import os, pyspark\nx = os.environ['AZUREML_NATIVE_SHARE_DIRECTORY']\n"), open: "rewrite", has: []string{why + "train.py:2 reads AZUREML_NATIVE_SHARE_DIRECTORY, which a Spark job does not set"}, lacks: []string{"job-job.yml: share"}},
		{name: "Workbench's folder", project: on("import os\nx = os.environ['AZUREML_NATIVE_SHARE_DIRECTORY']\n"), has: []string{"job-job.yml: export AZUREML_NATIVE_SHARE_DIRECTORY="}},

		{name: "an encoding that nothing says", project: on("s = '\xe9'\n"), open: "rewrite", has: []string{why + "train.py cannot be read by Python 3: it is not UTF-8"}},
		{name: "an encoding", project: on("# coding: latin-1\ns = '\xe9'\n")},
		{name: "a module that a command starts", project: command("python -m pkg.gone") + pkg, open: "command", has: []string{why + "Will the command find pkg.gone?"}},
		{name: "one that is there", project: command("python -m pkg.one") + pkg},
		{name: "a web service", project: strings.Replace(endpoint, "return data", "return data)", 1), open: "rewrite model", has: []string{why + "score.py:5 has a `)` that has no opening bracket", "deployment-score.yml: # DECIDE: the script fails"}},
		{name: "a web service that runs", project: endpoint, open: "model"},

		{name: "an argument that is needed", project: on(needs), open: "arguments", has: []string{why + "train.py needs --data, and ends with an error without it", "job-job.yml: DECIDE"}},
		{name: "among computed ones", project: strings.Replace(builder, "-- train.py --\n", "-- train.py --\n"+needs, 1) + "ScriptRunConfig('.', 'train.py', arguments=f(), compute_target='cpu', environment=Environment('e'))\n", open: "arguments", lacks: []string{why + "train.py needs --data"}},
		{name: "given", project: on(needs), answers: "arguments=--data=x", has: []string{"job-job.yml: command: python train.py --data=x\n"}},
		{name: "given, and wrong", project: on(needs), answers: "arguments=--date=x", open: "rewrite", has: []string{why + "train.py has no option --date=x"}},
		{name: "none after all", project: on(needs), answers: "arguments=none", open: "rewrite", has: []string{why + "train.py needs --data"}},
		{name: "in the run configuration", project: strings.Replace(on(needs), "target: cpu", "target: cpu\narguments: [--data, x]", 1)},
		{name: "data", project: strings.Replace(on(needs), "target: cpu", "target: cpu\narguments: [--data=/data/raw/x]\ndataReferences: {raw: {dataStoreName: s, pathOnDataStore: a, pathOnCompute: /data/raw}}", 1),
			has: []string{"job-job.yml: command: python train.py --data=${{inputs.raw}}/x\n"}},
		{name: "another one", project: strings.Replace(on(needs), "target: cpu", "target: cpu\narguments: [--data, x, --more, 1]", 1), open: "rewrite", has: []string{why + "train.py has no option --more"}},
		{name: "one that may be read elsewhere", project: strings.Replace(on(strings.Replace(needs, "parse_args", "parse_known_args", 1)), "target: cpu", "target: cpu\narguments: [--data, x, --more, 1]", 1)},
	})
}
