package main

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/settings"
)

// selectionOf reads --select and --ignore.
func selectionOf(ctx *cli.Context) (*settings.Selection, error) {
	var ids []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	given := map[string][]string{}
	for _, flag := range []string{"select", "ignore"} {
		for _, name := range ctx.StringSlice(flag) {
			given[flag] = append(given[flag], strings.Trim(name, "[] "))
		}
		if _, err := settings.NewSelection(given[flag], nil, ids); err != nil {
			return nil, cli.Usage("check", "--%s: %v", flag, err)
		}
	}
	return settings.NewSelection(given["select"], given["ignore"], ids)
}

// presentable rejects conflicting ways to show findings.
func presentable(ctx *cli.Context, wanted []report.Output) error {
	other := slices.IndexFunc(wanted, func(o report.Output) bool { return !o.Format.ForPeople() })
	switch statistics, watch := ctx.Bool("statistics"), ctx.Bool("watch"); {
	case statistics && slices.ContainsFunc(wanted, func(o report.Output) bool { return !o.Format.ForPeople() && o.Format != report.JSON }):
		return cli.Usage("check", "--statistics supports only the formats text, concise and json")
	case statistics && ctx.Bool("diff"):
		return cli.Usage("check", "--diff and --statistics exclude each other: one shows repairs, the other counts findings")
	case statistics && ctx.Bool("interactive"):
		return cli.Usage("check", "-i shows the findings that it asks about, so it cannot be used with --statistics")
	case !watch:
		return nil
	case other >= 0:
		return cli.Usage("check", "--watch supports only the formats text and concise: leave --format %s out", wanted[other].Format)
	case ctx.Bool("apply"), ctx.Bool("add-ignores"):
		return cli.Usage("check", "--watch writes no files: leave --apply and --add-ignores out")
	case ctx.IsSet("stdin-filename") || slices.Contains(ctx.Args().Slice(), "-"):
		return cli.Usage("check", "--watch watches files, so it cannot be used with --stdin-filename")
	}
	return nil
}

// clean reports whether a person waiting at a terminal would see nothing at all, although files were checked.
func (k *checking) clean() bool {
	s := k.summary
	shown := s.Errors + s.Warnings + s.Repaired + s.Uncovered + s.Refused + s.Ignored
	if k.opts.Verbose {
		shown += s.Infos
	}
	return shown == 0 && s.Files > 0 && s.Exit == 0 && !k.failed && !k.diff && k.writer.forPeople() && ui.IsTerminal(k.Stderr)
}

// checkValues completes the flags of check that other commands do not have, or have with other values.
func checkValues() map[string]func() []cli.Candidate {
	return map[string]func() []cli.Candidate{
		"format": func() []cli.Candidate { return cli.Words(report.Formats()...) },
		"select": ruleWords, "ignore": ruleWords,
	}
}
