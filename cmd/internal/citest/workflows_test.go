package citest

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/setup"
	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWorkflows checks the workflows, the action and the workflow that amlfix init writes with actionlint and zizmor,
// and proves that both can find something.
//
//testkit:norace
func TestWorkflows(t *testing.T) {
	actionlint := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", append([]string{"run", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12", "-shellcheck=", "-pyflakes="}, args...)...)
		cmd.Dir = top(t)
		cmd.Env = buildEnv()
		return cmd.CombinedOutput()
	}
	zizmor := func(args ...string) ([]byte, error) {
		cmd := exec.Command(filepath.Join(tooltest.Python(t), "zizmor"), append([]string{"--offline", "--no-progress"}, args...)...)
		cmd.Dir = top(t)
		return cmd.CombinedOutput()
	}
	if out, err := actionlint(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := zizmor(".github", "action.yml"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	folder := t.TempDir()
	written, wrong := filepath.Join(folder, "amlfix.yml"), filepath.Join(folder, "w.yml")
	testkit.Write(t, folder, "amlfix.yml", string(setup.Workflow(strings.Repeat("0", 40), "main")))
	if out, err := actionlint(written); err != nil {
		t.Errorf("actionlint: %v\n%s", err, out)
	}
	if out, err := zizmor(written); err != nil {
		t.Errorf("zizmor: %v\n%s", err, out)
	}
	checkout := regexp.MustCompile(`actions/checkout@\w+ # v[\d.]+`).FindString(testkit.Read(t, written))
	testkit.Has(t, testkit.Read(t, top(t), ".github/workflows/test.yml"), "uses: "+checkout+"\n")
	testkit.Write(t, folder, "w.yml", "name: w\non: pull_request_target\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: actions/checkout@v4\n      - run: echo ${{ github.event.pull_request.title }}\n")
	if out, err := actionlint(wrong); err == nil || !strings.Contains(string(out), "potentially untrusted") {
		t.Errorf("actionlint: %v\n%s", err, out)
	}
	if out, err := zizmor(wrong); err == nil || !strings.Contains(string(out), "template-injection") || !strings.Contains(string(out), "unpinned-uses") {
		t.Errorf("zizmor: %v\n%s", err, out)
	}
}

// naming matches what names a version of amlfix in the documentation or in a file that others use.
var naming = regexp.MustCompile(`amlfix(?:/amlfix)?(?:@v?|==|:v?)(\d+\.\d+\.\d+)|(?:rev|tag): *v(\d+\.\d+\.\d+)|releases/download/v(\d+\.\d+\.\d+)`)

// TestOneVersion checks that the documentation, the hooks and the action name only the version in pyproject.toml, and
// none before the first release.
func TestOneVersion(t *testing.T) {
	m := regexp.MustCompile(`(?m)^version = "(\d+\.\d+\.\d+)(\.dev0)?"$`).FindStringSubmatch(testkit.Read(t, top(t), "pyproject.toml"))
	if m == nil {
		t.Fatal("pyproject.toml names no version X.Y.Z or X.Y.Z.dev0")
	}
	version, released := m[1], m[2] == ""
	names := testkit.Glob(t, top(t), "docs", "*.md")
	for _, name := range []string{"README.md", "action.yml", ".pre-commit-hooks.yaml", "cmd/python/README.md", "cmd/python/pyproject.toml", "cmd/python/hook.py", ".goreleaser.yaml", "editors/vscode/README.md"} {
		names = append(names, filepath.Join(top(t), name))
	}
	for _, name := range names {
		for _, found := range naming.FindAllStringSubmatch(testkit.Read(t, name), -1) {
			if got := strings.Join(found[1:], ""); !released || got != version {
				t.Errorf("%s: %s; the version is %s (pyproject.toml), released: %v", name, found[0], version, released)
			}
		}
	}
	readme := testkit.Read(t, top(t), "README.md")
	if unreleased := strings.Contains(readme, "There is no release yet"); unreleased == released {
		t.Errorf("README.md says that there is no release: %v, and pyproject.toml says the reverse", unreleased)
	}
	for text, want := range map[string]bool{
		"pip install amlfix==1.2.3": true, "uses: amlfix/amlfix@v1.2.3": true, "  rev: v1.2.3": true, "ghcr.io/amlfix/amlfix:1.2.3": true, "uvx amlfix@1.2.3": true,
		"https://github.com/amlfix/amlfix/releases/download/v1.2.3/x": true, "tensorflow==1.2.3": false, "amlfix 1.2.3": false,
	} {
		if naming.MatchString(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
