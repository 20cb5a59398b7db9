package citest

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// action is the part of action.yml that the test reads.
type action struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct{ Steps []step }
}

type step struct {
	ID, Name, Uses, Shell, Run, If string
	With, Env                      map[string]string
	Dir                            string `yaml:"working-directory"`
}

// runner runs a composite action's steps as GitHub's runner does, as far as ours needs it.
type runner struct {
	t       *testing.T
	context map[string]string // values of expressions: "inputs.paths"
	paths   []string          // added to PATH
	used    []step            // third-party actions, which are not run
	log     string
	summary string
}

// The expressions for the base commit of an event.
const (
	pullRequest = "github.event.pull_request.base.sha"
	mergeQueue  = "github.event.merge_group.base_sha"
)

// act runs the action in a workspace; ok means that no step failed. It reuses an amlfix that an earlier run installed
// in temp, the runner's folder.
func act(t *testing.T, temp, workspace string, inputs map[string]string) (r *runner, ok bool) {
	t.Helper()
	text := testkit.Read(t, top(t), "action.yml")
	var a action
	testkit.OK(t, yaml.Unmarshal([]byte(text), &a))
	r = &runner{t: t}
	r.context = map[string]string{"github.action_path": top(t), "github.action_ref": "v1.2.3", "runner.temp": temp}
	for _, name := range []string{pullRequest, mergeQueue} {
		r.context[name] = inputs[name] // "" for other events, as on GitHub
	}
	for name, input := range a.Inputs {
		r.context["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		if name == pullRequest || name == mergeQueue {
			continue
		}
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("the action has no input %s", name)
		}
		r.context["inputs."+name] = value
	}
	ok = true
	for _, s := range a.Runs.Steps {
		if s.If != "" && r.eval(s.If) != "true" || !ok {
			continue
		}
		for key, value := range s.With {
			s.With[key] = r.eval(value)
		}
		if s.Uses != "" {
			r.used = append(r.used, s)
			continue
		}
		ok = r.step(workspace, s)
	}
	for name, output := range a.Outputs {
		r.context["outputs."+name] = r.eval(output.Value)
	}
	return r, ok
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// eval evaluates the expressions in a text, each a value or its comparison with a word.
func (r *runner) eval(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		words := strings.Fields(expression.FindStringSubmatch(e)[1])
		value, known := r.context[words[0]]
		if !known && !strings.HasPrefix(words[0], "steps.") {
			r.t.Fatalf("unknown expression %s", e)
		}
		if len(words) == 3 && words[1] == "==" {
			value = map[bool]string{true: "true", false: "false"}[value == strings.Trim(words[2], "'")]
		}
		return value
	})
}

var goInstall = regexp.MustCompile(`(?m)^.* go install .*$`)

// step runs one script, as with "shell: bash".
func (r *runner) step(workspace string, s step) (ok bool) {
	r.t.Helper()
	if strings.Contains(s.Run, "${{") || s.Shell != "bash" {
		r.t.Fatalf("step %s: expressions in a script let inputs become code", s.Name)
	}
	script := s.Run
	if bin := s.Env["BIN"]; bin != "" {
		if _, err := os.Stat(filepath.Join(r.eval(bin), "amlfix")); err == nil {
			script = goInstall.ReplaceAllString(script, "")
		}
	}
	dir := r.t.TempDir()
	files := map[string]string{"GITHUB_OUTPUT": "", "GITHUB_PATH": "", "GITHUB_STEP_SUMMARY": ""}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = filepath.Join(workspace, r.eval(s.Dir))
	cmd.Env = buildEnv("GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+workspace,
		"PATH="+strings.Join(append(r.paths, os.Getenv("PATH")), string(os.PathListSeparator)))
	for name := range files {
		testkit.Write(r.t, dir, name, "")
		cmd.Env = append(cmd.Env, name+"="+filepath.Join(dir, name))
	}
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+r.eval(value))
	}
	out, err := cmd.CombinedOutput()
	r.log += string(out)
	for line := range strings.Lines(testkit.Read(r.t, dir, "GITHUB_OUTPUT")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		r.context["steps."+s.ID+".outputs."+name] = value
	}
	r.paths = append(r.paths, strings.Fields(testkit.Read(r.t, dir, "GITHUB_PATH"))...)
	r.summary += testkit.Read(r.t, dir, "GITHUB_STEP_SUMMARY")
	return err == nil
}

// uses returns the third-party actions that would have run.
func (r *runner) uses() (list []string) {
	for _, s := range r.used {
		name, _, _ := strings.Cut(s.Uses, "@")
		list = append(list, name)
	}
	return list
}

