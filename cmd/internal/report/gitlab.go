package report

import "github.com/amlfix/amlfix/schema/finding"

// gitLab writes a code quality report: one array, with one issue per line.
type gitLab struct {
	unrepaired
	jsonList
	opts Options
}

// gitLabIssue is an issue as GitLab reads it. Code Climate's issues have more fields, which GitLab ignores.
type gitLabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitLabLocation `json:"location"`
}

type gitLabLocation struct {
	Path  string      `json:"path"`
	Lines gitLabLines `json:"lines"`
}

type gitLabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

// Finding writes an issue.
func (g *gitLab) Finding(f Finding) {
	severity := map[finding.Severity]string{finding.Error: "major", finding.Warning: "minor", finding.Info: "info"}[f.Severity]
	g.item(g.begin, gitLabIssue{
		Description: f.Message, Check: f.Rule, Fingerprint: f.Fingerprint, Severity: severity,
		Location: gitLabLocation{Path: based(g.opts.Base, f.Path), Lines: gitLabLines{f.Line, f.EndLine}},
	})
}

// Close ends the array.
func (g *gitLab) Close(Summary) {
	g.end(g.begin)
	g.print("]\n")
	_ = g.w.Flush()
}

func (g *gitLab) begin() { g.print("[") }
