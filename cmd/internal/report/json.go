package report

import "github.com/amlfix/amlfix/schema/finding"

// The JSON report is a stable interface: fields may be added but not renamed, and their order stays. These structs and
// those of report.go define it.

type jsonFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Path     string `json:"path"`
	Region
	Related []jsonNote `json:"related"`
	Fix     *Fix       `json:"fix"`

	Suppressed *finding.Suppression `json:"suppressed,omitempty"` // of an accepted finding, which the summary does not count
	URL        string               `json:"url"`
}

type jsonNote struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// jsonEvidence lists what was declared, and which clauses of the proof held before anything was written.
type jsonEvidence struct {
	Changes []Change `json:"changes"`
	Proved  []string `json:"proved"`
}

// proved lists the clauses that hold for every repair that is made.
var proved = []string{"parses", "values", "bytes", "mended", "settled"}

type jsonSummary struct {
	Projects int `json:"projects"`
	Files    int `json:"files"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Fixable  int `json:"fixable"`
}

type jsonRepair struct {
	Repair
	Evidence  *jsonEvidence `json:"evidence,omitempty"`
	Uncovered bool          `json:"uncovered,omitempty"` // it was uncovered by other repairs
}

// jsonReport writes one object with all findings.
type jsonReport struct {
	jsonList
	opts             Options
	applied, refused []jsonRepair
	counts           statistics
}

func (j *jsonReport) begin() {
	j.print(`{"version":`)
	j.value(j.opts.Version())
	j.print(`,"findings":[`)
}

// Finding writes a finding.
func (j *jsonReport) Finding(f Finding) {
	j.counts.add(f)
	out := jsonFinding{
		Rule: f.Rule, Severity: f.Severity.String(), Message: f.Message,
		Path: f.Path, Region: f.Region,
		Related: []jsonNote{}, Fix: f.Fix, Suppressed: f.Suppression, URL: RulePage(f.Rule),
	}
	for _, n := range f.Related {
		out.Related = append(out.Related, jsonNote{Path: n.Path, Line: n.Line, Column: n.Column, Message: n.Message})
	}
	j.item(j.begin, out)
}

// Repair keeps a repair for the end of the report.
func (j *jsonReport) Repair(r Repair) {
	if r.Reason != "" {
		j.refused = append(j.refused, jsonRepair{Repair: r})
		return
	}
	evidence := &jsonEvidence{Changes: append([]Change{}, r.Changes...), Proved: proved}
	j.applied = append(j.applied, jsonRepair{r, evidence, r.Uncovered})
}

// Close writes the summary and, after --apply, the repairs.
func (j *jsonReport) Close(s Summary) {
	j.end(j.begin)
	j.print(`],"summary":`)
	j.value(jsonSummary{
		Projects: s.Projects, Files: s.Files, Errors: s.Errors, Warnings: s.Warnings, Infos: s.Infos, Fixable: s.Fixable,
	})
	if j.opts.Statistics {
		j.print(`,"statistics":`)
		j.value(j.counts.rows())
	}
	if j.opts.Applied {
		j.print(`,"applied":`)
		j.value(j.applied)
		j.print(`,"refused":`)
		j.value(j.refused)
	}
	if len(s.Problems) > 0 {
		j.print(`,"problems":`)
		j.value(s.Problems)
	}
	j.print("}\n")
	_ = j.w.Flush()
}
