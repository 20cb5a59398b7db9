package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
)

// gitHub writes workflow commands, which GitHub shows as annotations next to the code. They are written at the end,
// below a report for people in the same output.
type gitHub struct {
	unrepaired
	w    io.Writer
	opts Options
	text bytes.Buffer
}

// Finding adds a command: "::error file=…,line=…,title=…::message".
func (g *gitHub) Finding(f Finding) {
	word := map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "notice"}[f.Severity]
	where := fmt.Sprintf("file=%s,line=%d,endLine=%d", property(ui.Printable(based(g.opts.Base, f.Path))), f.Line, f.EndLine)
	if f.Line == f.EndLine { // GitHub accepts columns only in this case
		where += fmt.Sprintf(",col=%d,endColumn=%d", f.Column, f.EndColumn)
	}
	lines := []string{f.Message}
	for _, n := range f.Related {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", n.Path, n.Line, n.Message))
	}
	if f.Fix != nil {
		lines = append(lines, "fix: "+f.Fix.Title)
	}
	fmt.Fprintf(&g.text, "::%s %s,title=%s::%s\n", word, where, property(f.Rule), data(strings.Join(lines, "\n")))
}

// Close writes the commands.
func (g *gitHub) Close(Summary) { _, _ = g.w.Write(g.text.Bytes()) }

// data escapes a command's message as GitHub's runner expects it. Control characters other than line endings are made
// visible, because the runner's log is also read on terminals.
func data(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(ui.Printable(line), "%", "%25")
	}
	return strings.Join(lines, "%0A")
}

// property escapes the value of one of a command's properties.
func property(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
