//go:build linux

package python_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestRefused checks that what is rejected has a word in the reason, and that Python 3.11 itself rejects exactly those
// texts.
func TestRefused(t *testing.T) {
	cases := []struct{ text, why string }{
		{"x = (1,\nprint(2)\n", "`(` that is never closed"},
		{"x = 1)\n", "no opening bracket"},
		{"x = (1]\n", "no opening bracket"},
		{"x = 'a\n", "does not end"},
		{"x = \"\"\"a\n", "does not end"},
		{"x = 1 \\ 2\n", "does not end"},
		{"x = 1\\", "does not end"},
		{"def f():\npass\n", "indentation"},
		{"x = 1\n  y = 2\n", "indentation"},
		{"if x:\n    y\n  z\n", "indentation"},
		{"def f():\n    # nothing\n", "indentation"},
		{"echo done\n", "side by side"},
		{"x = 1 y\n", "side by side"},
		{"f(x) y\n", "side by side"},
		{"x = 'a' y\n", "side by side"},
		{"import os print(1)\n", "side by side"},
		{"import os for k in os.environ: print(k)\n", "side by side"},
		{"import a as b import c\n", "side by side"},
		{"x = f(1) return x\n", "side by side"},
		{"type X = int\n", "side by side"},
		{"pip install $x\n", "side by side"},
		{"run($x)\n", "not valid Python"},
		{"!pip install x\n", "not valid Python"},
		{"%matplotlib inline\n", "begins with `%`"},
		{"<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n", "begins with `<<`"},
		{"<html>\n", "begins with `<`"},
		{"x =\n", "ends with `=`"},
		{"if x\n    y\n", "indentation"},
		{"while x; y\n", "without a colon"},
		{"print(f'{x['a']}')\n", "3.12 or later"},
		{"def f[T](x): pass\n", "3.12 or later"},
		{"print(f'{x[\"a\"]}', f'{{{x}}}', f'{\"{\"}')\n", ""},
		{"x = 1if y else 2\n", ""},
		{"x = 'a' 'b' f'c'\n", ""},
		{"match x:\n    case 1: pass\n", ""},
		{"match = case = type = 1\nmatch.x\n", ""},
		{"if (n := 1): pass\n", ""},
		{"try:\n    pass\nexcept* OSError:\n    pass\n", ""},
		{"@f\nasync def g(*, a, **k) -> int: return 1_0 .real, 0x1f, 1e-5j, .5\n", ""},
		{"x: int = ...\nfrom a import *\n*a, b = c,\n-x\n", ""},
		{"if x:\n\ty\nelse: z; w\n", ""},
		{"\ufeff# x\r\nx = 1\r\n", ""},
		{"x = \\\r\n1\n", ""},
		{"try: from a import b\nexcept E: b = None\n", ""},
		{"if x > (3, 8): from a import b, c\nelse: from . import d\n", ""},
		{"def f(): from a import (b)\n", ""},
		{"x = (a for a in b)\nasync def f(): return [a async for a in b]\n", ""},
		{"x = \"a\\\r\nb\" \\\r\n 'c\\\r\n\\\r\n'\r\n", ""},
		{"x = 'a\\\r\nb\r\n", "does not end"},
		{"", ""},
	}
	var texts []string
	for _, c := range cases {
		texts = append(texts, c.text)
		f, ok := python.Refused(c.text, 11)
		if ok != (c.why != "") || !strings.Contains(f.Why, c.why) || f.At > len(c.text) {
			t.Errorf("%q: %v %+v, want %q", c.text, ok, f, c.why)
		}
	}
	for i, refused := range compiled(t, texts) {
		if refused != (cases[i].why != "") {
			t.Errorf("%q: Python rejects it: %v", cases[i].text, refused)
		}
	}
}

// TestRefusedByVersion covers code that depends on the version, and code that Python 2 accepted.
func TestRefusedByVersion(t *testing.T) {
	for text, until := range map[string]int{"x = f'{a['b']}'\n": 12, "if (n := 1): pass\n": 8, "match x:\n    case 1: pass\n": 10, "try: pass\nexcept* E: pass\n": 11, "type X = int\n": 12, "class A[T]: pass\n": 12, "lazy import a\n": 15} {
		for _, minor := range []int{0, until - 1, until} {
			if f, ok := python.Refused(text, minor); ok != (minor == until-1) {
				t.Errorf("%q for 3.%d: %v %+v", text, minor, ok, f)
			}
		}
	}
	for _, text := range []string{"print 'a', x\n", "exec 'a' in b\n", "raise E, 'x'\n", "try: pass\nexcept E, e: pass\n", "x = 0777L\n", "if x <> `y`: print >>f, x\n"} {
		if f, ok := python.Refused(text, 0); ok {
			t.Errorf("%q: %+v", text, f)
		}
	}
}

// TestRefusedLibrary checks, for Python's own library and slices of it, that nothing that Python compiles is rejected,
// and that most slices that it does not compile are.
func TestRefusedLibrary(t *testing.T) {
	out, err := exec.Command(judge.Python(t), "-c", "import glob,os,json; print(json.dumps([open(f,encoding='utf-8').read() for f in sorted(glob.glob(os.path.join(os.path.dirname(os.__file__),'*.py')))]))").Output()
	testkit.OK(t, err)
	var whole, texts []string
	testkit.OK(t, json.Unmarshal(out, &whole))
	for _, text := range whole {
		texts = append(texts, text)
		lines := strings.SplitAfter(text, "\n")
		for at := 0; at+60 < len(lines); at += 331 {
			texts = append(texts, strings.Join(lines[at:at+60], ""))
		}
	}
	broken, found := 0, 0
	for i, refused := range compiled(t, texts) {
		f, ok := python.Refused(texts[i], 11)
		if ok && !refused {
			t.Errorf("Python takes it: %+v\n%.400s", f, texts[i][f.At:])
		}
		if refused {
			broken++
			if ok {
				found++
			}
		}
	}
	if len(whole) < 100 || found*10 < broken*8 {
		t.Errorf("%d of %d are found, in %d files", found, broken, len(whole))
	}
}

// compiled returns, for each text, whether Python refuses to compile it.
func compiled(t *testing.T, texts []string) (refused []bool) {
	t.Helper()
	const program = `
import json, sys, warnings
warnings.simplefilter("ignore")
def refused(text):
    try:
        compile(text.encode(), "x", "exec")
    except (SyntaxError, ValueError):
        return True
    return False
print(json.dumps([refused(t) for t in json.load(sys.stdin)]))`
	cmd := exec.Command(judge.Python(t), "-I", "-c", program)
	in, err := json.Marshal(texts)
	testkit.OK(t, err)
	cmd.Stdin = strings.NewReader(string(in))
	out, err := cmd.Output()
	testkit.OK(t, err)
	testkit.OK(t, json.Unmarshal(out, &refused))
	return refused
}
