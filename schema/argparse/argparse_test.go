package argparse_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/testkit"
)

const head = "import argparse\nimport sys\n"

// TestRead checks what is read from scripts: the names, "!" for required arguments, "?" for those that may not be
// defined, and how the arguments are parsed.
func TestRead(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"plain":                 {"p = argparse.ArgumentParser('x')\np.add_argument('--a', '-b', required=True)\np.parse_args()\n", "--a! certain"},
		"strings":               {"p = argparse.ArgumentParser()\np.add_argument(\"--\" 'a' \"\"\"b\"\"\", help=f'{x}' r'\\\\')\np.add_argument(('--c'))\np.parse_args()\n", "--ab --c certain"},
		"joined lines":          {"p = \\\n    argparse.ArgumentParser()\np.add_argument( # --no\n  '--a',\n  type=int, # x\n)\nargs = p.parse_args()\n", "--a certain"},
		"in a function":         {"def f():\n  p = argparse.ArgumentParser()\n  p.add_argument('--a')\n  return p.parse_args()\n\nif __name__ == '__main__':\n  a = f()\n", "--a certain"},
		"two functions":         {"def g():\n  f()\ndef f():\n  p = argparse.ArgumentParser()\n  p.add_argument('--a')\n  p.parse_args()\ng()\n", "--a certain"},
		"never called":          {"def f():\n  p = argparse.ArgumentParser()\n  p.add_argument('--a')\n  return p.parse_args()\n", "--a"},
		"called perhaps":        {"def f():\n  p = argparse.ArgumentParser()\n  p.parse_args()\nif x:\n  f()\n", ""},
		"in a try":              {"p = argparse.ArgumentParser()\ntry:\n  p.parse_args()\nexcept SystemExit:\n  pass\n", ""},
		"added perhaps":         {"p = argparse.ArgumentParser()\nif x:\n  p.add_argument('--a', required=True)\np.parse_args()\n", "--a!? certain"},
		"tolerates":             {"p = argparse.ArgumentParser()\np.add_argument('--a')\np.parse_known_args()\n", "--a tolerates certain"},
		"created and parsed":    {"def make():\n  p = argparse.ArgumentParser()\n  p.add_argument('--a')\n  return p\nmake().parse_args()\n", "--a certain"},
		"created, then changed": {"def main():\n  q = make()\n  q.add_argument('--b')\n  q.parse_args()\ndef make():\n  p = argparse.ArgumentParser()\n  p.add_argument('--a')\n  return p\nmain()\n", "--b --a certain"},
		"created if missing":    {"def make(p: argparse.ArgumentParser = None):\n  if p is None:\n    p = argparse.ArgumentParser()\n  p.add_argument('--a')\n  return p\ndef main(argv=None):\n  p = make()\n  p.parse_args(argv)\nmain()\n", "--a certain"},
		"of a class":            {"class A:\n  def __init__(self):\n    self.p = argparse.ArgumentParser()\n    self.p.add_argument('--a')\n    self.p.parse_args()\nA()\n", "--a"},
		"other names":           {"import argparse as ap\nfrom argparse import ArgumentParser as P\np = P()\np.add_argument('--a')\np.parse_args()\n", "--a certain"},
		"groups":                {"p = argparse.ArgumentParser()\ng = p.add_argument_group('x')\ng.add_argument('--a')\ng = p.add_mutually_exclusive_group(required=True)\ng.add_argument('--b')\np.parse_args()\n", "--a --b/2 certain"},
		"positional":            {"p = argparse.ArgumentParser()\np.add_argument('a')\np.add_argument(dest='b', nargs='*')\np.parse_args()\n", "a b certain"},
		"own arguments":         {"def main(argv=None):\n  p = argparse.ArgumentParser()\n  p.parse_args(argv)\nmain()\n", "certain"},
		"theirs":                {"def main(argv: list[str] | None = None) -> int:\n  p = argparse.ArgumentParser()\n  p.parse_args(argv)\nsys.exit(main(sys.argv[1:]))\n", "certain"},
		"exits in its own way":  {"p = argparse.ArgumentParser(exit_on_error=False)\np.add_argument('--a')\np.parse_args()\n", "--a"},
		"semicolons":            {"p = argparse.ArgumentParser(); p.add_argument('--a'); p.parse_args()", "--a certain"},
		"BOM and CRLF":          {"p = argparse.ArgumentParser()\r\np.add_argument('--a')\r\np.parse_args()\r\n", "--a certain"},
		"a type":                {"p: argparse.ArgumentParser = argparse.ArgumentParser()\np.add_argument('--a', type=lambda x: {'a': 1}[x])\np.parse_args()\n", "--a certain"},

		"a list":                  {"p = argparse.ArgumentParser()\np.parse_args([])\n", "silent"},
		"given a list":            {"def main(argv=None):\n  p = argparse.ArgumentParser()\n  p.parse_args(argv)\nmain(['--a'])\n", "silent"},
		"not None":                {"def main(argv):\n  p = argparse.ArgumentParser()\n  p.parse_args(argv)\nmain()\n", "silent"},
		"no parser":               {"print('ArgumentParser')\n", "silent"},
		"two":                     {"p = argparse.ArgumentParser()\nq = argparse.ArgumentParser()\np.parse_args()\n", "silent"},
		"not parsed":              {"p = argparse.ArgumentParser()\np.add_argument('--a')\n", "silent"},
		"subparsers":              {"p = argparse.ArgumentParser()\ns = p.add_subparsers()\np.parse_args()\n", "silent"},
		"parents":                 {"p = argparse.ArgumentParser(parents=[q])\np.parse_args()\n", "silent"},
		"another prefix":          {"p = argparse.ArgumentParser(prefix_chars='+')\np.parse_args()\n", "silent"},
		"from a file":             {"p = argparse.ArgumentParser(fromfile_prefix_chars='@')\np.parse_args()\n", "silent"},
		"handed on":               {"p = argparse.ArgumentParser()\nmodel.add(p)\np.parse_args()\n", "silent"},
		"passed on by name":       {"p = argparse.ArgumentParser()\nmodel.add(parser=p)\np.parse_args()\n", "silent"},
		"passed on to a function": {"def more(p):\n  p.add_argument('--a')\np = argparse.ArgumentParser()\nmore(p)\np.parse_args()\n", "silent"},
		"in a loop":               {"p = argparse.ArgumentParser()\nfor n in x:\n  p.add_argument('--' + n)\np.parse_args()\n", "silent"},
		"a computed name":         {"p = argparse.ArgumentParser()\np.add_argument(f'--{x}')\np.parse_args()\n", "silent"},
		"keywords":                {"p = argparse.ArgumentParser()\np.add_argument('--a', **k)\np.parse_args()\n", "silent"},
		"another extended":        {"def make(p=None):\n  if p is None:\n    p = argparse.ArgumentParser()\n  p.add_argument('--a')\n  return p\nmake(other()).parse_args()\n", "silent"},
		"passed on, not None":     {"def make(p=None, q=p):\n  p = argparse.ArgumentParser()\n  p.add_argument('--a')\n  return p\nmake().parse_args()\n", "silent"},
		"set again":               {"p = argparse.ArgumentParser()\np = other()\np.parse_args()\n", "silent"},
		"a subclass":              {"class P(argparse.ArgumentParser):\n  pass\np = P()\np.parse_args()\n", "silent"},
		"its own class":           {"from transformers import HfArgumentParser\np = HfArgumentParser(A)\np.parse_args_into_dataclasses()\n", "silent"},
		"click":                   {"import click\np = argparse.ArgumentParser()\np.parse_args()\n", "silent"},
		"changes argv":            {"sys.argv = sys.argv[:1]\np = argparse.ArgumentParser()\np.parse_args()\n", "silent"},
		"appends to argv":         {"sys.argv.append('--a')\np = argparse.ArgumentParser()\np.parse_args()\n", "silent"},
		"dest twice":              {"p = argparse.ArgumentParser()\np.add_argument('a', dest='a')\np.parse_args()\n", "silent"},
		"an open string":          {"p = argparse.ArgumentParser()\np.add_argument('--a)\np.parse_args()\n", "silent"},
		"a missing bracket":       {"p = argparse.ArgumentParser()\np.add_argument('--a'\np.parse_args()\n", "silent"},
		"wrong indentation":       {"if x:\n    a()\n  b()\np = argparse.ArgumentParser()\np.parse_args()\n", "silent"},
		"an empty block":          {"def f():\np = argparse.ArgumentParser()\np.parse_args()\n", "silent"},
	} {
		p, ok := argparse.Read([]byte(head + test.text))
		got := "silent"
		if ok {
			var parts []string
			for _, a := range p.Arguments[1:] {
				part := a.Name() + map[bool]string{true: "!"}[a.Required] + map[bool]string{true: "?"}[a.Maybe]
				if a.Group > 0 {
					part += fmt.Sprint("/", a.Group)
				}
				parts = append(parts, part)
			}
			for word, is := range map[string]bool{"tolerates": p.Tolerates} {
				if is {
					parts = append(parts, word)
				}
			}
			if p.Certain {
				parts = append(parts, "certain")
			}
			got = strings.Join(parts, " ")
		}
		testkit.Same(t, test.want, got, name)
	}
}

