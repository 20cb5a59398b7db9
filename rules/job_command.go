package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

var jobCommand = Rule{
	ID:       "job/command",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "A command has a line that begins with an option or an operator or that becomes part of the line before, an unclosed quote, lookalike characters, a version condition without quotes, or a Python program that Python rejects.",
	Why: `The shell of a job runs each line of a command as a command of its own: options on a line of their own do not
reach the script, and the job ends with "command not found". Until the end of 2022, Azure ML made one line of them. In
YAML, a block after | keeps all its line breaks, and one after > keeps those of lines that are indented more than the
first. It joins the others, so that a second command becomes arguments of the first, and a \ at the end of a line makes
the option after it begin with a space. A quote that is not closed, or an operator without a command before it, is a
syntax error, and the job ends before anything runs. Text copied from a page or a word processor has other spaces,
quotes and dashes, which the shell passes on as letters. pip install numpy>=1.2 installs any numpy and writes to a file
=1.2. Python rejects a program of several lines after python -c if they have become one.`,
	Remedy: "Ends the preceding lines with \\, so that the shell reads them as one, or removes it where YAML joins them, and writes ordinary spaces, quotes and hyphens. With --unsafe, puts quotes around numpy>=1.2, and keeps the line breaks of a Python program with | in place of >.",
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: >
  python train.py
    --epochs 3
environment: azureml:training:3
compute: azureml:cpu-cluster
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: >
  python train.py
  --epochs 3
environment: azureml:training:3
compute: azureml:cpu-cluster
`,
	Check: func(p *Pass) {
		for _, c := range p.shared.commands {
			if len(c.Faults) > 0 && !template.In(c.node.Value) && !p.full(c.body.File.Source) {
				p.command(c)
			}
		}
		foldedCommands(p)
		inlinePrograms(p)
	},
}

// command reports the first fault of each kind in a command; one fix repairs all of a kind.
func (p *Pass) command(c command) {
	f, n := c.body.File, c.node
	offsets := n.Offsets(f.Source.Text)
	for _, m := range faultMessages {
		faults := slices.DeleteFunc(slices.Clone(c.Faults), func(f shell.Fault) bool { return f.Kind != m.kind })
		if len(faults) == 0 || m.kind == shell.Dash && p.argued(n) {
			continue
		}
		span := faults[0].Span
		wrong := n.Value[span.Start:span.End]
		first, _ := utf8.DecodeRuneInString(wrong)
		at := finding.Location{Source: f.Source, Span: f.Source.FirstLine(n.Span), Message: fmt.Sprintf(m.text, wrong, first, faults[0].Meant)}
		if offsets != nil {
			at.Span = source.Span{Start: offsets[span.Start], End: offsets[span.End-1] + 1}
		}
		switch {
		case m.kind < shell.Space:
			p.report(at, continuing(f, n, offsets, c.Faults))
		case m.kind == shell.Quote && (len(faults)%2 != 0 || c.Left != shell.Lookalike), len(c.Faults) >= shell.MostLookalikes:
			p.report(at, nil)
		case m.kind == shell.Cut:
			p.reportAs(finding.Warning, at, quoting(f, n, offsets, faults))
		default:
			p.report(at, retyping(f, n, offsets, faults))
		}
	}
}

// argued reports whether the arguments of a script that a command runs are known: ref/argument then reports dashes.
func (p *Pass) argued(n *document.Node) bool {
	return slices.ContainsFunc(p.shared.scripts, func(s script) bool {
		rel, there := s.find(p.Project)
		return s.node == n && there && p.parser(rel).known
	})
}

// continuing returns the fix that ends lines with \ where the next one begins with a fault, or nil if something else is
// wrong, too.
func continuing(f *schema.File, n *document.Node, offsets []int, faults []shell.Fault) *finding.Fix {
	fix := &finding.Fix{Title: `end lines with \`, Applicability: finding.Safe}
	for _, fault := range faults {
		before := strings.TrimRight(strings.TrimSuffix(n.Value[:fault.Span.Start], "$[["), " \t")
		line := strings.TrimRight(strings.TrimSuffix(before, "\n"), " \t")
		last := line[strings.LastIndexByte(line, '\n')+1:]
		if offsets == nil || n.Style != document.Literal && n.Style != document.Folded || !strings.HasSuffix(before, "\n") || last == "" || strings.Contains(last, "#") || f.Stream.Repaired {
			return nil
		}
		c := finding.Change{Op: finding.SpliceText, File: f.Path, Offset: offsets[len(line)-1] + 1, Value: finding.Text(` \`)}
		for text := f.Source.Text[c.Offset:]; len(text) > len(c.Old) && (text[len(c.Old)] == ' ' || text[len(c.Old)] == '\t'); {
			c.Old += string(text[len(c.Old)])
		}
		if strings.HasSuffix(line, `\`) {
			c.Value = finding.Text("") // only the spaces after it keep it from continuing the line
		}
		fix.Changes = append(fix.Changes, c)
	}
	return fix
}
