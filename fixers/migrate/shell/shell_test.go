package shell

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/testkit"
)

// run passes a command line to a real sh and returns the arguments that it parses.
func run(t *testing.T, line string) []string {
	t.Helper()
	script := `show() { for a in "$@"; do printf '%s\0' "$a"; done; }; show ` + line
	out, err := exec.CommandContext(context.Background(), "sh", "-c", script).Output()
	if err != nil {
		t.Fatalf("sh -c %q: %v", script, err)
	}
	list := strings.Split(string(out), "\x00")
	return list[:len(list)-1]
}

func TestJoin(t *testing.T) {
	tests := []struct {
		argv []string
		want string
	}{
		{[]string{"python", "train.py"}, "python train.py"},
		{[]string{"python", "train.py", "--name", "two words"}, "python train.py --name 'two words'"},
		{[]string{"python", "it's"}, `python 'it'\''s'`},
		{[]string{"python", ""}, "python ''"},
		{[]string{"python", "~", "*.csv", "$HOME", "$(x)", "`x`"}, "python '~' '*.csv' '$HOME' '$(x)' '`x`'"},
		{[]string{"python", "${{inputs.x}}"}, "python '$''{{inputs.x}}'"},
		{[]string{"python", "A=B", "ünïcode"}, "python A=B 'ünïcode'"},
		{[]string{"A=B", "x"}, "'A=B' x"},
	}
	for _, test := range tests {
		got := Join(test.argv)
		testkit.Same(t, test.want, got, "Join(%q)", test.argv)
		testkit.Same(t, test.argv, run(t, got), "sh reads %q otherwise", got)
	}
}

// TestExpansion checks that the shell reads each text unchanged after Azure ML has put it in place of the expression.
func TestExpansion(t *testing.T) {
	for _, texts := range [][]string{{""}, {"a b", "3, 3"}, {"{'n': 1}", "it's"}, {`{"n": 1}`}, {"$HOME", "*", `a\b`}} {
		word := Expansion("${{inputs.x}}", texts)
		for _, text := range texts {
			testkit.Same(t, []string{text}, run(t, strings.Replace(word, "${{inputs.x}}", text, 1)), "%s for %q", word, texts)
		}
	}
}

func TestNoExpressionIsLeft(t *testing.T) {
	for _, arg := range []string{"${{x}}", "'${{x}}'", "$${{x}}", "${{${{x}}}}", "$'{{"} {
		if line := Join([]string{"python", arg}); strings.Contains(line, "${{") {
			t.Errorf("Join(%q) = %s, in which Azure ML sees an expression", arg, line)
		}
	}
}

func FuzzJoin(f *testing.F) {
	for _, seed := range []string{"", "a b", "'", "\\", "\n", "\t", "$x ${{y}}", "\"", "!x", "-n", "\r\n", "é", "#x"} {
		f.Add(seed, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.ContainsRune(a+b, 0) || !utf8.ValidString(a+b) {
			t.Skip("no argument holds a NUL, and no YAML file bytes that are not UTF-8")
		}
		line := Join([]string{"python", a, b})
		if strings.Contains(line, "${{") {
			t.Errorf("%q holds an expression", line)
		}
		testkit.Same(t, []string{"python", a, b}, run(t, line), "sh reads %q otherwise", line)
	})
}
