package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// statistics counts findings by rule and severity, because settings can give a rule several severities. The zero value
// is ready for use.
type statistics struct{ by map[[2]string]*counted }

// counted is one row of statistics; its JSON form is a stable interface, like the findings.
type counted struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Count    int    `json:"count"`
	Fixable  int    `json:"fixable"` // of these, how many have a safe repair
	Unsafe   int    `json:"unsafe"`  // and how many an unsafe one

	severity finding.Severity
}

// add counts a finding, unless it is suppressed.
func (s *statistics) add(f Finding) {
	if f.Suppression != nil {
		return
	}
	key := [2]string{f.Rule, f.Severity.String()}
	row := s.by[key]
	if row == nil {
		if s.by == nil {
			s.by = map[[2]string]*counted{}
		}
		row = &counted{Rule: key[0], Severity: key[1], severity: f.Severity}
		s.by[key] = row
	}
	row.Count++
	switch {
	case f.Fix == nil:
	case f.Fix.Applicability == finding.Safe:
		row.Fixable++
	case f.Fix.Applicability == finding.Unsafe:
		row.Unsafe++
	}
}

// rows returns the counts, largest first.
func (s *statistics) rows() []counted {
	list := make([]counted, 0, len(s.by))
	for _, row := range s.by {
		list = append(list, *row)
	}
	plain.SortFunc(list, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(b.severity, a.severity), cmp.Compare(a.Rule, b.Rule))
	})
	return list
}

// table returns a table of the first rows, at most most of them.
func (s *statistics) table(t *text, most int) *ui.Table {
	table := ui.Heading(t.style, "COUNT", "SEVERITY", "RULE", "CAN BE REPAIRED")
	rows := s.rows()
	for i, row := range rows[:min(most, len(rows))] {
		repair := ""
		switch safe, unsafe := row.Fixable, row.Unsafe; {
		case t.opts.Unsafe && safe+unsafe > 0:
			repair = strconv.Itoa(safe + unsafe)
		case unsafe > 0 && safe > 0:
			repair = fmt.Sprintf("%d, %d more with --unsafe", safe, unsafe)
		case unsafe > 0:
			repair = fmt.Sprintf("%d with --unsafe", unsafe)
		case safe > 0:
			repair = strconv.Itoa(safe)
		}
		table.Row(fmt.Sprintf("%5d", row.Count), row.Severity, row.Rule, repair)
		table.Paint(1, t.paint(rows[i].severity))
		table.Paint(2, t.ruleLink(row.Rule))
	}
	return table
}

// most returns the names with the highest counts, at most n of them.
func most(counts map[string]int, n int) []string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return names[:min(n, len(names))]
}
