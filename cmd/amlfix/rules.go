package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
)

func (c *call) rulesCommand() *cli.Command {
	return &cli.Command{
		Name:      "rules",
		Usage:     "list what amlfix looks for",
		ArgsUsage: "[FLAGS]",
		Description: `A row for each rule: its name, how bad its findings are, whether some of them
can be repaired, and what is wrong then. amlfix explain RULE says more.`,
		UsageText: "amlfix rules",
		Flags:     cli.ColourFlags(),
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 0 {
				return cli.Usage("rules", "rules takes no arguments; did you mean `amlfix explain %s`?", ctx.Args().First())
			}
			coloured, err := c.Coloured(ctx)
			if err != nil {
				return err
			}
			style := ui.NewStyle(coloured)
			table := cli.Heading(style, "RULE", "SEVERITY", "REPAIR", "WHAT IS WRONG")
			for _, r := range rules.All() {
				repair := "no"
				if r.Remedy != "" {
					repair = "yes"
				}
				table.Row(r.ID, r.Severity.String(), repair, r.Doc)
				table.Paint(1, severityPaint(style, r.Severity))
			}
			table.Write(c.Out, "")
			return nil
		},
	}
}

func severityPaint(style ui.Style, s finding.Severity) func(string) string {
	switch s {
	case finding.Error:
		return style.Red
	case finding.Warning:
		return style.Yellow
	}
	return style.Cyan
}

func (c *call) explainCommand() *cli.Command {
	return &cli.Command{
		Name:        "explain",
		Usage:       "explain a rule, with an example",
		ArgsUsage:   "[FLAGS] RULE",
		Description: "RULE is a name from amlfix rules or from the end of a finding. The part behind\nthe slash is enough where it is the name of one rule only.",
		UsageText: `amlfix explain gpu/base-image
amlfix explain nvidia-docker`,
		Flags:    cli.ColourFlags(),
		Operands: ruleWords,
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() != 1 {
				return cli.Usage("explain", "name one rule; amlfix rules lists them")
			}
			rule, err := ruleNamed(ctx.Args().First())
			if err != nil {
				return err
			}
			coloured, err := c.Coloured(ctx)
			if err != nil {
				return err
			}
			c.explain(ui.NewStyle(coloured), rule)
			return nil
		},
	}
}

func ruleWords() (list []cli.Candidate) {
	for _, r := range rules.All() {
		list = append(list, cli.Candidate{Word: r.ID, About: r.Doc})
	}
	return list
}

// ruleNamed finds a rule by its id or by the part of it behind the slash.
func ruleNamed(name string) (rules.Rule, error) {
	name = strings.Trim(name, "[] ")
	if rule, ok := rules.ByID(name); ok {
		return rule, nil
	}
	var ids, same []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
		if _, short, _ := strings.Cut(r.ID, "/"); short == name {
			same = append(same, r.ID)
		}
	}
	if len(same) == 1 {
		rule, _ := rules.ByID(same[0])
		return rule, nil
	}
	hint := cli.DidYouMean(name, ids)
	if hint == "" {
		if short := ui.Nearest(name, shortNames(ids)); short != "" {
			i := slices.IndexFunc(ids, func(id string) bool { return strings.HasSuffix(id, "/"+short) })
			hint = "; did you mean " + ids[i] + "?"
		}
	}
	if hint == "" {
		hint = "; amlfix rules lists all"
	}
	return rules.Rule{}, cli.Usage("explain", "there is no rule %q%s", name, hint)
}

func shortNames(ids []string) (list []string) {
	for _, id := range ids {
		_, short, _ := strings.Cut(id, "/")
		list = append(list, short)
	}
	return list
}

func (c *call) explain(style ui.Style, r rules.Rule) {
	_, _ = fmt.Fprintf(c.Out, "%s (%s)\n\n%s\n", style.Bold(r.ID), severityPaint(style, r.Severity)(r.Severity.String()), r.Doc)
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			_, _ = fmt.Fprintf(c.Out, "\n%s\n%s", style.Bold(title), indented(text))
		}
	}
	section("Why it matters", r.Why)
	remedy := r.Remedy
	if remedy == "" {
		remedy = "None; the finding says what to write instead."
	}
	section("What --apply does", remedy)
	section("Wrong", r.Bad)
	section("Right", r.Good)
}

// indented returns text with two spaces before every line that is not empty.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text + "\n") {
		if strings.TrimSpace(line) != "" {
			line = "  " + line
		}
		b.WriteString(line)
	}
	return b.String()
}
