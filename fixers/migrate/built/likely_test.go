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
		"by way of a function":                      {"got(os.getenv('N', 'x'))", "def got(name):\n    return ComputeTarget(ws, name)\n", "x"},
		"by way of a function that is called twice": {"got(os.getenv('N', 'x'))", "def got(name):\n    return ComputeTarget(ws, name)\ngot('y')\n", ""},
	} {
		things := Read(source.New("go.py", []byte("import argparse, os\nfrom azureml.core import *\nfrom azureml.core.compute import *\nargs = parser.parse_args()\n"+test.rest+"ScriptRunConfig('.', 'a.py', compute_target="+test.value+")\n")), ".")
		if len(things) != 1 {
			t.Fatalf("%s: %d things", name, len(things))
		}
		l, ok := things[0].Usually(things[0].Root.Get("target (not a literal)"))
		got := ""
		if ok {
			got = l.Value.Value
		}
		testkit.Same(t, test.want, got, name)
	}
}
