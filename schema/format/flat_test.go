package format

import (
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFlat checks what a mapping in place of one value is repaired to.
func TestFlat(t *testing.T) {
	const job = "command: echo\nenvironment: azureml:e:1\ninputs:\n"
	for _, c := range []struct{ text, want string }{
		{job + "  a:\n    type: boolean\n    default: true\n  b: 1\n", "safe: " + job + "  a: true\n  b: 1\n"},
		{job + "  a: {type: string, default: \"b: c\"}\n", "safe: " + job + "  a: \"b: c\"\n"},
		{job + "  a: {type: string, default: '3'}\n", "safe: " + job + "  a: '3'\n"},
		{job + "  a: {type: string, default: 3}\n", ""},
		{job + "  a: {type: number, default: 3}\n", "safe: " + job + "  a: 3\n"},
		{job + "  \"a\" :\r\n    type: integer\r\n    default: 3 # three\r\n", "safe: " + job + "  \"a\" : 3 # three\r\n"},
		{job + "  a:\n    description: b\n    type: integer\n    default: 3\n", "unsafe: " + job + "  a: 3\n"},
		{job + "  a:\n    type: integer # b\n    default: 3\n", ""},
		{job + "  a: &b\n    type: integer\n    default: 3\n  c: *b\n", ""},
		{job + "  a: {type: integer}\n", ""},
		{job + "  a: {type: string, default: null}\n", ""},
		{job + "  a: {type: string, default: \"b\n      c\"}\n", ""},
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
