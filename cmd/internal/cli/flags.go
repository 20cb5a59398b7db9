package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// ListFormats are the formats of lists, as opposed to reports.
var ListFormats = []string{string(report.Text), string(report.JSON)}

// FormatFlag returns the flag --format of commands that print a list.
func FormatFlag() Flag {
	return &StringFlag{Name: "format", Value: string(report.Text), Usage: "write the list as `FORMAT`: " + strings.Join(ListFormats, " or ")}
}

// ColourFlags returns the flags of commands that print in colour.
func ColourFlags() []Flag {
	return []Flag{
		&StringFlag{Name: "color", Value: string(ui.ColourAuto), Usage: "color the output `WHEN`: auto (on a terminal; respects NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE), always or never"},
		&BoolFlag{Name: "no-color", Usage: "the same as --color never"},
	}
}

// JSON reports whether a list is requested as JSON.
func JSON(ctx *Context) (bool, error) {
	name := ctx.String("format")
	if !slices.Contains(ListFormats, name) {
		return false, console.Usage(ctx.Command.Name, "--format: %q is not one of %s", name, strings.Join(ListFormats, ", "))
	}
	return name == string(report.JSON), nil
}

// placeholder returns the word that stands for a flag's value.
func placeholder(f Flag) string {
	word, _ := flagText(f)
	return word
}

// flagText splits a flag's text into the placeholder for its value and the sentence.
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
