package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/suppression"
)

var amlfixUnknownIgnore = Rule{
	ID:       "amlfix/unknown-ignore",
	Severity: finding.Warning,
	Since:    "2026-11-21",
	Doc:      "A suppression comment names an unknown rule, or has an invalid form.",
	Why: `A misspelled rule name suppresses nothing, so the finding is still reported. A reason without "--" before it
is read as the name of a rule. The form is: # amlfix: ignore rule, rule -- reason`,
	Remedy: `Corrects a typo in the name of a rule, adds the "--" before a reason, and removes a name that resembles no
rule.`,
	Bad: `
-- aml_config/docker.compute --
# amlfix: ignore schema/valeu -- our own type of target
type: localdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Good: `
-- aml_config/docker.compute --
# amlfix: ignore schema/value -- our own type of target
type: ourdocker
baseDockerImage: microsoft/mmlspark:plus-0.9.9
`,
	Check: func(p *Pass) {
		for i := range p.shared.comments {
			if d := &p.shared.comments[i]; !p.full(d.file.Source) {
				unknownVerb(p, d)
				unknownNames(p, d)
			}
		}
	},
}

// unknownVerb reports a comment with an unknown word, or one that names no rule.
func unknownVerb(p *Pass, d *ignoring) {
	at := finding.Location{Source: d.file.Source, Span: d.Verb.Span}
	switch near := format.Nearest(d.Verb.Text, []string{suppression.Ignore, suppression.IgnoreFile}); {
	case d.Meant != "":
		at.Message = fmt.Sprintf("%.40q is not an amlfix directive: write %s", d.Verb.Text, strings.TrimSpace(d.Meant))
		p.report(at, editIgnore(d, "write "+strings.TrimSpace(d.Meant), func() string { return d.replaced(d.Verb.Span, d.Meant) }))
	case !d.Understood() && len(near) == 1:
		at.Message = fmt.Sprintf("%.40q is not an amlfix directive: write %s", d.Verb.Text, near[0])
		p.report(at, editIgnore(d, "write "+near[0], func() string { return d.replaced(d.Verb.Span, near[0]) }))
	case !d.Understood():
		at.Message = fmt.Sprintf("%.40q is not an amlfix directive: write ignore or ignore-file", d.Verb.Text)
		p.report(at, nil)
	case len(d.Names) == 0:
		at.Message = "this comment names no rule and suppresses nothing: list the rules to ignore, such as gpu/framework"
		p.report(at, nil)
	}
}

// unknownNames reports the names that are not rules.
func unknownNames(p *Pass, d *ignoring) {
	for k, name := range d.Names {
		if slices.Contains(p.shared.ids, name.Text) || p.full(d.file.Source) {
			continue
		}
		at := finding.Location{Source: d.file.Source, Span: name.Span, Message: fmt.Sprintf("unknown rule %.60q", name.Text)}
		var fix *finding.Fix
		var near []string
		for _, id := range p.shared.ids {
			if strings.HasSuffix(id, "/"+name.Text) {
				near = append(near, id)
			}
		}
		if len(near) == 0 {
			near = format.Nearest(name.Text, p.shared.ids)
		}
		switch {
		case len(near) == 1:
			at.Message += ": did you mean " + near[0] + "?"
			fix = editIgnore(d, "write "+near[0], func() string { return d.replaced(name.Span, near[0]) })
		case len(near) > 1:
			at.Message += ": did you mean " + strings.Join(near, " or ") + "?"
		case strings.ContainsAny(name.Text, "*?[{"), strings.EqualFold(name.Text, "all"),
			slices.ContainsFunc(p.shared.ids, func(id string) bool { return strings.HasPrefix(id, name.Text+"/") }):
			at.Message = fmt.Sprintf("%.60q is not a single rule: list the rules one by one, or ignore them in .amlfix.yaml", name.Text)
		default:
			fix = editIgnore(d, "remove the name from the comment", func() string { return d.Without(d.file.Source, k) })
		}
		p.report(at, fix)
	}
	if d.Rest.Text != "" {
		p.report(finding.Location{Source: d.file.Source, Span: d.Rest.Span, Message: `this is not a rule: write "--" before the reason`},
			editIgnore(d, `write "--" before the reason`, func() string { return d.replaced(source.Span{Start: d.Rest.Span.Start, End: d.Rest.Span.Start}, "-- ") }))
	}
}

// replaced returns the comment with the text of a span replaced.
func (d *ignoring) replaced(span source.Span, text string) string {
	part := func(start, end int) string { return string(d.file.Source.Slice(source.Span{Start: start, End: end})) }
	return part(d.Span.Start, span.Start) + text + part(span.End, d.Span.End)
}
