package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
)

func (c *call) rulesCommand() *cli.Command {
	return &cli.Command{
		Name:       "rules",
		Folderless: true,
		Usage:      "list the rules that amlfix checks",
		ArgsUsage:  "[FLAGS]",
		Description: `Prints a row for each rule: its name, its severity, whether amlfix can repair some
of its findings, and what it finds. amlfix explain RULE shows more.`,
		UsageText: `amlfix rules
amlfix rules --format json`,
		Flags: append([]cli.Flag{cli.FormatFlag()}, cli.ColourFlags()...),
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() > 0 {
				return cli.Usage("rules", "rules takes no arguments; did you mean `amlfix explain %s`?", ctx.Args().First())
			}
			style, err := c.Style(ctx)
			if err != nil {
				return err
			}
			switch list, err := cli.Format(ctx); {
			case err != nil:
				return err
			case list == report.JSON:
				report.WriteRules(c.Out, rules.All())
			default:
				c.listRules(style, rules.All())
			}
			return nil
		},
	}
}

// listRules writes a row for each rule.
func (c *call) listRules(style ui.Style, list []rules.Rule) {
	table := cli.Heading(style, "RULE", "SEVERITY", "REPAIR", "WHAT IS WRONG")
	for _, r := range list {
		repair := "no"
		if r.Remedy != "" {
			repair = "yes"
		}
		table.Row(r.ID, r.Severity.String(), repair, r.Doc)
		table.Paint(0, func(id string) string { return style.Link(report.RulePage(r.ID), id) })
		table.Paint(1, report.Paint(style, r.Severity))
	}
	table.Write(c.Out, "")
}

func (c *call) explainCommand() *cli.Command {
	return &cli.Command{
		Name:        "explain",
		Folderless:  true,
		Usage:       "explain a rule, with an example, or list the rules of a group",
		ArgsUsage:   "[FLAGS] RULE|GROUP [FACT...]",
		Description: "RULE is a name from amlfix rules or from the end of a finding. The part after\nthe slash is enough if it is unique. For a GROUP, the part before the\nslash, its rules are listed. FACT is something that a finding mentions, such as a package,\na VM size or an image: what the rule knows about it is shown with its source.",
		UsageText: `amlfix explain gpu/base-image
amlfix explain nvidia-docker
amlfix explain gpu
amlfix explain retired-hardware Standard_NC6`,
		Flags:    append([]cli.Flag{asOfFlag()}, cli.ColourFlags()...),
		Operands: ruleWords,
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() == 0 {
				return cli.Usage("explain", "give a rule or group; amlfix rules lists them")
			}
			style, err := c.Style(ctx)
			if err != nil {
				return err
			}
			if list := rulesOf(ctx.Args().First()); len(list) > 0 {
				if ctx.NArg() > 1 {
					return cli.Usage("explain", "%s is a group: give one of its rules before a fact", ctx.Args().First())
				}
				c.listRules(style, list)
				return nil
			}
			rule, err := ruleNamed(ctx.Args().First())
			if err != nil {
				return err
			}
			if ctx.NArg() > 1 {
				return c.explainFact(style, rule, strings.Join(ctx.Args().Tail(), " "))
			}
			c.explain(style, rule)
			return nil
		},
	}
}

// ruleWords returns the rules and their groups.
func ruleWords() (list []cli.Candidate) {
	seen := map[string]bool{}
	for _, r := range rules.All() {
		if group, _, _ := strings.Cut(r.ID, "/"); !seen[group] {
			seen[group] = true
			list = append(list, cli.Candidate{Word: group, About: "all rules of this group"})
		}
		list = append(list, cli.Candidate{Word: r.ID, About: r.Doc})
	}
	return list
}

// rulesOf returns the rules of a group; none if there is no such group.
func rulesOf(group string) (list []rules.Rule) {
	group = strings.TrimSuffix(strings.Trim(group, "[] "), "/")
	for _, r := range rules.All() {
		if strings.HasPrefix(r.ID, group+"/") {
			list = append(list, r)
		}
	}
	return list
}

// ruleNamed finds a rule by its ID or by the part of it after the slash.
func ruleNamed(name string) (rules.Rule, error) {
	name = strings.Trim(name, "[] ")
	if rule, ok := rules.ByID(name); ok {
		return rule, nil
	}
	var ids, groups, shorts []string
	for _, r := range rules.All() {
		group, short, _ := strings.Cut(r.ID, "/")
		ids, groups, shorts = append(ids, r.ID), append(groups, group), append(shorts, short)
	}
	if i := slices.Index(shorts, name); i >= 0 && !slices.Contains(shorts[i+1:], name) {
		rule, _ := rules.ByID(ids[i])
		return rule, nil
	}
	hint := cli.DidYouMean(name, slices.Concat(ids, groups))
	if hint == "" {
		if i := slices.Index(shorts, ui.Nearest(name, shorts)); i >= 0 {
			hint = "; did you mean " + ids[i] + "?"
		}
	}
	if hint == "" {
		hint = "; amlfix rules lists all"
	}
	return rules.Rule{}, cli.Usage("explain", "unknown rule or group %q%s", name, hint)
}

func (c *call) explain(style ui.Style, r rules.Rule) {
	severity := report.Paint(style, r.Severity)(r.Severity.String())
	_, _ = fmt.Fprintf(c.Out, "%s (%s)\n\n%s\n", style.Link(report.RulePage(r.ID), style.Bold(r.ID)), severity, r.Doc)
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
	section("What it rests on", sources(r))
	_, _ = fmt.Fprintf(c.Out, "\nSince %s. Documentation: %s\n", r.Since, report.RulePage(r.ID))
}

// indented returns text with two spaces before every non-empty line.
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
