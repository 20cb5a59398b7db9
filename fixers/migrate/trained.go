package migrate

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// trained reads what HyperDrive itself wrote to an output of its step: a file of the best run, which the command of the
// trial copies now, or the metrics of all runs, which v2 has elsewhere.
func (p *pipelineReader) trained(j *Job, d *Data, t *document.Node) {
	if t == nil {
		return
	}
	kind, file := schema.FieldAt(p.f, t, "type"), schema.FieldAt(p.f, t, "model_file")
	if file.Explicit && plainText(file.Node) {
		d.Type, d.File = "uri_file", schema.Slashes(file.Text)
		p.m.Ledger.Map(j.Name, "the command copies it to `outputs."+d.Name+"`", "", kind, file)
	}
	p.m.Ledger.DropRest(j.Name, trialMetrics, kind, file)
}