// TestMatchOpen covers words that are not known before the job runs: "*" is a word that may become several, "+" one
// word, "[a]" a word that may be omitted.
func TestMatchOpen(t *testing.T) {
	const script = head + `p = argparse.ArgumentParser()
p.add_argument("--data", required=True)
p.add_argument("--rate", type=float)
p.add_argument("--fast", action="store_true")
p.parse_args()
`
	parser, ok := argparse.Read([]byte(script))
	if !ok {
		t.Fatal("not read")
	}
	kinds := map[argparse.Kind]string{argparse.Unknown: "unknown", argparse.Ambiguous: "ambiguous", argparse.Valueless: "valueless", argparse.Overfull: "overfull",
		argparse.Missing: "missing", argparse.Surplus: "surplus", argparse.BadChoice: "choice", argparse.BadValue: "value"}
	for line, want := range map[string]string{
		"--data +":               "",
		"--data *":               "",
		"--data=+ --rate *":      "",
		"--rate +":               "missing --data",
		"*":                      "",
		"* --other a":            "unknown? --other",
		"--data + *":             "",
		"--data + --other * --x": "unknown --other, unknown --x",
		"[--data] [+]":           "missing? --data",
		"--data + [--other] [+]": "unknown? --other",
		"--data + [+]":           "surplus? +",
		"--data + + --fast":      "surplus +",
		"--rate x --data":        "value x, valueless --data",
		"--rate":                 "valueless --rate, missing --data",
		"--data + --fast=1":      "overfull --fast=1",
		"--help":                 "",
		"--dat + --ra 1":         "",
		"--rate -.5":             "missing --data",
		"--rate -1e-3":           "",
		"--rate -1_000 --x":      "",
		"-.5e3 --data":           "",
		"--data + -x1":           "unknown -x1",
	} {
		var words []argparse.Word
		for _, w := range strings.Fields(line) {
			word := argparse.Word{Optional: strings.HasPrefix(w, "[")}
			w = strings.Trim(w, "[]")
			word.Open, word.Several = strings.HasSuffix(w, "+") || w == "*", w == "*"
			word.Text = strings.TrimRight(w, "+*")
			words = append(words, word)
		}
		var got []string
		for _, f := range parser.Match(words) {
			text := f.Text
			if text == "" && f.Word >= 0 {
				text = "+"
			} else if f.Word < 0 {
				text = f.Arguments[0].Name()
			}
			got = append(got, kinds[f.Kind]+map[bool]string{true: "?"}[f.Uncertain]+" "+text)
		}
		testkit.Same(t, want, strings.Join(got, ", "), "%q", line)
	}
}

