package check

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestUnreadSettings checks what looks like settings but is not read, and what only seems to.
func TestUnreadSettings(t *testing.T) {
	const tool = "[tool.amlfix] in pyproject.toml"
	for files, want := range map[string]string{
		"-- amlfix.yaml --\nignore: [gpu]\n":                "amlfix.yaml",
		"-- .amlfix.toml --\n":                              ".amlfix.toml",
		"-- AmlFix.YML --\n":                                "AmlFix.YML",
		"-- .amlfx.yaml --\n":                               ".amlfx.yaml",
		"-- pyproject.toml --\n[tool.amlfix]\n":             tool,
		"-- pyproject.toml --\n[x]\n[tool.amlfix.severity]": tool,

		"-- amlfix.yml --\ntype: command\ncommand: echo\nenvironment: {image: x}\ncompute: azureml:c\n": "",
		"-- .amlfix.yaml --\n": "", "-- .amlfix/runs/x --\n": "", "-- amlfix.yaml.sample --\n": "", "-- .amlfix-baseline.yaml --\n": "",
		"-- amlfix --\n": "", "-- amlfix.md --\n": "", "-- amlfix.sh --\n": "", "-- .helmfix.yaml --\n": "", "-- .prefix.yml --\n": "", "-- .aml.yaml --\n": "",
		"-- pyproject.toml --\n# see [tool.amlfix]\n[tool.amlfix-old]\n": "",
	} {
		e := &Engine{Dir: testkit.Folder(t, "\n"+files)}
		if got := e.UnreadSettings(); got != want {
			t.Errorf("%s: %q", files, got)
		}
	}
}