func TestAction(t *testing.T) {
	t.Parallel()
	const setup, upload = "actions/setup-go", "github/codeql-action/upload-sarif"
	workspace, temp := t.TempDir(), t.TempDir()
	for name, text := range scratch {
		testkit.Write(t, workspace, "team a/"+name, text)
	}
	testkit.Write(t, workspace, "team a/warn/aml_config/x.compute", "type: local\npythonLocaton: python\n")
	testkit.Git(t, workspace, "init", "-q", "-b", "main")
	testkit.Git(t, workspace, "add", "-A")
	testkit.Git(t, workspace, "commit", "-qm", "one")
	in := func(more ...string) map[string]string {
		m := map[string]string{"working-directory": "team a"}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	for _, tt := range []struct {
		name     string
		inputs   map[string]string
		status   string
		uses     []string
		reported []string // findings, as rules
	}{
		{"faulty", in(), "1", []string{setup, upload}, []string{"schema/value", "schema/unknown-key"}},
		{"correct", in("paths", "jobs"), "0", []string{setup, upload}, nil},
		{"several paths", in("paths", "jobs\nother\n"), "1", []string{setup, upload}, []string{"schema/value"}},
		{"nothing fails it", in("fail-on", "never"), "0", []string{setup, upload}, []string{"schema/value", "schema/unknown-key"}},
		{"warnings fail it", in("paths", "warn", "max-warnings", "0"), "1", []string{setup, upload}, []string{"schema/unknown-key"}},
		{"nothing changed", in("since", "main"), "0", []string{setup, upload}, nil},
		{"flags", in("paths", "warn", "args", "--fail-on  warning"), "1", []string{setup, upload}, []string{"schema/unknown-key"}},
		{"wrong flags", in("args", "--no-such-flag"), "2", []string{setup}, nil},
		{"wrong revision", in("since", "nowhere"), "2", []string{setup}, nil},
		{"wrong path", in("paths", "nowhere\njobs"), "3", []string{setup, upload}, nil},
		{"no upload", in("upload-sarif", "false", "sarif-file", "b.sarif"), "1", []string{setup}, []string{"schema/value", "schema/unknown-key"}},
		{"an attack", in("paths", "$(touch pwned)\n`touch pwned`", "args", "* ; touch pwned", "since", "$(touch pwned)"), "3", []string{setup, upload}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_ = os.Remove(filepath.Join(workspace, "team a", "amlfix.sarif"))
			r, ok := act(t, temp, workspace, tt.inputs)
			if got := r.context["outputs.exit-status"]; got != tt.status || ok != (tt.status == "0") {
				t.Errorf("exit status %s, want %s; ok: %v\n%s", got, tt.status, ok, r.log)
			}
			testkit.Same(t, tt.uses, r.uses())
			if got := len(regexp.MustCompile(`(?m)^::(error|warning) file=team a/`).FindAllString(r.log, -1)); got != len(tt.reported) {
				t.Errorf("%d annotations, want %d:\n%s", got, len(tt.reported), r.log)
			}
			for _, rule := range tt.reported {
				if !strings.Contains(r.log, "["+rule+"]") || !strings.Contains(r.summary, "["+rule+"](https://") {
					t.Errorf("%s is not reported:\n%s%s", rule, r.log, r.summary)
				}
			}
			if _, err := os.Stat(filepath.Join(workspace, "team a", "pwned")); err == nil {
				t.Error("text of an input was run")
			}
			if slices.Contains(tt.uses, upload) {
				checkUpload(t, workspace, r, len(tt.reported))
			}
		})
	}
}

// checkUpload checks what is passed to code scanning.
func checkUpload(t *testing.T, workspace string, r *runner, findings int) {
	t.Helper()
	with := r.used[len(r.used)-1].With
	var log struct {
		Runs []struct {
			Tool    struct{ Driver struct{ Version string } }
			Results []struct {
				Level     string
				Locations []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				}
			}
		}
	}
	testkit.OK(t, json.Unmarshal([]byte(testkit.Read(t, workspace, with["sarif_file"])), &log))
	n := 0
	for _, result := range log.Runs[0].Results {
		if uri := result.Locations[0].PhysicalLocation.ArtifactLocation.URI; !strings.HasPrefix(uri, "team%20a/") {
			t.Errorf("%s does not start at the top of the repository", uri)
		}
		if result.Level != "note" {
			n++
		}
	}
	if n != findings || log.Runs[0].Tool.Driver.Version != "1.2.3" {
		t.Errorf("%d findings, want %d, of version %s", n, findings, log.Runs[0].Tool.Driver.Version)
	}
}

// TestActionSchema validates action.yml, and everything that the documentation tells people to paste, against the
// schemas published by the services.
func TestActionSchema(t *testing.T) {
	t.Parallel()
	bin := tooltest.Python(t)
	files := map[string][]string{"vendor.github-actions": {filepath.Join(top(t), "action.yml")}}
	for schema, text := range snippets(t) {
		for _, s := range text {
			dir := t.TempDir()
			testkit.Write(t, dir, "snippet.yml", s)
			files[schema] = append(files[schema], filepath.Join(dir, "snippet.yml"))
		}
	}
	for _, schema := range slices.Sorted(maps.Keys(files)) {
		out, err := exec.Command(filepath.Join(bin, "check-jsonschema"), append([]string{"--builtin-schema", schema, "--regex-variant", "nonunicode"}, files[schema]...)...).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", schema, err, out)
		}
	}
	if len(files) != 4 {
		t.Errorf("the documents show %d services, want 3", len(files)-1)
	}
}

// snippets returns the workflows in the CI guide by their schema: a comment in the first line names the file for which
// they are meant.
func snippets(t *testing.T) map[string][]string {
	t.Helper()
	of := map[string]string{"# .github/workflows/": "vendor.github-workflows", "# .gitlab-ci.yml": "vendor.gitlab-ci", "# azure-pipelines.yml": "vendor.azure-pipelines"}
	found := map[string][]string{}
	parts := strings.Split(testkit.Read(t, top(t), "docs/ci.md"), "```yaml\n")
	for _, part := range parts[1:] {
		text, _, _ := strings.Cut(part, "```")
		for begin, schema := range of {
			if strings.HasPrefix(text, begin) {
				found[schema] = append(found[schema], text)
			}
		}
	}
	return found
}
