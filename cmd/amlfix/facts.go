package main

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/listing"
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
amlfix facts "which wheels does numpy 1.19.0 have for python 3.11?"
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
		return console.Usage("facts", "name a package, a VM size or an image, such as torch==2.3.0")
	}
	style, err := c.style(ctx)
	if err != nil {
		return err
	}
	json, err := cli.JSON(ctx)
	if err != nil {
		return err
	}
	list := catalog.Facts(query, c.Day())
	if json {
		c.WriteJSON(struct {
			Version string         `json:"version"`
			Query   string         `json:"query"`
			Facts   []catalog.Fact `json:"facts"`
		}{c.Version(), query, append([]catalog.Fact{}, list...)})
	} else {
		listing.WriteFacts(c.Out, style, list, c.Day())
	}
	if len(list) == 0 {
		c.Say("nothing is known about %q%s", query, listing.NearFacts(query))
		return console.Status(console.Findings)
	}
	return nil
}
