package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// ListFormats are the formats of lists, as opposed to reports.
var ListFormats = []string{string(report.Text), string(report.JSON)}

// FormatFlag is the flag --format of commands that print a list.
func FormatFlag() Flag {
	return &StringFlag{Name: "format", Value: string(report.Text), Usage: "write the list as `FORMAT`: " + strings.Join(ListFormats, " or ")}
}

// ColourFlags are the flags of commands that print in colours.
func ColourFlags() []Flag {
	return []Flag{
		&StringFlag{Name: "color", Value: string(ui.ColourAuto), Usage: "colour the output `WHEN`: auto (on a terminal, unless NO_COLOR is set), always or never"},
		&BoolFlag{Name: "no-color", Usage: "the same as --color never"},
	}
}

// Coloured reports whether standard output is coloured.
func (t *Terminal) Coloured(ctx *Context) (bool, error) { return t.colours(ctx, t.Stdout) }

// ErrColoured reports whether standard error is coloured; not where the flags are
// wrong.
func (t *Terminal) ErrColoured(ctx *Context) bool {
	yes, err := t.colours(ctx, t.Stderr)
	return yes && err == nil
}

func (t *Terminal) colours(ctx *Context, w io.Writer) (bool, error) {
	mode, err := ui.ParseColourMode(ctx.String("color"))
	if err != nil {
		return false, Usage(ctx.Command.Name, "%v", err)
	}
	if ctx.Bool("no-color") {
		mode = ui.ColourNever
	}
	return ui.Coloured(mode, w, t.Env), nil
}

// Format returns the format asked for of a list.
func Format(ctx *Context) (report.Format, error) {
	name := ctx.String("format")
	if !slices.Contains(ListFormats, name) {
		return "", Usage(ctx.Command.Name, "--format: %q is none of %s", name, strings.Join(ListFormats, ", "))
	}
	return report.Format(name), nil
}

// placeholder returns the word that stands for a flag's value.
func placeholder(f Flag) string {
	word, _ := flagText(f)
	return word
}

// flagText splits a flag's text into the word for its value and the sentence.
func flagText(f Flag) (value, text string) {
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

// KnownTargets returns a *UsageError when one of the targets that a flag names is
// not among those that there are.
func KnownTargets(command, flag string, given []string, names func() ([]string, error)) error {
	if len(given) == 0 {
		return nil
	}
	all, err := names()
	if err != nil {
		return err
	}
	for _, t := range given {
		switch {
		case slices.Contains(all, t):
		case len(all) == 0:
			return Usage(command, "--%s %s: there is no compute target at all", flag, t)
		default:
			return Usage(command, "--%s %s: there is no compute target of this name%s\nThere are: %s",
				flag, t, DidYouMean(t, all), ShortList(all))
		}
	}
	return nil
}

// ShortList joins names, leaving out what no one would read.
func ShortList(names []string) string {
	const most = 30
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", and " + ui.Count(len(names)-most, "other")
}
