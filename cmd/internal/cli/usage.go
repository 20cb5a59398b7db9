package cli

import "strings"

// plainFlagError rewords an error of the flag parser for people. Names of flags and missing values have been checked
// before, so only invalid values remain.
func plainFlagError(err error) string {
	text := strings.ReplaceAll(err.Error(), "flag -", "flag --")
	if said, ok := strings.CutSuffix(text, ": parse error"); ok {
		return said + ": it is not a whole number" // no flag of another type has values that can be invalid
	}
	return text
}

// misnomers maps words that people try to the commands that they mean.
func misnomers() map[string]string {
	return map[string]string{
		"lint": "amlfix check", "validate": "amlfix check", "scan": "amlfix check",
		"repair": "amlfix --apply", "apply": "amlfix --apply", "format": "amlfix --apply", "fmt": "amlfix --apply",
		"diff": "amlfix --diff", "version": "amlfix --version",
		"list": "amlfix targets", "computetarget": "amlfix attach", "compute": "amlfix targets",
		"experiment": "amlfix run", "convert": "amlfix migrate", "migration": "amlfix migrate", "upgrade": "amlfix migrate",
		"submit": "amlfix run", "start": "amlfix run",
		"logs": "amlfix runs logs", "stop": "amlfix runs stop", "cancel": "amlfix runs stop", "status": "amlfix runs show", "show": "amlfix runs show", "jobs": "amlfix runs list", "history": "amlfix runs list",
		"rule": "amlfix explain", "docs": "amlfix rules", "doc": "amlfix rules",
		"completions": "amlfix completion", "generate-shell-completion": "amlfix completion", "server": "amlfix lsp",
	}
}
