package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// The word in `backquotes` of a flag's text stands for its value in help; every
// flag that takes a value has one.

func gpuFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "gpu", Usage: "count the compute target `TARGET` as a GPU target; may be given several times"}
}

// choiceFlags are the flags that answer what fixes leave open, --gpu aside.
func choiceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "cpu", Usage: "count the compute target `TARGET` as a CPU target: the way back from --gpu"},
		&cli.StringSliceFlag{Name: "choose", Usage: "answer what a repair leaves open, as `QUESTION=ANSWER`: cuda=9.0, cntk=1bit-sgd"},
	}
}

// listFormats are the formats of lists, as opposed to reports.
var listFormats = []string{string(report.Text), string(report.JSON)}

func formatFlag() cli.Flag {
	return &cli.StringFlag{Name: "format", Value: string(report.Text), Usage: "write the list as `FORMAT`: " + strings.Join(listFormats, " or ")}
}

func colourFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "color", Value: string(ui.ColourAuto), Usage: "colour the output `WHEN`: auto (on a terminal; NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE count), always or never"},
		&cli.BoolFlag{Name: "no-color", Usage: "the same as --color never"},
	}
}

// coloured reports whether standard output is coloured.
func (c *Command) coloured(ctx *cli.Context) (bool, error) {
	mode, err := colourMode(ctx)
	return err == nil && ui.Coloured(mode, c.Stdout, c.Env), err
}

// linked reports whether words on standard output are links.
func (c *Command) linked(ctx *cli.Context) bool {
	mode, err := colourMode(ctx)
	return err == nil && ui.Linked(mode, c.Stdout, c.Env)
}

// linkedStyle returns how standard output is coloured and linked.
func (c *Command) linkedStyle(ctx *cli.Context) (ui.Style, error) {
	coloured, err := c.coloured(ctx)
	return ui.NewStyle(coloured).Linking(c.linked(ctx)), err
}

func colourMode(ctx *cli.Context) (ui.ColourMode, error) {
	mode, err := ui.ParseColourMode(ctx.String("color"))
	if err != nil {
		return "", usage(ctx.Command.Name, "%v", err)
	}
	if ctx.Bool("no-color") {
		mode = ui.ColourNever
	}
	return mode, nil
}

// format returns the format asked for of a list.
func format(ctx *cli.Context) (report.Format, error) {
	name := ctx.String("format")
	if !slices.Contains(listFormats, name) {
		return "", usage(ctx.Command.Name, "--format: %q is none of %s", name, strings.Join(listFormats, ", "))
	}
	return report.Format(name), nil
}

// placeholder returns the word that stands for a flag's value.
func placeholder(f cli.Flag) string {
	word, _ := flagText(f)
	return word
}

// flagText splits a flag's text into the word for its value and the sentence.
func flagText(f cli.Flag) (value, text string) {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return "", ""
	}
	text = doc.GetUsage()
	if parts := strings.SplitN(text, "`", 3); len(parts) == 3 {
		return parts[1], parts[0] + parts[1] + parts[2]
	}
	return "", text
}
