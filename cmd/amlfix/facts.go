package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/catalog"
)

func (c *call) factsCommand() *cli.Command {
	return &cli.Command{
		Name:       "facts",
		Folderless: true,
		Usage:      "show the known facts about a package, a VM size or an image",
		ArgsUsage:  "[FLAGS] QUERY...",
		Description: `Prints what the tables behind the rules contain, with the source of each fact and the
day on which it was seen there. QUERY is a package with or without a version, a
VM size, a GPU, a container image, a curated environment, or python, spark or cuda
with a version; a whole question also works. Nothing is looked up elsewhere. The exit
status is 1 if nothing is known. docs/facts.md describes how the facts are maintained.`,
		UsageText: `amlfix facts torch==2.3.0
amlfix facts "which wheels has numpy 1.19.0 for python 3.11?"
amlfix facts Standard_NC6s_v3
amlfix facts python 3.8
amlfix facts AzureML-sklearn-0.24-ubuntu18.04-py37-cpu
amlfix facts mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04`,
		Flags:    slices.Concat([]cli.Flag{cli.FormatFlag(), asOfFlag()}, cli.ColourFlags()),
		Operands: func() []cli.Candidate { return cli.Words(catalog.FactNames()...) },
		Action:   c.facts,
	}
}

func (c *call) facts(ctx *cli.Context) error {
	query := strings.Join(ctx.Args().Slice(), " ")
	if strings.TrimSpace(query) == "" {
		return cli.Usage("facts", "name a package, a VM size or an image, such as torch==2.3.0")
	}
	style, err := c.Style(ctx)
	if err != nil {
		return err
	}
	form, err := cli.Format(ctx)
	if err != nil {
		return err
	}
	asOf := cmp.Or(c.AsOf, c.Today())
	list := catalog.Facts(query, asOf)
	if form == report.JSON {
		c.writeFactsJSON(query, list)
	} else {
		c.writeFacts(style, list, asOf)
	}
	if len(list) == 0 {
		c.Say("nothing is known about %q%s", query, nearFacts(query))
		return cli.Status(cli.Findings)
	}
	return nil
}

// fewNames is how many names a suggestion lists.
const fewNames = 5

// nearFacts suggests what was meant.
func nearFacts(query string) string {
	names := catalog.FactNames()
	for word := range strings.FieldsSeq(query) {
		name, _, _ := strings.Cut(strings.Trim(word, "?!,.'\""), "=")
		if builds := catalog.FrameworkBuilds(name); len(builds) > 0 {
			return fmt.Sprintf("; of %s, releases from %s to %s are recorded", name, builds[0].Version, builds[len(builds)-1].Version)
		}
		if hint := cli.DidYouMean(name, names); hint != "" {
			return hint
		}
		longer := slices.DeleteFunc(slices.Clone(names), func(n string) bool {
			return len(name) < 4 || !strings.Contains(strings.ToLower(n), strings.ToLower(name))
		})
		if len(longer) > 0 {
			return "; did you mean one of " + ui.ShortList(longer[:min(len(longer), fewNames)]) + "?"
		}
	}
	return ""
}

// writeFacts writes a block for each fact as of a day, separated by empty lines.
func (c *call) writeFacts(style ui.Style, list []catalog.Fact, asOf string) {
	for i, f := range list {
		if i > 0 {
			_, _ = fmt.Fprintln(c.Out)
		}
		_, _ = fmt.Fprintln(c.Out, style.Bold(f.Subject))
		seen := f.Seen
		if f.Certainty != catalog.Sourced {
			seen += ", from " + string(f.Certainty) + ": check it there"
		}
		if f.Stale(asOf) {
			seen += fmt.Sprintf(", more than %d days ago, so it may have changed", catalog.FreshDays)
		}
		table := new(ui.Table)
		for _, v := range append(f.Values, catalog.FactValue{Name: "source", Text: f.Source}, catalog.FactValue{Name: "seen", Text: seen}) {
			table.Row(v.Name, v.Text)
			if v.Name == "source" || v.Name == "seen" {
				table.Paint(0, style.Dim)
				table.Paint(1, style.Dim)
			}
		}
		table.Write(c.Out, "  ")
	}
}

type factValueJSON struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type factJSON struct {
	Subject   string          `json:"subject"`
	Table     string          `json:"table"`
	Values    []factValueJSON `json:"values"`
	Source    string          `json:"source"`
	Seen      string          `json:"seen"`
	Certainty string          `json:"certainty"`
}

func (c *call) writeFactsJSON(query string, list []catalog.Fact) {
	rows := []factJSON{}
	for _, f := range list {
		row := factJSON{Subject: f.Subject, Table: f.Table, Values: []factValueJSON{}, Source: f.Source, Seen: f.Seen, Certainty: string(f.Certainty)}
		for _, v := range f.Values {
			row.Values = append(row.Values, factValueJSON(v))
		}
		rows = append(rows, row)
	}
	c.WriteJSON(struct {
		Version string     `json:"version"`
		Query   string     `json:"query"`
		Facts   []factJSON `json:"facts"`
	}{c.Version, query, rows})
}