// TestLinear checks that the cost of reading a script is linear in its size.
func TestLinear(t *testing.T) {
	const start = head + "p = argparse.ArgumentParser()\n"
	for _, part := range []string{"p.add_argument('--a')\n", "p.add_argument(", "(", "'", "\"\"\"", "\\\n", "def f():\n p.parse_args(f)\nf(f)\n", "f'{", "if x:\n", "sys.argv[", "p", "p.x", ";", "a=",
		"def f(a=None, a=None):\n  p.parse_args(a)\n", "g = p.add_mutually_exclusive_group(required=True)\n", "f(", "p.add_argument((((((", "#\n", "\n ", "def f():\n return p\nf().", "'a' ", "def m():\n return p\np%d = m()\n", "import argparse as a%d\n"} {
		testkit.Linear(t, fmt.Sprintf("%q", part), 1<<16, func(size int) func() {
			text, words := []byte(start), make([]argparse.Word, size/25)
			for n := range size / len(part) {
				text = append(text, strings.ReplaceAll(part, "%d", strconv.Itoa(n))...)
			}
			return func() {
				parser, _ := argparse.Read(text)
				parser.Match(words)
			}
		})
	}
}

// TestManyNames checks that the cost of a command's words does not grow with the number of a script's arguments, of
// their names and of their choices.
func TestManyNames(t *testing.T) {
	for _, c := range []struct{ begin, piece, end, word string }{
		{"", "p.add_argument('--a%d')\n", "", "--b"},
		{"", "p.add_argument('-a%d')\n", "", "-a"},
		{"p.add_argument('--a', nargs='*', choices=['b'", ", 'c%d'", "])\n", "d"},
		{"p.add_argument('--a'", ", '--b%d'", ")\n", "--c"},
	} {
		testkit.Linear(t, c.piece+" "+c.word, 240, func(size int) func() {
			text := head + "p = argparse.ArgumentParser()\n" + c.begin
			for n := range size {
				text += strings.ReplaceAll(c.piece, "%d", strconv.Itoa(n))
			}
			parser, _ := argparse.Read([]byte(text + c.end + "p.parse_args()\n"))
			words := slices.Repeat([]argparse.Word{{Text: "--a"}, {Text: c.word}}, 10*size)
			return func() { parser.Match(words) }
		})
	}
}

