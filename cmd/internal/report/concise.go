package report

import (
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
)

// concise writes a line for each finding: where, how bad, which rule, what, and
// the id of the fix. All else is as in text.
type concise struct{ *text }

// Finding writes a line: "PATH:LINE:COLUMN: SEVERITY RULE MESSAGE [fix ID]".
func (c concise) Finding(f Finding) {
	if c.leavesOut(f) || c.opts.Statistics {
		c.text.Finding(f)
		return
	}
	c.shown = true
	c.print("%s %s %s %s%s\n", c.position(f.Place), c.paint(f.Severity)(f.Severity.String()), c.ruleLink(f.Rule)(f.Rule),
		ui.Printable(f.Message), c.fixMark(f.Fix))
	_ = c.w.Flush()
}

// fixMark says by whom a fix can be made, and which it is.
func (c concise) fixMark(f *Fix) string {
	if f == nil {
		return ""
	}
	word := map[finding.Applicability]string{finding.Safe: "fix", finding.Unsafe: "unsafe fix", finding.Choice: "choice"}[f.Applicability]
	return " " + c.style.Green("["+word+" "+f.ID+"]")
}

// Close writes the summary, or the statistics.
func (c concise) Close(s Summary) {
	if !c.shown || c.opts.Statistics {
		c.text.Close(s)
		return
	}
	c.print("%s\n", c.style.Bold(c.summary(s)))
	_ = c.w.Flush()
}
