package rules

import (
	"fmt"
	"slices"
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
	Remedy: "With --unsafe, writes the address of the schema that the keys belong to, or the type of a deployment on Kubernetes.",
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
				otherHost(p, f)
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

// otherHost reports an online endpoint or deployment that names the schema for Kubernetes while its keys make it a
// managed one, or the reverse. The Azure ML client (azure-ai-ml 1.35.2) goes by type and compute alone.
func otherHost(p *Pass, f *schema.File) {
	root := f.Root().Resolve()
	if f.V2 != "online-deployment" && f.V2 != "online-endpoint" || root.Merges() {
		return
	}
	at, host := schema.FieldAt(f, root, "$schema"), schema.FieldAt(f, root, "compute")
	add := "compute: azureml:NAME, with the name of the cluster"
	var fix *finding.Fix
	if f.V2 == "online-deployment" {
		host, add = schema.FieldAt(f, root, "type"), "type: kubernetes"
		if host.Key != nil && !slices.Contains([]string{"managed", "kubernetes"}, strings.ToLower(host.Text)) {
			return // schema/value reports the type
		}
		fix = host.Fix(finding.Text("kubernetes"), finding.Unsafe, "add type: kubernetes")
	}
	address, named := f.V2.Schema(root), at.Text[strings.LastIndexByte(at.Text, '/')+1:]
	switch managed := strings.Contains(address, "/managed"); {
	case managed && strings.HasPrefix(named, "kubernetes") && host.Key == nil:
		p.report(at.Location("this schema is for Kubernetes, but Azure ML goes by the keys, and they are those of a managed endpoint: add "+add), fix)
	case managed && strings.HasPrefix(named, "kubernetes"), !managed && address != "" && strings.HasPrefix(named, "managed"):
		p.report(at.Location("this schema does not fit the keys, so editors report correct keys as errors: write "+address),
			at.Fix(finding.Text(address), finding.Unsafe, "write "+address))
	}
}

// kindWords returns the name of a v2 kind for messages, such as "an online deployment".
func kindWords(kind schema.V2Kind) string {
	words := strings.ReplaceAll(string(kind), "-", " ")
	if strings.ContainsRune("aeiou", rune(words[0])) {
		return "an " + words
	}
	return "a " + words
}
