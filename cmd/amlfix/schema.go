package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	schemaformat "github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
)

func (c *call) schemaCommand() *cli.Command {
	return &cli.Command{
		Name:       "schema",
		Folderless: true,
		Usage:      "print the JSON Schema of a format",
		ArgsUsage:  "[KIND]",
		Description: `Editors check and complete files with a JSON Schema. Without KIND the kinds are
listed. docs/editors.md describes how to use them in VS Code.`,
		UsageText: `amlfix schema
amlfix schema compute
amlfix schema workbench-runconfig > .vscode/runconfig.schema.json`,
		Operands: func() []cli.Candidate { return cli.Words(schemaformat.Kinds()...) },
		Action: func(ctx *cli.Context) error {
			kinds := schemaformat.Kinds()
			switch name := ctx.Args().First(); {
			case ctx.NArg() == 0:
				table := ui.Heading(ui.NewStyle(false), "KIND", "WHAT IT DESCRIBES")
				for _, k := range kinds {
					table.Row(k, schemaTitle(k))
				}
				table.Write(c.Out, "")
			case ctx.NArg() > 1:
				return console.Usage("schema", "give one kind")
			case !slices.Contains(kinds, name):
				short := make([]string, len(kinds))
				for i, kind := range kinds {
					short[i] = strings.TrimPrefix(kind, "v2-")
				}
				hint := ui.DidYouMean(name, kinds)
				azures := strings.ReplaceAll(plain.SnakeCase(name), "_", "-") // commandJob.schema.json is v2-command
				for _, word := range []string{strings.TrimSuffix(strings.TrimSuffix(azures, ".schema.json"), "-job"), name} {
					if near := slices.Index(short, plain.Nearest(word, short)); hint == "" && near >= 0 {
						hint = ui.DidYouMean(kinds[near], kinds)
					}
				}
				part := slices.DeleteFunc(kinds, func(kind string) bool { return azures == "v2" || !strings.Contains("-"+kind+"-", "-"+azures+"-") })
				return console.Usage("schema", "unknown kind %q%s", name, cmp.Or(hint, ui.DidYouMeanOne(part), "; amlfix schema lists all"))
			default:
				text, _ := schemaformat.Text(name)
				_, _ = c.Out.Write(text)
			}
			return nil
		},
	}
}

// schemaTitle returns the name for files of a kind.
func schemaTitle(kind string) string {
	var head struct{ Title string }
	text, _ := schemaformat.Text(kind)
	_ = json.Unmarshal(text, &head) // a test checks that all schemas have one
	return head.Title
}
