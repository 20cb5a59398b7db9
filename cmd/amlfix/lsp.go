package main

import (
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/lsp"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

func (c *call) lspCommand() *cli.Command {
	return &cli.Command{
		Name:       "lsp",
		Folderless: true,
		Usage:      "serve editors through the Language Server Protocol",
		Description: `Editors start this command; there is no need to run it by hand. It supports version
3.17 of the protocol over standard input and output: findings while you type, each fix
as a code action, the meaning of keys, completion, definitions, references and renaming.
docs/editors.md describes how to set up Neovim, VS Code and others. Nothing is run, and
only the editor writes files. Internal errors are logged to standard error.`,
		UsageText: "amlfix lsp",
		Flags:     []cli.Flag{asOfFlag(), &cli.BoolFlag{Name: "stdio", Usage: "accepted because many editors pass it; standard input and output are always used"}},
		Action:    c.serveEditor,
	}
}

func (c *call) serveEditor(ctx *cli.Context) error {
	if ctx.NArg() > 0 {
		return console.Usage("lsp", "lsp takes no arguments: the editor names the files")
	}
	server := lsp.New(check.Engine{Dir: c.Dir, Now: c.Now, AsOf: c.AsOf})
	server.Version = strings.TrimSpace(c.Version())
	server.Log = func(line string) { c.Say("%s", line) }
	if ui.IsInteractive(c.Stdin) {
		c.Say("waiting for messages of an editor, which starts this command itself: see amlfix lsp --help; press Ctrl-C to end")
	}
	if !server.Serve(ctx.Context, c.Stdin, c.Stdout) {
		return console.Status(console.Findings)
	}
	return nil
}
