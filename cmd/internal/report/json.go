package report

import (
	"bufio"
	"io"
)

// The JSON report is an interface: fields may be added, none renamed, and their
// order stays. These structs are its definition, apart from the types above.

type jsonFinding struct {
	Rule      string     `json:"rule"`
	Severity  string     `json:"severity"`
	Message   string     `json:"message"`
	Path      string     `json:"path"`
	Line      int        `json:"line"`
	Column    int        `json:"column"`
	EndLine   int        `json:"endLine"`
	EndColumn int        `json:"endColumn"`
	Related   []jsonNote `json:"related"`
	Fix       *jsonFix   `json:"fix"`

	Suppressed *jsonSuppression `json:"suppressed,omitempty"`
	URL        string           `json:"url"`
}

// jsonSuppression is there for a finding that somebody has decided to live with;
// the summary does not count it.
type jsonSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type jsonNote struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type jsonFix struct {
	Title         string       `json:"title"`
	Applicability string       `json:"applicability"`
	Answers       []jsonAnswer `json:"answers,omitempty"`
	Notice        string       `json:"notice,omitempty"`
	Refused       *jsonRefusal `json:"refused,omitempty"`
	ID            string       `json:"id"`
	Edits         []jsonEdit   `json:"edits"`                 // null for the reason below
	EditsReason   string       `json:"editsReason,omitempty"` // set when edits is null
}

// jsonEdit replaces the bytes [start, end) of a file, which line and column name
// too, by text. Those of one file are in order and do not overlap.
type jsonEdit struct {
	Path      string `json:"path"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`
	NewFile   bool   `json:"newFile,omitempty"` // there is no such file yet
}

// jsonAnswer is one way to decide a fix whose applicability is "choice".
type jsonAnswer struct {
	Flag  string `json:"flag"`
	Title string `json:"title"`
}

type jsonRefusal struct {
	Clause string `json:"clause,omitempty"`
	Reason string `json:"reason"`
}

// jsonEvidence says what was declared, and which clauses of the proof held
// before anything was written.
type jsonEvidence struct {
	Changes []jsonChange `json:"changes"`
	Proved  []string     `json:"proved"`
}

type jsonChange struct {
	Op      string `json:"op"`
	Path    string `json:"path"`
	Pointer string `json:"pointer"`
}

// proved are the clauses that hold for every repair that is made.
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
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Rule   string `json:"rule"`
	Title  string `json:"title"`
	Clause string `json:"clause,omitempty"`
	Reason string `json:"reason,omitempty"`

	Evidence  *jsonEvidence `json:"evidence,omitempty"`
	Uncovered bool          `json:"uncovered,omitempty"` // it came to light with other repairs
}

// jsonReport writes one object, a finding a line, without keeping any of them.
type jsonReport struct {
	w                *bufio.Writer
	opts             Options
	begun            bool
	applied, refused []jsonRepair
	counts           statistics
}

func newJSON(w io.Writer, opts Options) *jsonReport {
	return &jsonReport{w: bufio.NewWriter(w), opts: opts, applied: []jsonRepair{}, refused: []jsonRepair{}}
}

func (j *jsonReport) begin() {
	j.print(`{"version":`)
	j.value(j.opts.Version)
	j.print(`,"findings":[`)
	j.begun = true
}

// Finding writes a finding.
func (j *jsonReport) Finding(f Finding) {
	if j.begun {
		j.print(",")
	} else {
		j.begin()
	}
	j.counts.add(f)
	out := jsonFinding{
		Rule: f.Rule, Severity: f.Severity.String(), Message: f.Message,
		Path: f.Path, Line: f.Line, Column: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn,
		Related: []jsonNote{}, URL: RulePage(f.Rule),
	}
	for _, n := range f.Related {
		out.Related = append(out.Related, jsonNote{Path: n.Path, Line: n.Line, Column: n.Column, Message: n.Message})
	}
	if f.Fix != nil {
		out.Fix = &jsonFix{Title: f.Fix.Title, Applicability: string(f.Fix.Applicability), Notice: f.Fix.Notice, ID: f.Fix.ID, EditsReason: f.Fix.Kept}
		for _, e := range f.Fix.Edits {
			out.Fix.Edits = append(out.Fix.Edits, jsonEdit{e.Path, e.Start, e.End, e.Line, e.Column, e.EndLine, e.EndColumn, e.Text, e.Creates})
		}
		for _, a := range f.Fix.Answers {
			out.Fix.Answers = append(out.Fix.Answers, jsonAnswer(a))
		}
		if r := f.Fix.Refused; r != nil {
			out.Fix.Refused = &jsonRefusal{Clause: r.Clause, Reason: r.Reason}
		}
	}
	if by := f.Suppression; by != nil {
		out.Suppressed = &jsonSuppression{Kind: string(by.Kind), Justification: by.Justification}
	}
	j.print("\n")
	j.value(out)
}

// Repair keeps a repair for the end.
func (j *jsonReport) Repair(r Repair) {
	out := jsonRepair{Path: r.Path, Line: r.Line, Rule: r.Rule, Title: r.Title, Clause: r.Clause, Reason: r.Reason}
	if r.Reason == "" {
		out.Uncovered = r.Uncovered
		out.Evidence = &jsonEvidence{Changes: []jsonChange{}, Proved: proved}
		for _, c := range r.Changes {
			out.Evidence.Changes = append(out.Evidence.Changes, jsonChange(c))
		}
	}
	if r.Reason != "" {
		j.refused = append(j.refused, out)
		return
	}
	j.applied = append(j.applied, out)
}

// Close writes the summary and, after --apply, the repairs.
func (j *jsonReport) Close(s Summary) {
	if j.begun {
		j.print("\n")
	} else {
		j.begin()
	}
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
	j.print("}\n")
	_ = j.w.Flush()
}

func (j *jsonReport) print(text string) { _, _ = j.w.WriteString(text) }

// value writes v in one line. The types above always encode.
func (j *jsonReport) value(v any) { _, _ = j.w.Write(oneLine(v)) }
