package cli

import (
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
	lower := strings.ToLower(word)
	right := meant(misnomers, lower)
	if near := plain.Nearest(lower, p.Commands.names()); right == "" && near != "" {
		right = "amlfix " + near
	} else if right == "" {
		right = meant(misnomers, plain.Nearest(lower, strings.Fields(misnomers)))
	}
	if right != "" {
		return console.Usage("", "unknown command or path %q; did you mean `%s`?", word, right)
	}
	return nil
}

// meant returns what follows a word in a table whose lines are "WORD... : MEANING"; "" if it has no such word.
func meant(table, word string) string {
	for line := range strings.Lines(table) {
		if words, meaning, _ := strings.Cut(line, " : "); slices.Contains(strings.Fields(words), word) {
			return strings.TrimSpace(meaning)
		}
	}
	return ""
}

// misnomers maps words that people try to the commands that they mean.
const misnomers = `
lint validate scan : amlfix check
repair apply format fmt : amlfix --apply
diff : amlfix --diff
revert restore rollback : amlfix undo
version : amlfix --version
list compute : amlfix targets
computetarget : amlfix attach
experiment submit start : amlfix run
convert migration upgrade : amlfix migrate
logs : amlfix runs logs
stop cancel : amlfix runs stop
status show : amlfix runs show
jobs history : amlfix runs list
rule : amlfix explain
docs doc : amlfix rules
completions generate-shell-completion : amlfix completion
server : amlfix lsp
`

// otherFlag returns what to append to a message about an unknown flag: a question, or the commands that have it.
func (p *Program) otherFlag(command *Command, name string) string {
	owner := "check"
	if name == "html" {
		owner = "runs"
	}
	if right := meant(misflags, name); right != "" && (command.Name == owner || name == "version") {
		return "; did you mean " + right + "?"
	}
	if (name == "o" || name == "output") && flagNamed(command, "out") != nil {
		return "; did you mean --out?"
	}
	near := ui.DidYouMean(Dashed(name), flagNames(command))
	switch {
	case near != "":
		return near
	case command.HasScript:
		return "; flags of a script follow it, and a v2 job gets values by --input NAME=VALUE"
	}
	var owners []string
	for other := range p.Commands.all() {
		if flagNamed(other, name) != nil {
			owners = append(owners, "amlfix "+other.Name)
		}
	}
	if len(owners) == 0 {
		return ""
	}
	return "; it is a flag of " + plain.List(owners, "and")
}

// misflags maps flags of other programs, such as ruff, zizmor, golangci-lint, buf and prek, to the corresponding flags
// of amlfix check; html is one of amlfix runs.
const misflags = `
fix write w autofix in-place : --apply
dry-run : --diff
undo revert : amlfix undo
v : --verbose or --version
V : --version
version : amlfix --version
html : amlfix runs report -o FILE
strict : --fail-on warning
severity min-severity : --fail-on
output-format o f error-format : --format
output output-file : --format FORMAT=FILE
json : --format json
q quiet oneline : --format concise
unsafe-fixes : --apply --unsafe
add-noqa : --add-ignores
generate-baseline : amlfix baseline
init-config : amlfix init
extend-select enable E rule : --select
extend-ignore disable D : --ignore
no-exit-codes issues-exit-code : --exit-zero
new : --since HEAD
new-from-rev new-from-merge-base from-ref against : --since
no-config no-ignores ignore-noqa : --isolated
show-settings : amlfix config
check : amlfix check
config : --settings
exclude : exclude in .amlfix.yaml
list-rules : amlfix rules
explain : amlfix explain
`
