package rules

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var v2SchemaMismatch = Rule{
	ID:       "v2/schema-mismatch",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "An Azure ML v2 file names the schema of another kind of file.",
	Why: `The Azure ML client does not look at "$schema": it reads the file as the command says. Editors do, and mark
correct keys as errors. amlfix checks the file as the kind that its keys belong to.`,
	Remedy: "With --unsafe, writes the address of the schema that the keys belong to.",
	Bad: `
-- environment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
name: training
image: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:20250601.v1
conda_file: conda.yml
-- conda.yml --
dependencies: [python=3.10, pip]
`,
	Good: `
-- environment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: training
image: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:20250601.v1
conda_file: conda.yml
-- conda.yml --
dependencies: [python=3.10, pip]
`,
	Check: func(p *Pass) {
		for _, f := range p.shared.v2 {
			named := f.Misnamed()
			if named == "" {
				continue
			}
			e, _ := schema.AddressEntry(f.Root()) // whose key may be misspelt
			at := schema.FieldAt(f, f.Root().Resolve(), e.Key.Value)
			message := fmt.Sprintf("this is the schema of %s, but the keys are those of %s, so editors report correct keys as errors", kindWords(named), kindWords(f.V2))
			var fix *finding.Fix
			if address := f.V2.Schema(f.Root()); address != "" {
				message += ": write " + address
				fix = at.Fix(finding.Text(address), finding.Unsafe, "write "+address)
			}
			p.report(at.Location(message), fix)
		}
	},
}

// kindWords returns the name of a v2 kind for messages, such as "an online deployment".
func kindWords(kind schema.V2Kind) string {
	words := strings.ReplaceAll(string(kind), "-", " ")
	if strings.ContainsRune("aeiou", rune(words[0])) {
		return "an " + words
	}
	return "a " + words
}
