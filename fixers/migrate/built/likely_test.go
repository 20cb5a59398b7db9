package built

import (
	"testing"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestUsually checks which defaults are read for values that are known only when a program starts.
func TestUsually(t *testing.T) {
	for name, test := range map[string]struct{ value, rest, want string }{
		"an option":                                 {"args.n", "parser.add_argument('--n', default=3)\n", "3"},
		"one whose name has a dash":                 {"args.n_m", "parser.add_argument('-n', '--n-m', type=int, default=3)\n", "3"},
		"one with a dest":                           {"args.n", "parser.add_argument('--other', dest='n', default='x')\nparser.add_argument('--n', dest='m', default='y')\n", "x"},
		"one that is not given by default":          {"args.n", "parser.add_argument('--n')\n", ""},
		"one without a value":                       {"args.n", "parser.add_argument('--n', default=None)\nparser.add_argument('--m', default=3)\n", ""},
		"one that two parsers have":                 {"args.n", "parser.add_argument('--n', default=3)\nother.add_argument('--n', default=4)\n", ""},
		"an attribute of something else":            {"other.n", "parser.add_argument('--n', default=3)\n", ""},
		"by way of a name":                          {"x", "parser.add_argument('--n', default=3)\nx = int(args.n)\n", "3"},
		"a variable":                                {"os.environ.get('N', 'x')", "", "x"},
		"a variable by another function":            {"os.getenv('N', default='x')", "", "x"},
		"a variable without a default":              {"os.getenv('N')", "", ""},
		"a call of something else":                  {"my.getenv('N', 'x')", "", ""},
		"the name of a target":                      {"ComputeTarget(ws, os.getenv('N', 'x'))", "", "x"},
		"a target that is found in two ways":        {"c", "n = os.getenv('N', 'x')\nif n in ws.compute_targets:\n    c = ws.compute_targets[n]\nelse:\n    c = DsvmCompute(ws, n)\n", "x"},
		"a target that runs no commands":            {"c", "c = HDInsightCompute(ws, os.getenv('N', 'x'))\n", ""},
		"another that runs none":                    {"BatchCompute(ws, os.getenv('N', 'x'))", "", ""},
		"a target of Kubernetes":                    {"KubernetesCompute(ws, os.getenv('N', 'x'))", "", "x"},
		"two targets":                               {"c", "if f():\n    c = ComputeTarget(ws, os.getenv('N', 'x'))\nelse:\n    c = ComputeTarget(ws, os.getenv('M', 'x'))\n", ""},
		"a target with two defaults":                {"c", "if f():\n    c = ComputeTarget(ws, os.getenv('N', 'x'))\nelse:\n    c = ComputeTarget(ws, os.getenv('N', 'y'))\n", ""},
		"a target that is not known in one case":    {"c", "if f():\n    c = ComputeTarget(ws, os.getenv('N', 'x'))\nelse:\n    c = f()\n", ""},
		"by way of a function":                      {"got(os.getenv('N', 'x'))", "def got(name):\n    return ComputeTarget(ws, name)\n", "x"},
		"an attribute that is set":                  {"args.n", "parser.add_argument('--n', default=3)\nargs.n = 4\n", ""},
		"another attribute that is set":             {"args.n", "parser.add_argument('--n', default=3)\nargs.m = 4\nconfig = RunConfiguration()\nconfig.n = args.n\n", "3"},
		"one that is set by another name":           {"args.n", "parser.add_argument('--n', default=3)\nopts = args\nopts.n = 4\n", ""},
		"one that a function sets":                  {"args.n", "parser.add_argument('--n', default=3)\ndef fix(opts):\n    opts.n = 4\nfix(args)\n", ""},
		"one that is added to":                      {"args.n", "parser.add_argument('--n', default=3)\nargs.n += 4\n", ""},
		"one that a loop sets":                      {"args.n", "parser.add_argument('--n', default=3)\nfor args.n in [1, 2]:\n    f()\n", ""},
		"one that is opened":                        {"args.n", "parser.add_argument('--n', default=3)\nwith f() as args.n:\n    f()\n", ""},
		"one that is deleted":                       {"args.n", "parser.add_argument('--n', default=3)\ndel args.n\n", ""},
		"one that setattr sets":                     {"args.n", "parser.add_argument('--n', default=3)\nsetattr(args, 'n', 4)\n", ""},
		"one that is set as an item":                {"args.n", "parser.add_argument('--n', default=3)\nd = vars(args)\nd['n'] = 4\n", ""},
		"arguments that are set again":              {"args.n", "parser.add_argument('--n', default=3)\nargs = f(args)\n", ""},
		"another default":                           {"args.n", "parser.add_argument('--n', default=3)\nparser.set_defaults(n=4)\n", ""},
		"other defaults":                            {"args.n", "parser.add_argument('--n', default=3)\nparser.set_defaults(**f())\n", ""},
		"the default of another option":             {"args.n", "parser.add_argument('--n', default=3)\nparser.set_defaults(m=4)\n", "3"},
		"a variable that is set":                    {"os.environ.get('N', 'x')", "os.environ['N'] = 'y'\n", ""},
		"a variable that is set by a name":          {"os.environ.get('N', 'x')", "k = 'N'\nos.environ[k] = 'y'\n", ""},
		"a variable that may be set":                {"os.environ.get('N', 'x')", "os.environ[f()] = 'y'\n", ""},
		"another variable that is set":              {"os.environ.get('N', 'x')", "os.environ['M'] = os.environ['N']\nos.environ.setdefault('M', 'y')\nos.putenv('M', 'y')\n", "x"},
		"a variable that is deleted":                {"os.environ.get('N', 'x')", "del os.environ['N']\n", ""},
		"a variable with another default":           {"os.getenv('N', 'x')", "os.environ.setdefault('N', 'y')\n", ""},
		"variables that are set together":           {"os.getenv('N', 'x')", "os.environ.update(N='y')\n", ""},
		"variables that are merged":                 {"os.getenv('N', 'x')", "os.environ |= f()\n", ""},
		"variables by another name":                 {"os.getenv('N', 'x')", "env = os.environ\nenv['N'] = 'y'\n", ""},
		"a variable that putenv sets":               {"os.getenv('N', 'x')", "os.putenv('N', 'y')\n", ""},
		"a parameter that its function sets":        {"got(os.getenv('N', 'x'))", "def got(name):\n    if name == 'x':\n        name = f()\n    return ComputeTarget(ws, name)\n", ""},
		"an option of a parameter":                  {"f()", "parser.add_argument('--n', default=3)\ndef main(opts):\n    ScriptRunConfig('.', 'a.py', compute_target=opts.n)\nmain(parser.parse_args())\n", "3"},
		"an option that a function reads":           {"opts.n", "def parse_args():\n    p = ArgumentParser()\n    p.add_argument('--n', default=3)\n    opts = p.parse_args()\n    return opts\nopts = parse_args()\n", "3"},
		"an option of something else":               {"opts.n", "def load():\n    return f()\nparser.add_argument('--n', default=3)\nopts = load()\n", ""},
		"functions that return each other's":        {"opts.n", "def s():\n    return t()\ndef t():\n    return s()\nparser.add_argument('--n', default=3)\nopts = s()\n", ""},
		"by way of a function that is called twice": {"got(os.getenv('N', 'x'))", "def got(name):\n    return ComputeTarget(ws, name)\ngot('y')\n", ""},
	} {
		things := Read(source.New("go.py", []byte("import argparse, os\nfrom azureml.core import *\nfrom azureml.core.compute import *\nargs = parser.parse_args()\n"+test.rest+"ScriptRunConfig('.', 'a.py', compute_target="+test.value+")\n")), ".")
		if len(things) == 0 {
			t.Fatal(name)
		}
		l, ok := things[0].Usually(things[0].Root.Get("target (not a literal)"))
		got := ""
		if ok {
			got = l.Value.Value
		}
		testkit.Same(t, test.want, got, name)
	}
}