// TestLoneDash checks a word of which only the dash is known, with a script that has no options of its own.
func TestLoneDash(t *testing.T) {
	parser, ok := argparse.Read([]byte(head + "p = argparse.ArgumentParser()\np.parse_args()\n"))
	if faults := parser.Match([]argparse.Word{{Text: "-", Open: true}}); !ok || len(faults) > 0 {
		t.Error(ok, faults)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"p.add_argument('--a', nargs=2, choices=['b'])", "g = p.add_argument_group()\ng.add_argument(\"-a\")", "def f(a=None):\n\tp.parse_args(a)\nf()"} {
		f.Add(seed, "--a b c=d -e -+")
	}
	f.Fuzz(func(t *testing.T, text, line string) {
		script := head + "p = argparse.ArgumentParser()\n" + text + "\np.parse_args()\n"
		p, ok := argparse.Read([]byte(script))
		if !ok {
			return
		}
		var words []argparse.Word
		for _, w := range strings.Fields(line) {
			words = append(words, argparse.Word{Text: strings.TrimRight(w, "+"), Open: strings.HasSuffix(w, "+"), Several: len(w) == 1, Optional: len(w) == 2})
		}
		for _, a := range p.Arguments {
			if a.At.Start < 0 || a.At.End > len(script) || len(a.Names) == 0 || a.Names[0] == "" {
				t.Fatalf("%q: %+v", text, a)
			}
		}
		for _, fault := range p.Match(words) {
			if fault.Word >= len(words) || fault.Word < 0 && len(fault.Arguments) == 0 {
				t.Fatalf("%q %q: %+v", text, line, fault)
			}
		}
	})
}
