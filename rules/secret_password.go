package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

var secretPassword = Rule{
	ID:       "secret/password",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "The file contains a password.",
	Why: `The file goes wherever the project goes: into the repository, its history, every clone and every copy. The
Azure ML tools wrote a reference instead, "AzureMlSecret=…", and kept the password in the computer's credential store.`,
	Remedy: "With --unsafe, clears the value, or removes it from v2 files. Also change the password, because everyone who had the file has it.",
	Facts:  []string{"credentials", "secret_shapes"},
	Bad: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
password: correct-horse-battery
`,
	Good: `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
password: AzureMlSecret=vm#me#0123456789abcdef0123456789abcdef
`,
	Check: func(p *Pass) {
		for _, t := range p.Project.Targets {
			checkPassword(p, t.Password(), emptiedPassword, "this password can be read by everyone who gets the file: remove it, change it, and log in with an SSH key")
		}
		for _, j := range p.Project.Jobs {
			for _, field := range j.Passwords {
				checkPassword(p, field, emptiedPassword, "this secret can be read by everyone who gets the file: remove it, change it, and store it in the workspace")
			}
		}
		for _, c := range p.Project.V2Computes {
			checkPassword(p, c.Password, removedPassword, "this password can be read by everyone who gets the file: remove it, change it, and log in with ssh_key_value")
		}
	},
}

// emptiedPassword returns the fix for a password whose format allows an empty value at its key.
func emptiedPassword(field schema.Field) *finding.Fix {
	return field.Fix(finding.Scalar{Kind: finding.Null}, finding.Unsafe, "clear the value")
}

// removedPassword returns the fix for a format that requires text at the key, or does not have the key.
func removedPassword(field schema.Field) *finding.Fix {
	return finding.NewFix(finding.Unsafe, "remove the password", finding.Change{Op: finding.RemoveEntry, File: field.File.Path, Pointer: field.Node.Pointer()})
}

func checkPassword(p *Pass, field schema.Field, fix func(schema.Field) *finding.Fix, message string) {
	n := field.Node.Resolve()
	if !field.Explicit || n.Kind != document.Scalar || catalog.CredentialKind(n.Value) != catalog.CredentialLiteral {
		return
	}
	if field.File.Stream.Repaired {
		p.report(field.Location(message), nil)
		return
	}
	p.report(field.Location(message), fix(field))
}
