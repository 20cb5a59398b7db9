package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

var v2SchemaMissing = Rule{
	ID:       "v2/schema-missing",
	Severity: finding.Info,
	Since:    "2026-11-22",
	Doc:      "An Azure ML v2 file names no schema, or there is none at the address.",
	Why: `The Azure ML client needs no "$schema", but editors check and complete a file only if it names one. Without
it, only the keys show what kind of file it is.`,
	Remedy: "Corrects a typo in the address. With --unsafe, adds the address if the keys leave no doubt about the kind of file.",
	Bad: `
-- job.yml --
command: python -V
environment: azureml:env:1
compute: azureml:gpu
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:env:1
compute: azureml:gpu
`,
	Check: func(p *Pass) {
		for _, f := range p.shared.v2 {
			if e, ok := schema.AddressEntry(f.Root()); ok {
				p.misspeltSchema(schema.FieldAt(f, f.Root().Resolve(), e.Key.Value))
				continue
			}
			kind := f.V2
			if kind == "job" && p.runInPipeline(f) {
				kind = "component" // its keys fit both
			}
			address := kind.Schema(f.Root())
			if address == "" || !f.Root().IsMapping() {
				continue
			}
			p.report(schema.FieldAt(f, f.Root(), "$schema").Location(fmt.Sprintf(
				"this file has no $schema, so editors do not check it: write $schema: %s on its first line", address)), p.addSchema(f, kind, address))
		}
	},
}

// misspeltSchema reports the address of a schema that is nearly that of a published one.
func (p *Pass) misspeltSchema(at schema.Field) {
	address := at.File.V2.Schema(at.File.Root())
	if d := plain.DistanceWithin(at.Text, address, maxSlips); address == "" || d == 0 || d > maxSlips {
		return
	}
	p.report(at.Location("there is no schema at this address, so editors do not check the file: did you mean "+address+"?"),
		at.Fix(finding.Text(address), finding.Safe, "write "+address))
}

// maxSlips is the number of letters by which an address may differ from the one that was meant; those of two schemas
// differ by more.
const maxSlips = 2

// addSchema returns the fix that adds the address of a schema, or nil if a job may be meant as a component or the key
// cannot be written.
func (p *Pass) addSchema(f *schema.File, kind schema.V2Kind, address string) *finding.Fix {
	root := f.Root()
	doubt := kind == "job" && root.Get("name") != nil && root.Get("compute") == nil && root.Get("experiment_name") == nil
	if doubt || !root.IsMapping() || f.Stream.Repaired || !f.Stream.Exact || len(f.Stream.Documents) != 1 {
		return nil
	}
	return finding.NewFix(finding.Unsafe, "add the address of its schema", finding.Change{Op: finding.InsertEntry,
		File: f.Path, Key: "$schema", Value: finding.Text(address), First: root.Style != document.Flow})
}
