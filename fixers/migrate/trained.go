package migrate

import (
	"slices"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// trained reads what HyperDrive itself wrote to an output of its step: a file of the best run, or the metrics of all
// runs. In v2, the output is that of the best trial, which writes it. It reports whether there is such an output.
func (p *pipelineReader) trained(j *Job, d *Data, v *document.Node) bool {
	t, file := v.Get("training_output"), schema.Field{}
	if t == nil {
		return true
	}
	to := schema.FieldAt(p.f, v, "destination")
	rest := []schema.Field{schema.FieldAt(p.f, t, "type"), p.lost(t, "type"), p.lost(t, "model_file")}
	if file = schema.FieldAt(p.f, t, "model_file"); file.Explicit && plainText(file.Node) {
		d.Type, d.Copied = "uri_file", schema.Slashes(file.Text)
		p.m.Ledger.Map(j.Name, "the command copies it to `outputs."+d.Name+"`", "", append(rest, file)...)
		return true
	}
	rest = append(rest, file)
	read := slices.ContainsFunc(p.root.Get("steps").Own(), func(e document.Entry) bool {
		return slices.ContainsFunc(e.Value.Get("inputs").Own(), func(in document.Entry) bool { return in.Value.Get("source").Text() == to.Text })
	})
	if !read {
		p.m.Ledger.Drop(j.Name, trialMetrics, append(rest, to, schema.FieldAt(p.f, v, "datastore"), schema.FieldAt(p.f, v, "bind_mode"))...)
		return false
	}
	id := "output-" + d.Name
	answer, _ := p.m.Decide(&account.Question{ID: id, Scope: j.Name, Ask: "What writes the output " + d.Name + "?", Choices: []string{"later"},
		Why: account.Place(to) + " is what HyperDrive itself wrote, such as the metrics of all runs; in v2, it is the output of the best trial: let the trial's script write it, or answer `later`"})
	p.m.Ledger.Decide(j.Name, answer, id, rest...)
	return true
}
