package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/plain"
)

// misspelt returns an error for a word that is not a path but resembles a command.
func (p *Program) misspelt(word string) error {
	if p.IsPath(word) {
		return nil
	}
	if p.IsRule(word) {
		return console.Usage("", "unknown command or path %q; did you mean `amlfix explain %s`?", word, word)
	}
	if strings.ContainsAny(word, `/\.`) {
		return nil
	}
	if right, ok := misnomers()[strings.ToLower(word)]; ok {
		return console.Usage("", "unknown command or path %q; did you mean `%s`?", word, right)
	}
	if near := plain.Nearest(strings.ToLower(word), p.Commands.names()); near != "" {
		return console.Usage("", "unknown command or path %q; did you mean `amlfix %s`?", word, near)
	}
	if near := plain.Nearest(strings.ToLower(word), slices.Sorted(maps.Keys(misnomers()))); near != "" {
		return console.Usage("", "unknown command or path %q; did you mean `%s`?", word, misnomers()[near])
	}
	return nil
}

// misnomers maps words that people try to the commands that they mean.
func misnomers() map[string]string {
	return map[string]string{
		"lint": "amlfix check", "validate": "amlfix check", "scan": "amlfix check",
		"repair": "amlfix --apply", "apply": "amlfix --apply", "format": "amlfix --apply", "fmt": "amlfix --apply",
		"diff": "amlfix --diff", "revert": "amlfix undo", "restore": "amlfix undo", "rollback": "amlfix undo", "version": "amlfix --version",
		"list": "amlfix targets", "computetarget": "amlfix attach", "compute": "amlfix targets",
		"experiment": "amlfix run", "convert": "amlfix migrate", "migration": "amlfix migrate", "upgrade": "amlfix migrate",
		"submit": "amlfix run", "start": "amlfix run",
		"logs": "amlfix runs logs", "stop": "amlfix runs stop", "cancel": "amlfix runs stop", "status": "amlfix runs show", "show": "amlfix runs show", "jobs": "amlfix runs list", "history": "amlfix runs list",
		"rule": "amlfix explain", "docs": "amlfix rules", "doc": "amlfix rules",
		"completions": "amlfix completion", "generate-shell-completion": "amlfix completion", "server": "amlfix lsp",
	}
}

// otherFlag returns what to append to a message about an unknown flag: a question, or the commands that have it.
func (p *Program) otherFlag(command *Command, name string) string {
	if right, ok := misflags()[name]; ok && (command.Name == "check" || name == "version") {
		return "; did you mean " + right + "?"
	}
	if command.Name == "runs" && name == "html" {
		return "; did you mean amlfix runs report -o FILE?"
	}
	if (name == "o" || name == "output") && flagNamed(command, "out") != nil {
		return "; did you mean --out?"
	}
	near := ui.DidYouMean(Dashed(name), flagNames(command))
	if near == "" && command.HasScript {
		return "; flags of a script follow it, and a v2 job gets values by --input NAME=VALUE"
	}
	var owners []string
	for other := range p.Commands.all() {
		if flagNamed(other, name) != nil {
			owners = append(owners, "amlfix "+other.Name)
		}
	}
	if len(owners) > 0 {
		return "; it is a flag of " + plain.List(owners, "and")
	}
	return near
}

// misflags maps flags of other programs, such as ruff, zizmor, golangci-lint, buf and prek, to the corresponding flags
// of amlfix check.
func misflags() map[string]string {
	return map[string]string{
		"fix": "--apply", "write": "--apply", "w": "--apply", "autofix": "--apply", "in-place": "--apply", "dry-run": "--diff", "undo": "amlfix undo", "revert": "amlfix undo",
		"v": "--verbose or --version", "V": "--version", "version": "amlfix --version", "strict": "--fail-on warning", "severity": "--fail-on",
		"output-format": "--format", "output": "--format FORMAT=FILE", "output-file": "--format FORMAT=FILE", "o": "--format", "f": "--format", "json": "--format json", "q": "--format concise", "quiet": "--format concise",
		"unsafe-fixes": "--apply --unsafe", "add-noqa": "--add-ignores", "generate-baseline": "amlfix baseline", "init-config": "amlfix init",
		"extend-select": "--select", "enable": "--select", "E": "--select", "extend-ignore": "--ignore", "disable": "--ignore", "D": "--ignore",
		"min-severity": "--fail-on", "no-exit-codes": "--exit-zero", "issues-exit-code": "--exit-zero", "error-format": "--format", "oneline": "--format concise",
		"new": "--since HEAD", "new-from-rev": "--since", "new-from-merge-base": "--since", "from-ref": "--since", "against": "--since",
		"no-config": "--isolated", "no-ignores": "--isolated", "ignore-noqa": "--isolated", "show-settings": "amlfix config",
		"check": "amlfix check", "config": "--settings", "rule": "--select", "exclude": "exclude in .amlfix.yaml", "list-rules": "amlfix rules", "explain": "amlfix explain",
	}
}
