package main

import (
	"errors"
	"os"
	"slices"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/start"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema"
)

func trustFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "settings", Usage: "use the settings in `FILE` for all projects, and none from the tree"},
		&cli.StringFlag{Name: "settings-from", Usage: "use settings and baselines from `FOLDER`, another copy of the tree, such as one of the target branch"},
		&cli.BoolFlag{Name: "isolated", Usage: "ignore settings, baselines and comments in the tree"},
	}
}

// readTrust reads the trust flags, before the command itself does anything.
func (c *call) readTrust(ctx *cli.Context) error {
	command, file, folder := ctx.Command.Name, ctx.String("settings"), ctx.String("settings-from")
	c.Trust.Isolated = ctx.Bool("isolated") || slices.Contains([]string{"undo", "runs"}, command) // records exist whatever the settings say
	c.Trust.KeepsBaseline = c.Trust.Isolated && command == "baseline" && file == ""
	switch {
	case ctx.IsSet("settings") && ctx.IsSet("settings-from"):
		return console.Usage(command, "--settings and --settings-from exclude each other: one is a file, the other a folder of files")
	case ctx.IsSet("settings") && file == "":
		return console.Usage(command, "--settings: the file name is missing")
	case ctx.IsSet("settings-from") && folder == "":
		return console.Usage(command, "--settings-from: the folder name is missing")
	case file != "":
		return c.trustFile(command, file)
	case folder != "":
		if err := c.TrustCopy(folder); err != nil {
			return &schema.PathError{Path: "--settings-from " + folder, Err: err}
		}
	}
	return nil
}

func (c *call) trustFile(command, name string) error {
	err := c.TrustFile(name)
	switch wrong := new(check.SettingsError); {
	case errors.As(err, &wrong):
		return console.Usage(command, "--settings %s: %v", name, wrong)
	case err != nil:
		return &schema.PathError{Path: "--settings " + name, Err: err}
	}
	return nil
}

// trustWords returns the trust flags and the reference date, as written on a command line.
func trustWords(ctx *cli.Context, word func(string) string) (words []string) {
	for _, name := range []string{"settings", "settings-from", "as-of"} {
		if ctx.IsSet(name) {
			words = append(words, "--"+name, word(ctx.String(name)))
		}
	}
	if ctx.Bool("isolated") {
		words = append(words, "--isolated")
	}
	return words
}

// asOfFlag returns the flag of commands that depend on what is retired or supported.
func asOfFlag() cli.Flag {
	return &cli.StringFlag{Name: "as-of", Usage: "check what is retired or out of support as of `DATE`, such as " + dayExample + ", instead of today"}
}

const dayExample = "2027-01-31"

// readFlags reads the flags shared by all commands, before the command itself does anything.
func (c *call) readFlags(ctx *cli.Context) error {
	c.catchSignals(ctx)
	if c.AsOf = ctx.String("as-of"); ctx.IsSet("as-of") {
		if _, err := time.Parse(check.Day, c.AsOf); err != nil {
			return console.Usage(ctx.Command.Name, "--as-of: %q is not a date: write it as in %s", c.AsOf, dayExample)
		}
	}
	return c.readTrust(ctx)
}

// catchSignals makes signals cancel the command. Those that search for projects do so only afterwards: a search only
// reads, may take minutes where there is no project, and may end without a word. A check without flags waits until it
// has made 16 MB of garbage, too: most make less, and do not pay for threads, handlers or a timer. Before they finish
// what a killed amlfix has left, they catch signals in any case.
func (c *call) catchSignals(ctx *cli.Context) {
	catch := c.BeforeRecovery
	if catch != nil && finishes(ctx.Command.Name) {
		start.Finishing(ctx.Context, c.Kill, c.Say, os.Exit)
	}
	switch name := ctx.Command.Name; {
	case catch == nil:
	case name == "check" && ctx.NumFlags() == 0:
		c.AfterSearch = func() { start.AfterCollection(catch) }
	case ctx.IsSet("stdin-filename"): // it reads that first
		catch()
	case slices.Contains([]string{"check", "run", "prepare", "runs", "migrate", "targets", "fix", "undo", "config", "baseline"}, name):
		c.AfterSearch = catch
	default:
		catch()
	}
	if c.AfterSearch != nil {
		start.NoteSearch(c.Terminal, c.Engine)
	}
}

// finishes reports whether a command works on whole projects, one after the other.
func finishes(command string) bool {
	return slices.Contains([]string{"check", "fix", "baseline", "migrate", "targets"}, command)
}

// style returns the colours and links of standard output.
func (c *call) style(ctx *cli.Context) (ui.Style, error) {
	mode, err := cli.ColourMode(ctx)
	if err != nil {
		return ui.Style{}, err
	}
	return c.Style(mode), nil
}

// errStyle returns the colours of standard error; none if the flags are wrong.
func (c *call) errStyle(ctx *cli.Context) ui.Style {
	mode, err := cli.ColourMode(ctx)
	if err != nil {
		mode = ui.ColourNever
	}
	return c.ErrStyle(mode)
}
