package main

import (
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/listing"
	"github.com/amlfix/amlfix/rules"
)

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
				return console.Usage("explain", "give a rule or group; amlfix rules lists them")
			}
			style, err := c.style(ctx)
			if err != nil {
				return err
			}
			if list := listing.RulesOf(ctx.Args().First()); len(list) > 0 {
				if ctx.NArg() > 1 {
					return console.Usage("explain", "%s is a group: give one of its rules before a fact", ctx.Args().First())
				}
				listing.WriteRules(c.Out, style, list)
				return nil
			}
			rule, err := listing.RuleNamed(ctx.Args().First())
			if err != nil {
				return console.Usage("explain", "%v", err)
			}
			if ctx.NArg() == 1 {
				listing.Explain(c.Out, style, rule)
				return nil
			}
			query := strings.Join(ctx.Args().Tail(), " ")
			if !listing.ExplainFact(c.Out, style, rule, query, c.Day()) {
				c.Say("%s knows nothing about %q; amlfix facts shows what amlfix knows", rule.ID, query)
				return console.Status(console.Findings)
			}
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
