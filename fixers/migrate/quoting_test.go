package migrate_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// migrated returns the job that a project with one run configuration becomes.
func migrated(t *testing.T, runConfig []byte, answers map[string]migrate.Answer) map[string]any {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "aml_config", "job.runconfig")
	target := filepath.Join(dir, "aml_config", "docker.compute")
	p := schema.Load(schema.Root{Dir: dir, Boundary: dir}, schema.Options{}).With(map[string][]byte{
		name: runConfig, target: []byte("type: localdocker\nbaseDockerImage: python:3.11\n"),
	})
	m, err := migrate.New(p, v2.Emitter{}, migrate.Options{Answers: answers})
	testkit.OK(t, err)
	for _, f := range m.Files {
		if strings.HasPrefix(f.Path, "job-") {
			var job map[string]any
			if err := yaml.Unmarshal(f.Text, &job); err != nil {
				t.Fatalf("%v\n%s", err, f.Text)
			}
			return job
		}
	}
	t.Fatal("no job was written")
	return nil
}

// seenByPython runs a job's command in a real sh, with a python that prints its arguments.
func seenByPython(t *testing.T, command string) []string {
	t.Helper()
	script := `python() { for a in "$@"; do printf '%s\0' "$a"; done; }; ` + command
	out, err := exec.CommandContext(context.Background(), "sh", "-c", script).Output()
	if err != nil {
		t.Fatalf("sh -c %q: %v", script, err)
	}
	words := strings.Split(string(out), "\x00")
	return words[:len(words)-1]
}

// checkArguments checks that a script gets the run configuration's arguments unchanged through YAML and shell. It
// returns false for arguments that look like a secret, which are not copied.
func checkArguments(t *testing.T, args []string) bool {
	t.Helper()
	return checkVector(t, append([]string{"train.py"}, args...))
}

// checkVector is checkArguments for a script of any name.
func checkVector(t *testing.T, args []string) bool {
	t.Helper()
	job := migrated(t, migratetest.DockerRun(args), nil)
	command, _ := job["command"].(string)
	if strings.Contains(command, account.Marker) && !strings.Contains(strings.Join(args, " "), account.Marker) {
		return false
	}
	if strings.Contains(command, "${{") {
		t.Errorf("%q becomes %s, which Azure ML would evaluate", args, command)
	}
	testkit.Same(t, args, seenByPython(t, command), "%q becomes %s", args, command)
	return true
}

// TestVectors passes argument vectors through YAML to a real sh.
func TestVectors(t *testing.T) {
	for _, vector := range migratetest.Vectors() {
		if !checkVector(t, vector) {
			t.Errorf("%q was detected as a secret", vector)
		}
	}
}

// TestKeyIsASecretUntilAnswered checks that the migration asks for an argument that names a key, and that the answer
// reaches the script unchanged.
func TestKeyIsASecretUntilAnswered(t *testing.T) {
	want := []string{"train.py", "key: value"}
	if checkVector(t, want) {
		t.Error("it was copied")
	}
	job := migrated(t, []byte("Target: docker\nArgumentVector:\n- train.py\n- 'key: value'\n"), map[string]migrate.Answer{"secret-line-4": {Value: want[1], From: migrate.FromFlag}})
	command, _ := job["command"].(string)
	testkit.Same(t, want, seenByPython(t, command), command)
}

// TestArgumentsSurvive covers arguments that a shell, YAML, Azure ML, or careless string handling would change.
func TestArgumentsSurvive(t *testing.T) {
	for _, arg := range []string{
		"--lr", "0.01", "234", "-v", "two words", "it's", `a"b`, "*.csv", "$5", "$HOME", "${HOME}", "`date`", "$(date)", "a;b", "a&&b", "a|b", ">x", "<x",
		"#notacomment", "x #y", "~", "~/x", "", `back\slash`, `C:\temp\x.whl`, "line1\nline2", "tab\there", `{"a": [1, 2]}`, "--x=1 2", "!bang", "ünïcode", "日本",
		"-", "--", "name: value", "yes", "no", "010", "1e3", "null", "~", "0x1F", "1:30", "trailing ", " leading", "a  b", "%s", "[x]", "?", "A=B", "$$", "$(HOME)",
		"${{inputs.x}}", "'${{x}}'", "{{x}}", "\r\n", "a\\\nb", "@x", "&x", "*x", "%x", "'", "''", "\"", "\\", "\\'", "(x)", "x(", "{a,b}", "^x", "=", "a\u00a0b", "\u2028",
		"\u201cabc\u201d", "a\u200bb", "a\u00ad", "Q:\n",
	} {
		if !checkArguments(t, []string{"--before", arg, "after"}) {
			t.Errorf("%q was detected as a secret", arg)
		}
	}
}

// TestSourceTextOfScalars checks that numbers and words that YAML reads differently reach a script as they are written.
func TestSourceTextOfScalars(t *testing.T) {
	job := migrated(t, []byte("Target: docker\nArgumentVector: [train.py, 234, yes, 010, 1e3, null, ~, 0.10, 2018-01-01, 1_000, True]\n"), nil)
	want := "python train.py 234 yes 010 1e3 null '~' 0.10 2018-01-01 1_000 True"
	testkit.Same(t, want, job["command"])
}

func FuzzArgumentsSurvive(f *testing.F) {
	for _, seed := range []string{"a b", "'\"\\", "$x`y`", "${{z}}", "\n\t", "- x", "k: v", "é\u2028"} {
		f.Add(seed, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) || strings.ContainsAny(a+b, "\x00") || len(a+b) > 400 {
			t.Skip("no argument holds a NUL, and no file bytes that are not UTF-8")
		}
		if problems := document.Parse(source.New("", migratetest.DockerRun([]string{a, b}))).Problems; len(problems) == 1 && strings.Contains(problems[0].Message, "not the path") {
			t.Skip("a line break where a path of Windows would have a folder that begins with n:", problems[0].Message)
		}
		checkArguments(t, []string{a, b})
	})
}

// TestChosenFile checks what becomes of an argument that stands for the script named at submission.
func TestChosenFile(t *testing.T) {
	project := on(workbench("", ""), "[train.py]", "[train.py, $file, -x]") + "-- fit.py --\n"
	checkWorked(t, []worked{
		{name: "asked for", project: project, open: "argument-1", has: []string{"job-job.yml: command: python train.py DECIDE -x\n"}},
		{name: "answered", project: project, answers: "argument-1=fit.py", has: []string{"job-job.yml: command: python train.py fit.py -x\n"}},
		{name: "submitted", project: project + "-- README.md --\n```sh\naz ml experiment submit -c job fit.py\n```\n", has: []string{"job-job.yml: command: python train.py fit.py -x\n"}},
		{name: "in SDK v1", project: sdk("script: train.py\narguments: [$file]"), has: []string{"job-job.yml: command: python train.py '$file'\n"}},
	})
}
