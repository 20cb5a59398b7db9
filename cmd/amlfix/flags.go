package main

import (
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/flags"
	"github.com/amlfix/amlfix/cmd/internal/start"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// answerFlags returns the flags that answer what fixes leave open.
func answerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "gpu", Usage: "treat the compute target `TARGET` as a GPU target; in Azure ML v2, TARGET is a compute, a job file or a step of a pipeline; may be given several times"},
		&cli.StringSliceFlag{Name: "cpu", Usage: "treat the compute target `TARGET` as a CPU target: the reverse of --gpu"},
		&cli.StringSliceFlag{Name: "choose", Usage: "answer a question that a repair leaves open, as `QUESTION=ANSWER`: cuda=9.0, cntk=1bit-sgd"},
	}
}

func trustFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "settings", Usage: "use the settings in `FILE` for all projects, and none from the tree"},
		&cli.StringFlag{Name: "settings-from", Usage: "use settings and baselines from `FOLDER`, another copy of the tree, such as one of the target branch"},
		&cli.BoolFlag{Name: "isolated", Usage: "ignore settings, baselines and comments in the tree"},
	}
}

// asOfFlag returns the flag of commands that depend on what is retired or supported.
func asOfFlag() cli.Flag {
	return &cli.StringFlag{Name: "as-of", Usage: "check what is retired or out of support as of `DATE`, such as " + flags.DayExample + ", instead of today"}
}

// readFlags reads the flags shared by all commands, before the command itself does anything.
func (c *call) readFlags(ctx *cli.Context) error {
	start.Catch(ctx.Context, ctx, ctx.Command.Name, c.Terminal, c.Engine)
	return flags.Read(ctx, ctx.Command.Name, c.Engine)
}

// style returns the colours and links of standard output.
func (c *call) style(ctx *cli.Context) (ui.Style, error) {
	mode, err := flags.Colour(ctx, ctx.Command.Name)
	if err != nil {
		return ui.Style{}, err
	}
	return c.Style(mode), nil
}

// errStyle returns the colours of standard error; none if the flags are wrong.
func (c *call) errStyle(ctx *cli.Context) ui.Style {
	mode, err := flags.Colour(ctx, ctx.Command.Name)
	if err != nil {
		mode = ui.ColourNever
	}
	return c.ErrStyle(mode)
}
