package migrate

import (
	"github.com/amlfix/amlfix/fixers/migrate/built"
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
	switch {
	case !file.Explicit:
		p.m.Ledger.Drop(j.Name, trialMetrics, kind)
	case oneProcess(j.Source):
		d.Type, d.File = "uri_file", schema.Slashes(file.Text)
		p.m.Ledger.Map(j.Name, "the command copies it to `outputs."+d.Name+"`", "", kind, file)
	default:
		p.m.Ledger.Drop(j.Name, "each process of a trial would copy it: let one process write it", kind, file)
		p.m.unread = append(p.m.unread, ScriptIssue{File: p.f.Rel, Line: p.f.Source.LineAt(file.Node.Span.Start), What: "TrainingOutput(model_file)"})
	}
}

// oneProcess reports whether a job certainly runs on one node, in one process.
func oneProcess(s *schema.Job) bool {
	return s != nil && s.Distribution() == schema.NoDistribution && (!s.Nodes.Explicit || s.Nodes.Text == "1") && s.File.Root().Get("nodeCount"+built.NotLiteral) == nil &&
		(s.Target == nil || !s.Target.NodeCount().Explicit)
}
