package cli

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// scripts contains one completion script per shell. All of them ask amlfix itself what may follow, so they need no
// change when amlfix gets new flags.
//
//go:embed completion
var scripts embed.FS

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// Completion returns the command that prints completion scripts.
func (p *Program) Completion() *Command {
	return &Command{
		Name: "completion", Folderless: true,
		Usage:     "print a script that completes amlfix commands in your shell",
		ArgsUsage: strings.Join(shells(), "|"),
		Description: `Load the script when your shell starts, as the examples show. It completes
commands, flags, rules, and the names of compute targets and run configurations.`,
		UsageText: `echo 'source <(amlfix completion bash)' >> ~/.bashrc
echo 'source <(amlfix completion zsh)' >> ~/.zshrc
amlfix completion fish > ~/.config/fish/completions/amlfix.fish
amlfix completion powershell | Out-String | Invoke-Expression`,
		Operands: func() []Candidate { return Words(shells()...) },
		Action: func(ctx *Context) error {
			shell := ctx.Args().First()
			if ctx.NArg() != 1 || !slices.Contains(shells(), shell) {
				return console.Usage("completion", "give one shell: %s%s", strings.Join(shells(), ", "), ui.DidYouMean(shell, shells()))
			}
			text, err := scripts.ReadFile("completion/amlfix." + shell)
			if err != nil {
				return fmt.Errorf("no completion script for %s: %w", shell, err)
			}
			_, _ = p.Out.Write(text)
			return nil
		},
	}
}
