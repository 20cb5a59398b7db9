package report

import (
	"fmt"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
)

// concise writes a line for each finding: position, severity, rule, message, end of the position, and the ID of the
// fix. Everything else is as in text.
type concise struct{ *text }

// Finding writes a line: "PATH:LINE:COLUMN: SEVERITY RULE MESSAGE [to LINE:COLUMN] [fix ID]".
func (c concise) Finding(f Finding) {
	if c.leavesOut(f) || c.opts.Statistics {
		c.text.Finding(f)
		return
	}
	c.take(f)
	c.shown = true
	c.print(c.position(f.Place), " ", c.paint(f.Severity)(f.Severity.String()), " ", c.ruleLink(f.Rule)(f.Rule), " ",
		ui.Printable(f.Message), " ", c.endMark(f.Place), c.fixMark(f.Fix), "\n")
	_ = c.w.Flush()
}

// endMark returns where the position ends. It follows the message, because editors parse what precedes it.
func (c concise) endMark(p Place) string {
	return c.style.Dim(fmt.Sprintf("[to %d:%d]", p.EndLine, p.EndColumn))
}

// fixMark returns how a fix can be made, and its ID.
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
	c.line(c.style.Bold(c.summary(s)))
	_ = c.w.Flush()
}
