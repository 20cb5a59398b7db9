package report

import (
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
)

// RulePage returns the URL of a rule's page.
func RulePage(id string) string {
	return ui.Homepage + "/blob/main/docs/rules/" + strings.ReplaceAll(id, "/", "-") + ".md"
}

// sarifRules returns the descriptions of rules.
func sarifRules(list []*rules.Rule) []sarifRule {
	out := make([]sarifRule, len(list))
	for i, r := range list {
		group, _, _ := strings.Cut(r.ID, "/")
		why, remedy := paragraph(r.Why), paragraph(r.Remedy)
		out[i] = sarifRule{
			ID: r.ID, Name: pascal(r.ID), HelpURI: RulePage(r.ID),
			Short: sarifText{r.Doc}, Full: sarifText{why},
			Help:          sarifHelp{Text: helpText(r.Doc, why, remedy), Markdown: helpMarkdown(r, why, remedy)},
			Configuration: sarifConfig{sarifLevel(r.Severity)},
			Properties:    sarifRuleExtra{Tags: []string{group}},
		}
	}
	return out
}

// pascal returns "GpuBaseImage" for "gpu/base-image", the form that SARIF requires for readable names.
func pascal(id string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(id, func(r rune) bool { return r == '/' || r == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// paragraph joins the lines of a wrapped text.
func paragraph(text string) string { return strings.Join(strings.Fields(text), " ") }

func helpText(doc, why, remedy string) string {
	text := doc + " " + why
	if remedy != "" {
		text += " Repair: " + remedy
	}
	return text
}

func helpMarkdown(r *rules.Rule, why, remedy string) string {
	var b strings.Builder
	b.WriteString(r.Doc + "\n\n**Why it matters.** " + why + "\n")
	if remedy != "" {
		b.WriteString("\n**What `amlfix --apply` does.** " + remedy + "\n")
	}
	for _, e := range []struct{ title, project string }{{"Wrong", r.Bad}, {"Right", r.Good}} {
		b.WriteString("\n**" + e.title + "**\n\n```yaml\n" + strings.Trim(e.project, "\n") + "\n```\n")
	}
	return b.String()
}
