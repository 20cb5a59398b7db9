package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
)

// faultMessages say what is wrong: %[1]s is the text of a fault, %[2]U its first character, and %[3]s what was meant.
var faultMessages = [...]struct {
	kind shell.FaultKind
	text string
}{
	{shell.Open, `this %[1]s is never closed, so the shell ends with a syntax error: close it, or write \%[1]s for the character itself`},
	{shell.Leading, `the shell ends with a syntax error, because there is no command before %[1]s on its line: end the line before it with \, or remove %[1]s`},
	{shell.Option, `the shell runs this line as a command of its own, so %[1]s does not reach the program on the line before: end that line with \, or write both as one line`},
	{shell.Space, `this character (%[2]U) looks like a space, but does not end a word for the shell: write an ordinary space`},
	{shell.Invisible, `this is an invisible character (%[2]U), which came with copied text and becomes a part of the word: delete it`},
	{shell.Quote, `%[1]s is a typographic quote, which the shell takes for a part of the word: write a straight one`},
	{shell.Dash, `this dash (%[2]U) is not a hyphen, so the program does not see an option: write %[3]s`},
	{shell.Cut, `the shell takes what follows > or < in %[1]s for the name of a file, so the package is installed without this condition, or not at all: put it in quotes`},
}

// retyping returns the fix that writes what characters were meant to be.
func retyping(f *schema.File, n *document.Node, offsets []int, faults []shell.Fault) *finding.Fix {
	if offsets == nil || f.Stream.Repaired {
		return nil
	}
	fix := &finding.Fix{Title: "write ordinary characters", Applicability: finding.Safe}
	for _, fault := range faults {
		at := source.Span{Start: offsets[fault.Span.Start], End: offsets[fault.Span.End-1] + 1}
		meant := fault.Meant
		if meant == `"` && n.Style == document.DoubleQuoted {
			meant = `\"`
		}
		fix.Changes = append(fix.Changes, finding.Splice(f.Source, at, meant))
		if fault.Kind == shell.Dash {
			fix.Applicability = finding.Unsafe
		}
	}
	return fix
}

// quoting returns the fix that puts packages into quotes that YAML does not take for its own.
func quoting(f *schema.File, n *document.Node, offsets []int, faults []shell.Fault) *finding.Fix {
	if offsets == nil || f.Stream.Repaired {
		return nil
	}
	quote := `"`
	if n.Style == document.DoubleQuoted {
		quote = `'`
	}
	fix := &finding.Fix{Title: "put the condition in quotes", Applicability: finding.Unsafe}
	for _, fault := range faults {
		for _, at := range []int{offsets[fault.Span.Start], offsets[fault.Span.End-1] + 1} {
			fix.Changes = append(fix.Changes, finding.Insert(f.Source, at, quote))
		}
	}
	return fix
}
