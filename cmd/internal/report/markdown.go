package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/plain"
)

// markdown writes a table of the findings for a summary page, such as that of a GitHub job.
type markdown struct {
	unrepaired
	w     *bufio.Writer
	shown int
}

// maxRows is how many findings are listed: GitHub accepts a page of up to 1 MiB, and nobody reads more.
const maxRows = 500

func newMarkdown(w io.Writer) *markdown {
	m := &markdown{w: bufio.NewWriter(w)}
	m.print("### amlfix\n\n")
	return m
}

// Finding writes a row.
func (m *markdown) Finding(f Finding) {
	if m.shown++; m.shown > maxRows {
		return
	}
	if m.shown == 1 {
		m.print("| | where | what | rule |\n|---|---|---|---|\n")
	}
	what := cell(f.Message)
	if f.Fix != nil {
		what += " *Fix: " + cell(f.Fix.Title) + ".*"
	}
	m.print("| %s | %s:%d | %s | [%s](%s) |\n", f.Severity, cell(f.Path), f.Line, what, f.Rule, RulePage(f.Rule))
}

// Close writes the counts.
func (m *markdown) Close(s Summary) {
	if m.shown > maxRows {
		m.print("\n%s not shown.\n", plain.Count(m.shown-maxRows, "more finding"))
	}
	if m.shown > 0 {
		m.print("\n")
	}
	where := fmt.Sprintf("in %s (%s)", plain.Count(s.Projects, "project"), plain.Count(s.Files, "file"))
	if m.shown == 0 {
		m.print("Nothing found %s.\n", where)
	} else {
		m.print("**%s, %s, %s** %s; %d can be repaired by `amlfix --apply`.\n", plain.Count(s.Errors, "error"), plain.Count(s.Warnings, "warning"),
			plain.Count(s.Infos, "info"), where, s.Fixable)
	}
	for _, p := range s.Problems {
		m.print("\n%s\n", cell(p))
	}
	_ = m.w.Flush()
}

// cell returns text that Markdown shows unchanged, in one cell of a table. It may contain names and values from files,
// so every special character is escaped.
func cell(text string) string {
	var b strings.Builder
	for _, r := range ui.Printable(text) {
		switch {
		case strings.ContainsRune("\\`*_{}[]()<>#+!|~&@:$^=", r):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (m *markdown) print(format string, args ...any) { _, _ = fmt.Fprintf(m.w, format, args...) }
