package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/amlfix/amlfix/rules"
)

// jsonRule describes a rule; like the report, it is a stable interface.
type jsonRule struct {
	Rule     string   `json:"rule"`
	Group    string   `json:"group"`
	Severity string   `json:"severity"`
	Doc      string   `json:"doc"`
	Why      string   `json:"why"`
	Remedy   string   `json:"remedy"` // "" if nothing can be repaired
	Fixable  bool     `json:"fixable"`
	Facts    []string `json:"facts"` // the tables on which its findings are based
	Since    string   `json:"since"` // the date on which the rule was added
	URL      string   `json:"url"`
}

// WriteRules writes rules as a JSON array, one per line.
func WriteRules(w io.Writer, list []*rules.Rule) {
	array := jsonList{w: bufio.NewWriter(w)}
	begin := func() { array.print("[") }
	for _, r := range list {
		group, _, _ := strings.Cut(r.ID, "/")
		array.item(begin, jsonRule{
			Rule: r.ID, Group: group, Severity: r.Severity.String(), Doc: r.Doc, Why: strings.TrimSpace(r.Why),
			Remedy: strings.TrimSpace(r.Remedy), Fixable: r.Remedy != "", Facts: append([]string{}, r.Facts...), Since: r.Since, URL: RulePage(r.ID),
		})
	}
	array.end(begin)
	array.print("]\n")
	_ = array.w.Flush()
}
