package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/schema/testkit"
)

const twoTargets = `
-- aml_config/gpuvm.compute --
type: remotedocker
-- aml_config/local.compute --
type: local
-- aml_config/train.runconfig --
Target: local
`

// offered returns the words that amlfix offers at the end of a command line.
func offered(t *testing.T, dir string, words ...string) (list []string) {
	t.Helper()
	r := amlfix(t, dir, append([]string{cli.CompleteWord}, words...)...)
	if r.code != 0 || r.err != "" {
		t.Errorf("%q: %+v", words, r)
	}
	for line := range strings.Lines(r.out) {
		word, _, ok := strings.Cut(line, "\t")
		if !ok {
			t.Errorf("%q: %q has no tab", words, line)
		}
		list = append(list, word)
	}
	return list
}

func TestComplete(t *testing.T) {
	dir := testkit.Folder(t, twoTargets)
	tests := []struct {
		line string // words, with the cursor after the last one
		want string
	}{
		{"exp", "explain"},
		{"explain wheel/", "wheel/platform wheel/python-tag wheel/license"},
		{"explain wheel/platform ", ""},
		{"--app", "--apply"},
		{"--apply --di", "--diff"},
		{"check --app", "--apply"},
		{"check src --fa", "--fail-on"},
		{"--format ", "text concise json sarif github gitlab junit checkstyle markdown"},
		{"targets --format ", "text json"},
		{"check --format js", "json"},
		{"check --format = js", "json"},
		{"targets --format =", "text json"},
		{"--fail-on w", "warning"},
		{"--color a", "auto always"},
		{"--gpu ", "gpuvm local"},
		{"check --gpu g", "gpuvm"},
		{"run -t ", "gpuvm local docker azureml k8s"},
		{"--cpu g", "gpuvm"},
		{"migrate -c ", "train"},
		{"migrate --to ", "v2 v1 compose k8s skypilot"},
		{"attach ", "remotedocker cluster remote localdocker"},
		{"attach --type l", "localdocker"},
		{"attach remotedocker -", "--name -n --type --address -a --username -u --gpu --image --use-azureml-ssh-key -k --private-key-file --private-key-passphrase --password -w --templates --cluster --help"},
		{"completion f", "fish"},
		{"help ru", "run runs rules"},
		{"--statis", "--statistics"},
		{"--wat", "--watch"},
		{"--select gpu/cpu-", "gpu/cpu-package gpu/cpu-wheel"},
		{"--ignore whee", "wheel wheel/platform wheel/python-tag wheel/license"},
		{"explain whee", "wheel wheel/platform wheel/python-tag wheel/license"},
		{"rules --format ", "text json"},
		{"schema sdk", "sdk-runconfig"},
		{"projects/", ""},
		{"check ", ""},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			if d := cmp.Diff(strings.Fields(tt.want), offered(t, dir, strings.Split(tt.line, " ")...)); d != "" && tt.want != "" {
				t.Error(d)
			} else if tt.want == "" && len(offered(t, dir, strings.Split(tt.line, " ")...)) > 0 {
				t.Errorf("offers %q, want nothing", offered(t, dir, strings.Split(tt.line, " ")...))
			}
		})
	}
	if got := offered(t, dir, `""`); len(got) < 7 {
		t.Errorf("PowerShell's empty word is offered %q", got)
	}
}

// TestHostileCompletions: bash inserts what it is offered into the command line, and the next Enter would run it.
func TestHostileCompletions(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"gpu-1.a_b=c", "gpü", "gpu\u0308", "$(touch x)", "a b", "a;id", "a`id`", "a|b", "a>b", "a&", "~", "a*", "#a", "a'b", "a\"b", "a\nb", "a\tb", "a\x1b[31m", "a\u202eb", "a\u00a0b", "a“b", "=a", "a!b", "{a,b}", "a\\b"} {
		testkit.Write(t, dir, "aml_config/"+name+".compute", "type: local\n")
		testkit.Write(t, dir, "aml_config/"+name+".runconfig", "Target: local\n")
	}
	for _, line := range []string{"--gpu ", "run -c "} { // to shells that quote: not what they do not quote, or cannot be seen
		r := amlfix(t, dir, append([]string{cli.QuotingWord}, strings.Split(line, " ")...)...)
		if strings.Count(r.out, "\n") != 18 || strings.ContainsAny(r.out, "\x1b\u202e~\u00a0") || strings.HasPrefix(r.out, "=") {
			t.Errorf("%s\n%s", line, r.out)
		}
		testkit.Same(t, []string{"gpu-1.a_b=c", "gpu\u0308", "gpü"}, slices.Sorted(slices.Values(offered(t, dir, strings.Split(line, " ")...))), "%s", line)
	}
}

// program returns a folder that contains a program named amlfix, to put on PATH.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	testkit.OK(t, err)
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nexport %s=1\nexec '%s' \"$@\"\n", asMain, self)
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "amlfix"), []byte(script), 0o755))
	return dir
}

// TestBashCompletion loads the script into a real bash and simulates pressing Tab: it calls the function that bash
// calls.
func TestBashCompletion(t *testing.T) {
	dir := testkit.Folder(t, twoTargets)
	lines := []string{
		"amlfix exp",
		"amlfix --gpu g",
		"amlfix check --format js",
		"amlfix check --format = js", // as bash splits --format=js
		"amlfix attach remoted",
		"amlfix explain gpu/nv",
		"amlfix nothing-like-it",
	}
	want := "explain\ngpuvm\njson\njson\nremotedocker\ngpu/nvidia-docker\n\n"
	script := `source <(amlfix completion bash)
complete -p amlfix >/dev/null || exit 9
for line; do
    COMP_WORDS=($line); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _amlfix
    echo "${COMPREPLY[@]}"
done`
	cmd := exec.Command("bash", append([]string{"--norc", "-c", script, "bash"}, lines...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+program(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if d := cmp.Diff(want, string(out)); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
}

// TestOtherShellsReadTheirScripts runs in the shells that are installed.
func TestOtherShellsReadTheirScripts(t *testing.T) {
	dir := testkit.Folder(t, twoTargets)
	testkit.Write(t, dir, "aml_config/my $(gpu).compute", "type: local\n")
	for shell, script := range map[string]string{
		"zsh":  `source <(amlfix completion zsh) && (( $+_comps[amlfix] )) && print -l $_comps[amlfix]`,
		"fish": `amlfix completion fish | source; complete -C 'amlfix --gpu g'; complete --escape -C 'amlfix --gpu my\ '`,
	} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not here: its script was not run", shell)
			continue
		}
		args := []string{"-c", script}
		if shell == "zsh" {
			args = append([]string{"-f"}, args...)
		}
		cmd := exec.Command(path, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "PATH="+program(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		want := map[string]string{"zsh": "_amlfix", "fish": "gpuvm\tremotedocker\nmy\\ \\$\\(gpu\\)"}[shell]
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s: %q, %v, want %q", shell, out, err, want)
		}
	}
}
