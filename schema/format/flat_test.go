package format

import (
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFlat checks what a mapping in place of one value is repaired to.
func TestFlat(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"command: echo\nenvironment:\n  name: a\n  version: '@latest'\ncode: .\n", "unsafe: command: echo\nenvironment: azureml:a@latest\ncode: .\n"},
		{"command: echo\nenvironment:\n  name: azureml:a-0.24@latest\n  version: 1\n", "unsafe: command: echo\nenvironment: azureml:a-0.24@latest\n"},
		{"command: echo\nenvironment: {name: a, version: latest}\n", "unsafe: command: echo\nenvironment: azureml:a@latest\n"},
		{"command: echo\nenvironment: {name: a}\n", "unsafe: command: echo\nenvironment: azureml:a@latest\n"},
		{"command: echo\nenvironment: {name: a, version: \"1.5\"}\n", "unsafe: command: echo\nenvironment: azureml:a:1.5\n"},
		{"command: echo\nenvironment: {name: a b, version: 1}\n", ""},
		{"command: echo\nenvironment: {name: a, version: 1, tags: {b: c}}\n", ""},
	} {
		src := source.New("job.yml", []byte(c.text))
		got := ""
		for _, f := range Validate("v2-job", src, document.Parse(src).Root()) {
			if f.Fix != nil {
				change := f.Fix.Changes[0]
				got = string(f.Fix.Applicability) + ": " + c.text[:change.Offset] + change.Value.Text + c.text[change.Offset+len(change.Old):]
			}
		}
		testkit.Same(t, c.want, got, c.text)
	}
}
